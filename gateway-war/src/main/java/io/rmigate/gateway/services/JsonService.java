package io.rmigate.gateway.services;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.soap.json.JsonDialect;
import io.rmigate.soap.json.JsonLimits;
import io.rmigate.soap.json.JsonRequest;
import io.rmigate.soap.json.OpenApi30;
import io.rmigate.soap.json.OpenApiDocument;
import io.rmigate.soap.json.Problem;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** JSON, which clients send to the address of an operation. */
final class JsonService implements Front {
  static final String DESCRIPTION = "openapi.json";
  static final String DESCRIPTION_30 = DESCRIPTION + "?version=3.0";
  private static final String VERSION = "version=";
  private static final String JSON = "application/json";

  private final ObjectMapper mapper = new ObjectMapper();

  /** Replaced when the bounds change; two made at once are alike. */
  private volatile CachedDialect cached = new CachedDialect(JsonLimits.DEFAULT);

  private record CachedDialect(JsonLimits limits, JsonDialect dialect) {
    CachedDialect(JsonLimits limits) {
      this(limits, new JsonDialect(limits));
    }
  }

  @Override
  public boolean takes(String mediaType, boolean named) {
    return named;
  }

  @Override
  public void call(ServiceRequest request) throws IOException {
    request.object().contract().operation(request.object().operation()).ifPresent(request.called());
    dialect(request.limits())
        .front(request.object().contract())
        .call(
            new JsonRequest(
                request.object().operation(),
                request.header("Content-Type"),
                request.header("Accept"),
                request.body(),
                request.body()::charge),
            request.caller(),
            request.reply());
  }

  private JsonDialect dialect(JsonLimits limits) {
    CachedDialect now = cached;
    if (!now.limits().equals(limits)) {
      now = new CachedDialect(limits);
      cached = now;
    }
    return now.dialect();
  }

  @Override
  public Set<String> descriptionQueries() {
    return Set.of();
  }

  @Override
  public Optional<String> descriptionName() {
    return Optional.of(DESCRIPTION);
  }

  @Override
  public void describe(ServiceRequest request) throws IOException {
    JsonNode document =
        OpenApiDocument.of(
            request.object().publication(),
            URI.create(request.object().base()),
            request.caller().permission());
    String version = version(request.http().getQueryString());
    if (version.equals("3.0")) {
      document = OpenApi30.of(document);
    } else if (!version.equals("3.1")) {
      Problem.of(Problem.Kind.NOT_FOUND, "The versions of OpenAPI here are 3.0 and 3.1.")
          .sendTo(request.reply());
      return;
    }
    OutputStream body = request.reply().begin(200, JSON);
    body.write(mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(document));
    body.flush();
  }

  /** The version in the query; other parameters are ignored. */
  private static String version(String query) {
    return Stream.of((query == null ? "" : query).split("&", -1))
        .filter(part -> part.startsWith(VERSION))
        .map(part -> part.substring(VERSION.length()))
        .findFirst()
        .orElse("3.1");
  }
}
