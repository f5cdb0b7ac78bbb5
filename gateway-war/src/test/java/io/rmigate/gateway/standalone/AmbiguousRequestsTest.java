package io.rmigate.gateway.standalone;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a proxy in front could read in another way than the gateway (THREATS T37) is answered with
 * 400, and the connection ends with it: the bytes behind it are never read as a request.
 */
class AmbiguousRequestsTest {
  private static final String YAML =
      """
      insecure: true
      logins:
        anonymous: true
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      """;

  private static final String HOST = "Host: gw.example\r\n";

  /** Stands behind each of them, and would be answered with 200. */
  private static final String SMUGGLED =
      "GET /rmigate/health HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";

  @TempDir static Path directory;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    gateway = RunningGateway.start(directory, YAML);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static Arguments get(String name, String headers) {
    return Arguments.of(name, "GET /rmigate/health HTTP/1.1\r\n" + headers + "\r\n");
  }

  private static Arguments post(String name, String headers, String body) {
    return Arguments.of(name, "POST /rmigate/tunnel HTTP/1.1\r\n" + HOST + headers + "\r\n" + body);
  }

  private static Arguments length(String value) {
    return post("length " + value, "Content-Length: " + value + "\r\n", "x");
  }

  private static Arguments coding(String value) {
    return post("coding " + value, "Transfer-Encoding: " + value + "\r\n", "0\r\n\r\n");
  }

  private static Arguments old(String name, String headers) {
    return Arguments.of(
        name,
        "POST /rmigate/tunnel HTTP/1.0\r\n"
            + HOST
            + "Connection: keep-alive\r\n"
            + headers
            + "\r\n0\r\n\r\n");
  }

  static Stream<Arguments> heads() {
    return Stream.of(
        post("length, coding", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        post("coding, length", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "0\r\n\r\n"),
        post("two lengths", "Content-Length: 0\r\nContent-Length: 9\r\n", "x"),
        post("one length twice", "Content-Length: 1\r\nContent-Length: 1\r\n", "x"),
        length("1, 1"),
        length("-1"),
        length("+1"),
        length("1x"),
        length("0x1"),
        length("1.0"),
        length("1 1"),
        length("99999999999999999999"),
        length(""),
        coding("gzip, chunked"),
        coding("x-gzip,chunked"),
        coding("chunked, gzip"),
        coding("gzip"),
        coding("chunked,"),
        coding("identity"),
        coding("chunked, identity"),
        coding("chunked, chunked"),
        coding("xchunked"),
        coding("chunked;q=1"),
        coding("\u000bchunked"),
        coding("\"chunked\""),
        coding(""),
        post(
            "two codings",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
            "0\r\n\r\n"),
        post(
            "two codings, the last one chunked",
            "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
            "0\r\n\r\n"),
        old("coding in HTTP/1.0", "Transfer-Encoding: chunked\r\n"),
        old("coding and length in HTTP/1.0", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
        Arguments.of(
            "coding where there is no application",
            "POST /elsewhere HTTP/1.1\r\n"
                + HOST
                + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        post("folded coding", "Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"),
        post("space before colon", "Content-Length : 1\r\n", "x"),
        get("folded field", HOST + "X: a\r\n b\r\n"),
        get("folded first field", " X: a\r\n" + HOST),
        Arguments.of("bare LF", "GET /rmigate/health HTTP/1.1\nHost: gw.example\n\n"),
        get("bare LF behind a field", "Host: gw.example\nX: a\r\n"),
        get("bare LF at the end", HOST + "\n"),
        get("bare CR", HOST + "X: a\rContent-Length: 9\r\n"),
        get("NUL", HOST + "X: a\u0000b\r\n"),
        get("no colon", HOST + "X\r\n"),
        get("no name", HOST + ": a\r\n"),
        get("odd name", HOST + "X(Y: a\r\n"),
        get("no host", ""),
        get("two hosts", HOST + HOST),
        get("two different hosts", HOST + "Host: other\r\n"),
        get("host with a user", "Host: a@b\r\n"),
        get("host with a path", "Host: a/b\r\n"),
        Arguments.of(
            "another authority", "GET http://other/rmigate/health HTTP/1.1\r\n" + HOST + "\r\n"),
        Arguments.of("space in the target", "GET /rmigate/he alth HTTP/1.1\r\n" + HOST + "\r\n"),
        Arguments.of("control in the target", "GET /\u0001 HTTP/1.1\r\n" + HOST + "\r\n"),
        Arguments.of(
            "control in the method", "G\u0001T /rmigate/health HTTP/1.1\r\n" + HOST + "\r\n"));
  }

  private static Arguments chunks(String name, String body) {
    return post(name, "Transfer-Encoding: chunked\r\n", body);
  }

  static Stream<Arguments> bodies() {
    return Stream.of(
        chunks("no hex", "zz\r\n\r\n0\r\n\r\n"),
        chunks("negative", "-1\r\n\r\n0\r\n\r\n"),
        chunks("0x", "0x1\r\nx\r\n0\r\n\r\n"),
        chunks("beyond 64 bits", "fffffffffffffffff1\r\nx\r\n0\r\n\r\n"),
        chunks("no size", "\r\nx\r\n0\r\n\r\n"),
        chunks("space before the size", " 1\r\nx\r\n0\r\n\r\n"),
        chunks("space behind the size", "1 \r\nx\r\n0\r\n\r\n"),
        chunks("LF behind the size", "1\nx\r\n0\r\n\r\n"),
        chunks("LF behind the data", "1\r\nx\n0\r\n\r\n"),
        chunks("LF at the end", "1\r\nx\r\n0\n\n"),
        chunks("too much data", "1\r\nxyz\r\n0\r\n\r\n"),
        chunks("extension with a quoted line end", "1;a=\"\r\nx\r\n0\r\n\r\n"),
        chunks("extension that ends with LF", "1;a\nx\r\n0\r\n\r\n"),
        chunks("extension with CR", "1;a\rb\r\nx\r\n0\r\n\r\n"),
        chunks("space in the name of a trailer", "1\r\nx\r\n0\r\nContent-Length : 7\r\n\r\n"),
        chunks("folded trailer", "1\r\nx\r\n0\r\nX: a\r\n b\r\n\r\n"));
  }

  /** All that is answered until the connection ends. */
  private static String answer(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.uri().getPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write((request + SMUGGLED).getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder all = new StringBuilder();
      try {
        for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
          all.append((char) c);
        }
      } catch (SocketException reset) {
        // It has closed before it had read what stands behind.
      }
      return all.toString();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("heads")
  void anOddHeadIsTheLastOnItsConnection(String name, String request) throws Exception {
    assertThat(answer(request)).startsWith("HTTP/1.1 400 ").containsOnlyOnce("HTTP/1.1 ");
  }

  /** Who asks may be refused before the body has been looked at. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void anOddBodyIsTheLastOnItsConnection(String name, String request) throws Exception {
    assertThat(answer(request)).startsWith("HTTP/1.1 4").containsOnlyOnce("HTTP/1.1 ");
  }

  @Test
  void whatIsWellFormedIsFollowedByMore() throws Exception {
    String honest = "GET /rmigate/health HTTP/1.1\r\n" + HOST + "\r\n";
    assertThat(answer(honest).split("HTTP/1.1 200 ", -1)).hasSize(3);
    assertThat(answer(SMUGGLED.replace("/rmigate/", "/nowhere/"))).containsOnlyOnce("HTTP/1.1 ");
  }
}
