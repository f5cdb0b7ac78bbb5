package io.rmigate.gateway.edge;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The filter in a container that takes these requests, before a servlet that counts them. */
class FramingFilterTest {
  private static final AtomicInteger SERVED = new AtomicInteger();

  private static Server server;
  private static ServerConnector connector;

  private static final class Counting extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      request.getInputStream().readAllBytes();
      SERVED.incrementAndGet();
    }
  }

  @BeforeAll
  static void start() throws Exception {
    server = new Server();
    connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    context.addServlet(new ServletHolder(new Counting()), "/*");
    context.addFilter(
        new FilterHolder(new FramingFilter()), "/*", EnumSet.of(DispatcherType.REQUEST));
    server.setHandler(context);
    server.start();
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
  }

  /** The answers to a request, and to the next one on its connection. */
  private static String answers(String request) throws IOException {
    SERVED.set(0);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      String next = "GET / HTTP/1.1\r\nHost: gw.example\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write((request + next).getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static String post(String version, String fields) {
    return "POST / HTTP/%s\r\nHost: gw.example\r\nConnection: keep-alive\r\n%s\r\n0\r\n\r\n"
        .formatted(version, fields);
  }

  @ParameterizedTest
  @CsvSource({
    "1.1, 'gzip, chunked'",
    "1.0, chunked",
    "1.0, CHUNKED",
    "1.0, 'gzip, chunked'",
  })
  void ambiguousFramingIsTheLastRequestOfItsConnection(String version, String coding)
      throws IOException {
    assertThat(answers(post(version, "Transfer-Encoding: " + coding + "\r\n")))
        .startsWith("HTTP/1.1 400 ")
        .containsOnlyOnce("HTTP/1.1 ");
    assertThat(SERVED).hasValue(0);
  }

  @Test
  void severalFieldsAreAmbiguous() throws IOException {
    String two = "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";
    assertThat(answers(post("1.1", two))).startsWith("HTTP/1.1 400 ");
    assertThat(SERVED).hasValue(0);
  }

  @ParameterizedTest
  @CsvSource({
    "1.1, Transfer-Encoding: chunked",
    "1.1, Transfer-Encoding: Chunked",
    "1.1, Content-Length: 5",
    "1.0, Content-Length: 5",
  })
  void clearFramingPassesAndSoDoesTheNextRequest(String version, String field) throws IOException {
    assertThat(answers(post(version, field + "\r\n")).split("HTTP/1.1 200 ", -1)).hasSize(3);
    assertThat(SERVED).hasValue(2);
  }
}
