package io.rmigate.gateway.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeftoverCheck.class)
class CountingRelayTest {
  private ServerSocket server;
  private CountingRelay relay;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    relay = CountingRelay.to(server.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    relay.close();
    server.close();
  }

  @Test
  void bytesAndRoundTripsAreCountedByDirection() throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        Socket accepted = server.accept()) {
      pass(client, accepted, "ask");
      pass(accepted, client, "answer");
      CountingRelay.Counts first = relay.counts();
      assertThat(first).isEqualTo(new CountingRelay.Counts(3, 6, 1, 1, 1));

      pass(client, accepted, "one");
      pass(client, accepted, "way");
      assertThat(relay.counts().since(first)).isEqualTo(new CountingRelay.Counts(6, 0, 0, 1, 0));

      pass(accepted, client, "!");
      assertThat(relay.counts().since(first)).isEqualTo(new CountingRelay.Counts(6, 1, 1, 1, 0));
      assertThat(relay.passages()).hasToString("[» 3, « 6, » 6, « 1]");
    }
  }

  @Test
  void anEndIsPassedOnAndTheOtherDirectionStays() throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        Socket accepted = server.accept()) {
      client.shutdownOutput();
      assertThat(accepted.getInputStream().read()).isEqualTo(-1);
      pass(accepted, client, "still here");
    }
  }

  @Test
  void aCutEndsWhatThereIsAndLetsNewConnectionsIn() throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        Socket accepted = server.accept()) {
      pass(client, accepted, "x");
      relay.cut();
      assertThat(accepted.getInputStream().read()).isEqualTo(-1);
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        Socket accepted = server.accept()) {
      pass(client, accepted, "again");
      assertThat(relay.counts().connections()).isEqualTo(2);
    }
  }

  @Test
  void nothingPassesOnMutedConnectionsNotEvenTheirEnd() throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        Socket accepted = server.accept()) {
      pass(client, accepted, "x");
      relay.mute();
      CountingRelay.Counts before = relay.counts();
      client.getOutputStream().write('y');
      client.shutdownOutput();
      accepted.setSoTimeout(300);
      assertThatThrownBy(() -> accepted.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(relay.counts()).isEqualTo(before);
    }
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        Socket accepted = server.accept()) {
      pass(client, accepted, "again");
    }
  }

  private static void pass(Socket from, Socket to, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    from.getOutputStream().write(bytes);
    assertThat(to.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
  }
}
