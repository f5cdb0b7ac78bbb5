package io.rmigate.gateway.standalone;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.metrics.GatewayMetrics;
import io.rmigate.protocol.AddressLiteral;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** T38: connections without a login are bounded, in all and for each address. */
class ConnectionBoundsTest {
  private static final String YAML =
      """
      insecure: true
      logins:
        anonymous: true
      metrics: open
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      http:
        max-connections: 16
      """;

  /** Of 16. */
  private static final int SHARE_OF_ONE = 12;

  @TempDir Path directory;
  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private Socket connect(String from, int port) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.bind(new InetSocketAddress(AddressLiteral.parse(from).orElseThrow(), 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return socket;
  }

  /** What a request is answered with; empty when the connection has been closed instead. */
  private static String ask(Socket socket, String path, String headers) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
    try {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] begin = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
      return new String(begin, StandardCharsets.US_ASCII);
    } catch (SocketException reset) {
      return "";
    }
  }

  private boolean getsIn(String from, int port) throws IOException {
    return !ask(connect(from, port), "/rmigate/health", "").isEmpty();
  }

  private void fill(String from, int port, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      assertThat(getsIn(from, port)).as("connection %d", i + 1).isTrue();
    }
  }

  @Test
  void whoHoldsAsManyAsHeGetsKeepsNobodyElseOut() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, YAML)) {
      int port = gateway.uri().getPort();
      fill("127.0.0.1", port, SHARE_OF_ONE);

      assertThat(getsIn("127.0.0.1", port)).isFalse();
      assertThat(getsIn("127.0.0.1", port)).isFalse();
      assertThat(getsIn("127.0.0.2", port)).isTrue();
      GatewayMetrics metrics = gateway.bootstrap().metrics();
      assertThat(metrics.refused()).containsEntry("connections", 2L);
      assertThat(metrics.scrape()).contains("rmigate_connections 13.0");
    }
  }

  @Test
  void aConnectionThatEndsMakesRoom() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, YAML)) {
      int port = gateway.uri().getPort();
      fill("127.0.0.1", port, SHARE_OF_ONE);
      for (Socket socket : sockets) {
        socket.close();
      }
      Patience.await()
          .until(() -> gateway.bootstrap().metrics().scrape().contains("rmigate_connections 0.0"));

      fill("127.0.0.1", port, SHARE_OF_ONE);
    }
  }

  @Test
  void aTrustedProxyHasThemAll() throws Exception {
    String yaml = YAML + "services:\n  trusted-proxies: [127.0.0.1]\n";
    try (RunningGateway gateway = RunningGateway.start(directory, yaml)) {
      fill("127.0.0.1", gateway.uri().getPort(), 16);

      assertThat(getsIn("127.0.0.1", gateway.uri().getPort())).isFalse();
    }
  }

  @Test
  void thePortOfOldJdksCountsToo() throws Exception {
    String legacy =
        """
        legacy:
          enabled: true
          listen: 127.0.0.1:0
        """;
    try (RunningGateway gateway = RunningGateway.start(directory, YAML + legacy)) {
      fill("127.0.0.1", gateway.legacyPort(), SHARE_OF_ONE);

      assertThat(getsIn("127.0.0.1", gateway.legacyPort())).isFalse();
      assertThat(getsIn("127.0.0.1", gateway.uri().getPort())).isFalse();
    }
  }

  @Test
  void halfOfTheDescriptorsIsTheMost() {
    assertThat(most(16, 20)).isEqualTo(10);
    assertThat(most(16, 1 << 20)).isEqualTo(16);
  }

  private static int most(int configured, int descriptors) {
    return new OpenConnections(() -> configured, proxy -> false, new GatewayMetrics(), descriptors)
        .most();
  }
}
