package io.rmigate.gateway.services;

import io.rmigate.soap.call.Caller;
import io.rmigate.soap.call.RemoteObject;
import io.rmigate.soap.json.JsonLimits;
import io.rmigate.soap.json.Problem;
import io.rmigate.soap.soap.SoapDescription;
import io.rmigate.soap.soap.SoapDialect;
import io.rmigate.soap.soap.SoapLimits;
import io.rmigate.soap.soap.SoapRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/** SOAP: envelopes that are sent to the address of an object. */
public final class SoapService implements Front {
  private static final Set<String> MEDIA_TYPES =
      Set.of("text/xml", "application/soap+xml", "multipart/related");

  /** Made for the first call, and when the bounds change; two made at once are alike. */
  private volatile Optional<CachedDialect> cached = Optional.empty();

  private record CachedDialect(JsonLimits limits, SoapDialect dialect) {
    CachedDialect(JsonLimits limits) {
      this(
          limits,
          new SoapDialect(
              SoapLimits.DEFAULT.with(
                  limits.bodyBytes(), limits.depth(), limits.tokens(), limits.textChars())));
    }
  }

  @Override
  public boolean takes(String mediaType, boolean named) {
    return !named && MEDIA_TYPES.contains(mediaType);
  }

  @Override
  public void call(ServiceRequest exchange) throws IOException {
    SoapRequest request =
        new SoapRequest(
            () -> URI.create(exchange.object().address()),
            exchange.header("Content-Type"),
            exchange.header("Accept"),
            exchange.header("SOAPAction"),
            exchange.body());
    dialect(exchange.limits())
        .front(exchange.object().contract())
        .call(request, telling(exchange), exchange.reply());
  }

  private SoapDialect dialect(JsonLimits limits) {
    Optional<CachedDialect> now = cached.filter(s -> s.limits().equals(limits));
    if (now.isEmpty()) {
      now = Optional.of(new CachedDialect(limits));
      cached = now;
    }
    return now.get().dialect();
  }

  /** Which operation it is, is known when the envelope has been read. */
  private static Caller telling(ServiceRequest exchange) {
    Caller caller = exchange.caller();
    RemoteObject target =
        (method, arguments) -> {
          exchange.object().contract().operations().stream()
              .filter(operation -> operation.method().equals(method))
              .findFirst()
              .ifPresent(exchange.called());
          return caller.target().call(method, arguments);
        };
    return new Caller(target, caller.references(), caller.permission());
  }

  @Override
  public Set<String> descriptionQueries() {
    return Set.of("wsdl", "xsd");
  }

  @Override
  public Optional<String> descriptionName() {
    return Optional.empty();
  }

  @Override
  public void describe(ServiceRequest exchange) throws IOException {
    Optional<String> document =
        new SoapDescription(
                exchange.object().publication(),
                exchange.object().contract(),
                URI.create(exchange.object().address()),
                exchange.caller().permission())
            .document(Optional.ofNullable(exchange.http().getQueryString()).orElse(""));
    if (document.isEmpty()) {
      Problem.of(Problem.Kind.NOT_FOUND, "There is no such document.").sendTo(exchange.reply());
      return;
    }
    OutputStream body = exchange.reply().begin(200, SoapDescription.CONTENT_TYPE);
    body.write(document.get().getBytes(StandardCharsets.UTF_8));
    body.flush();
  }
}
