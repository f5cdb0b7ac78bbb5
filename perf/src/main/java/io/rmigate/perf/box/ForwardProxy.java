package io.rmigate.perf.box;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * An HTTP proxy: CONNECT to any port, requests with a whole URL, and Basic if it has a login. It
 * connects to loopback for any host, because all programs of a scenario listen there.
 *
 * <p>A kept connection serves one host and port.
 */
public final class ForwardProxy implements Closeable {
  private static final int CONNECT_MILLIS = 5_000;

  private final Listener listener;
  private final Optional<String> authorization;

  /**
   * @param at with port 0 for any free one
   * @param login {@code user:password}; empty: none is needed
   */
  public ForwardProxy(InetSocketAddress at, Optional<String> login) throws IOException {
    authorization =
        login.map(
            text ->
                "Basic "
                    + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    listener = new Listener("http proxy", at, this::serve);
  }

  /** Runs a proxy without a login in a JVM of its own; prints {@code proxy ready PORT}. */
  public static void main(String[] args) throws Exception {
    ForwardProxy proxy = new ForwardProxy(loopback(0), Optional.empty());
    System.out.println("proxy ready " + proxy.port());
    new CountDownLatch(1).await();
  }

  /** Where it listens. */
  public int port() {
    return listener.port();
  }

  private void serve(Listener.Connection connection) throws IOException {
    Socket client = connection.client();
    InputStream in = new BufferedInputStream(client.getInputStream());
    Forwarding forwarding = null;
    try {
      for (Optional<HttpHead> head = HttpHead.read(in);
          head.isPresent();
          head = HttpHead.read(in)) {
        HttpHead request = head.get();
        if (!isPermitted(request)) {
          HttpBody.ofRequest(request, in);
          say(client, "407 Proxy Authentication Required", "Proxy-Authenticate: Basic realm=box");
        } else if (request.method().equals("CONNECT")) {
          tunnel(connection, request.target());
          return;
        } else {
          URI uri = URI.create(request.target());
          if (uri.getHost() == null) {
            say(client, "400 Bad Request", "Connection: close");
            return;
          }
          if (forwarding == null) {
            forwarding = new Forwarding(connection, port(uri));
          }
          forwarding.pass(request, uri, HttpBody.ofRequest(request, in));
        }
      }
    } finally {
      if (forwarding != null) {
        forwarding.end();
      }
    }
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static int port(URI uri) {
    return uri.getPort() < 0 ? 80 : uri.getPort();
  }

  private boolean isPermitted(HttpHead request) {
    return authorization.isEmpty() || request.field("proxy-authorization").equals(authorization);
  }

  private static void say(Socket client, String status, String field) throws IOException {
    client
        .getOutputStream()
        .write(
            ("HTTP/1.1 " + status + "\r\n" + field + "\r\nContent-Length: 0\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void tunnel(Listener.Connection connection, String target) throws IOException {
    Socket client = connection.client();
    int port = Integer.parseInt(target.substring(target.lastIndexOf(':') + 1));
    Socket inner;
    try {
      inner = connection.connect(loopback(port), CONNECT_MILLIS);
    } catch (IOException unreachable) {
      say(client, "502 Bad Gateway", "Connection: close");
      return;
    }
    try {
      client
          .getOutputStream()
          .write(
              "HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
      new Splice(client, inner, Duration.ZERO).run();
    } finally {
      connection.forget(inner);
    }
  }

  /** Requests of one client to one server. */
  private static final class Forwarding {
    private final Listener.Connection connection;
    private final Socket inner;
    private final HttpExchange exchange;

    Forwarding(Listener.Connection connection, int port) throws IOException {
      this.connection = connection;
      inner = connection.connect(loopback(port), CONNECT_MILLIS);
      exchange = new HttpExchange(inner);
    }

    void pass(HttpHead request, URI uri, byte[] body) throws IOException {
      String path = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
      exchange.pass(
          request,
          request.method() + " " + path + " HTTP/1.1",
          body,
          connection.client().getOutputStream(),
          Optional.empty());
    }

    void end() {
      connection.forget(inner);
    }
  }

  @Override
  public void close() {
    listener.close();
  }
}
