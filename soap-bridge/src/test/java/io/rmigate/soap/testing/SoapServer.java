package io.rmigate.soap.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rmigate.soap.soap.SoapDescription;
import io.rmigate.soap.soap.SoapFront;
import io.rmigate.soap.soap.SoapRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The sample over HTTP, for tools that know no other way. */
public final class SoapServer implements AutoCloseable {
  private final RunningShop shop;
  private final SoapFront front;
  private final HttpServer server;
  private final ConcurrentLinkedQueue<String> contentTypes = new ConcurrentLinkedQueue<>();

  public SoapServer(RunningShop shop, SoapFront front) throws IOException {
    this.shop = shop;
    this.front = front;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/shop", this::serve);
    server.start();
  }

  /** Of the published object. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/shop");
  }

  /** Of the calls, in their order. */
  public ConcurrentLinkedQueue<String> contentTypes() {
    return contentTypes;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestMethod().equals("GET")) {
        describe(exchange);
        return;
      }
      contentTypes.add(header(exchange, "Content-Type"));
      front.call(
          new SoapRequest(
              this::address,
              header(exchange, "Content-Type"),
              header(exchange, "Accept"),
              header(exchange, "SOAPAction"),
              exchange.getRequestBody()),
          shop.caller(),
          (status, contentType) -> begin(exchange, status, contentType));
    }
  }

  private void describe(HttpExchange exchange) throws IOException {
    Optional<String> document =
        new SoapDescription(
                shop.publication(),
                shop.publication().contract(),
                address(),
                shop.caller().permission())
            .document(exchange.getRequestURI().getRawQuery());
    OutputStream body =
        begin(exchange, document.isPresent() ? 200 : 404, SoapDescription.CONTENT_TYPE);
    body.write(document.orElse("").getBytes(StandardCharsets.UTF_8));
  }

  private static OutputStream begin(HttpExchange exchange, int status, String contentType)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", contentType);
    exchange.sendResponseHeaders(status, 0);
    return exchange.getResponseBody();
  }

  private static String header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
