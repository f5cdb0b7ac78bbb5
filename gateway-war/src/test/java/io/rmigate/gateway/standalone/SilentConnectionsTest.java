package io.rmigate.gateway.standalone;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.post.ConnectionId;
import io.rmigate.protocol.post.Post;
import io.rmigate.protocol.post.PostRequest;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * THREATS T38: requests that come too slowly, at each port of the stand-alone gateway, with a
 * shorter time than the one as shipped. What else would end them is four minutes and more away.
 */
class SilentConnectionsTest {
  private static final String YAML =
      """
      insecure: true
      http:
        patience: 1s
        min-rate: 1KiB
      session:
        heartbeat: 60s
      logins:
        anonymous: true
      legacy:
        enabled: true
        principal: old
        from: [127.0.0.1]
        patience: 10m
        listen: 127.0.0.1:0
      admin:
        listen: 127.0.0.1:0
        principals: [anonymous]
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      """;

  private static final String HEALTH =
      "GET /rmigate/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ";

  private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length: (\\d+)\r\n");

  @TempDir static Path directory;
  private static RunningGateway gateway;

  private final List<Socket> sockets = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    gateway = RunningGateway.start(directory, YAML);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @AfterEach
  void closeSockets() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private static int port(String name) {
    return switch (name) {
      case "main" -> gateway.uri().getPort();
      case "legacy" -> gateway.legacyPort();
      default -> gateway.adminUri().orElseThrow().getPort();
    };
  }

  private Socket connect(String port, byte[] begin) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(port));
    sockets.add(socket);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.getOutputStream().write(begin);
    return socket;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** All that comes until the connection ends. */
  private static String toTheEnd(Socket socket) throws IOException {
    StringBuilder all = new StringBuilder();
    try {
      for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
        all.append((char) c);
      }
    } catch (SocketException reset) {
      // The gateway has closed before it had read what came.
    }
    return all.toString();
  }

  private static boolean takes(Socket socket) {
    try {
      socket.getOutputStream().write('x');
      return true;
    } catch (IOException ended) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"main", "legacy", "admin"})
  void aConnectionWithoutAByteEnds(String port) throws Exception {
    assertThat(toTheEnd(connect(port, new byte[0]))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"main", "legacy", "admin"})
  void aHeadThatTricklesEnds(String port) throws Exception {
    Socket socket = connect(port, ascii(HEALTH));
    await().until(() -> !takes(socket));
  }

  private static byte[] head(String path, String host, String framing) {
    return ascii(
        "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n%s\r\n\r\n"
            .formatted(path, host, Post.CONTENT_TYPE, framing));
  }

  /** Of an old JDK, whose body has ten minutes otherwise. */
  private static byte[] legacyHead(String framing) {
    return head("/", "rmi.example:1099", framing);
  }

  @Test
  void aBodyThatStopsComingIsAnsweredAndTheConnectionEnds() throws Exception {
    Socket socket = connect("legacy", legacyHead("Content-Length: 1000"));
    socket.getOutputStream().write(ascii("ten bytes."));
    assertThat(toTheEnd(socket)).startsWith("HTTP/1.1 408 ").containsOnlyOnce("HTTP/1.1 ");
  }

  /** A byte comes more often than it must. */
  @Test
  void aBodyThatTricklesEnds() throws Exception {
    Socket socket = connect("legacy", legacyHead("Transfer-Encoding: chunked"));
    OutputStream out = socket.getOutputStream();
    await()
        .until(
            () -> {
              try {
                out.write(ascii("1\r\nx\r\n"));
                return false;
              } catch (IOException ended) {
                return true;
              }
            });
  }

  private static byte[] post(byte[] body) throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.write(head("/rmigate/tunnel", "127.0.0.1", "Content-Length: " + body.length));
    request.write(body);
    return request.toByteArray();
  }

  /** The status line and the body of one answer. */
  private static String answer(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        throw new EOFException(head.toString());
      }
      head.append((char) c);
    }
    Matcher length = LENGTH.matcher(head);
    assertThat(length.find()).as(head.toString()).isTrue();
    byte[] body = in.readNBytes(Integer.parseInt(length.group(1)));
    return head.substring(0, head.indexOf("\r\n")) + new String(body, StandardCharsets.ISO_8859_1);
  }

  private static boolean isOpenAndSilent(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() == 256; // never
    } catch (SocketTimeoutException silent) {
      return true;
    } finally {
      socket.setSoTimeout((int) PATIENCE.toMillis());
    }
  }

  @Test
  void aPostThatWaitsATunnelAndAConnectionThatRestsAreNotSilent() throws Exception {
    ConnectionId connection = ConnectionId.random(new SecureRandom());
    Socket post = connect("main", post(PostRequest.encode(connection, 1, 0, 0, new byte[0], 0, 0)));
    assertThat(answer(post)).startsWith("HTTP/1.1 200 ");
    post.getOutputStream().write(post(PostRequest.encode(connection, 2, 1, 0, new byte[0], 0, 0)));
    Socket tunnel =
        connect(
            "main",
            ascii(
                "GET /rmigate/tunnel HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                    + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: "
                    + Tunnel.SUBPROTOCOL
                    + "\r\n\r\n"));
    while (tunnel.getInputStream().read() != '\n') {
      // The status line.
    }
    Socket resting = connect("main", ascii(HEALTH + "\r\n\r\n"));
    assertThat(answer(resting)).startsWith("HTTP/1.1 200 ");

    for (int i = 0; i < 3; i++) {
      assertThat(toTheEnd(connect("main", new byte[0]))).isEmpty();
    }

    assertThat(isOpenAndSilent(post)).isTrue();
    while (tunnel.getInputStream().available() > 0) {
      tunnel.getInputStream().read(); // the rest of the head
    }
    assertThat(isOpenAndSilent(tunnel)).isTrue();
    resting.getOutputStream().write(post(PostRequest.givingUp(connection)));
    assertThat(answer(resting)).startsWith("HTTP/1.1 200 ");
    assertThat(answer(post)).startsWith("HTTP/1.1 200 ");
  }
}
