package io.rmigate.client.socks;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.testing.NamedThreads;
import io.rmigate.testing.RefusingPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sockets that the door leads past a gateway that is not there. */
class SocksDoorPastGatewayTest {
  private final ProxySelector before = ProxySelector.getDefault();
  private ServerSocket echo;
  private Thread echoing;
  private Rmigate rmigate;

  @BeforeEach
  void open() throws IOException {
    echo = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    echoing = new Thread(this::echoOnce, "echo");
    echoing.start();
    rmigate =
        Rmigate.builder()
            .gateway(URI.create("http://127.0.0.1:1/none"))
            .set(ConfigKey.SOCKETS, "localhost:*")
            .set(ConfigKey.WAY, "direct")
            .build();
    rmigate.openDoor();
  }

  @AfterEach
  void close() throws Exception {
    rmigate.close();
    echo.close();
    echoing.join(PATIENCE.toMillis());
    assertThat(ProxySelector.getDefault()).isSameAs(before);
    NamedThreads.awaitEnd("rmigate-");
  }

  private void echoOnce() {
    try (Socket socket = echo.accept()) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException over) {
      // by either side
    }
  }

  @Test
  void bytesPassBothWaysAndSoDoTheEndsOfEither() throws Exception {
    byte[] sent = new byte[1 << 20];
    new Random(3).nextBytes(sent);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), echo.getLocalPort())) {
      CompletableFuture<byte[]> received =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return socket.getInputStream().readAllBytes();
                } catch (IOException failed) {
                  throw new AssertionError(failed);
                }
              },
              task -> new Thread(task, "reading").start());
      socket.getOutputStream().write(sent);
      socket.shutdownOutput();

      assertThat(received.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(sent);
    }
    assertThat(rmigate.ways())
        .containsExactly("socket localhost:" + echo.getLocalPort() + ": direct: it answers");
  }

  @Test
  void aServerThatIsNotThereFailsTheConnect() throws Exception {
    try (RefusingPort refusing = new RefusingPort()) {
      assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), refusing.number()))
          .isInstanceOf(SocketException.class);
    }
  }
}
