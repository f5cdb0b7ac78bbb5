package io.rmigate.gateway.legacy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The states of the session of an old client, in each order of the gateway's frames. */
class LegacyClientTest {

  private static final Welcome WELCOME =
      new Welcome(
          Tunnel.VERSION,
          Set.of(Feature.LEASES),
          SessionToken.NONE,
          0,
          64 * 1024,
          8,
          Duration.ofSeconds(10),
          Welcome.IDENTITY,
          Map.of());

  private final LegacyClient client =
      new LegacyClient(
          () ->
              new LegacySettings(
                  Optional.empty(),
                  Optional.empty(),
                  1024,
                  8,
                  Duration.ofSeconds(1),
                  Duration.ofSeconds(1),
                  Duration.ofSeconds(1)),
          InetAddress.getLoopbackAddress(),
          "127.0.0.1:1");

  private void receive(Frame frame) {
    FrameOutput bytes = new FrameOutput(256);
    bytes.append(frame);
    client.send(ByteBuffer.wrap(bytes.array(), 0, bytes.size()), failure -> {});
  }

  @Test
  void theAnswerToHelloBringsIt() {
    assertTrue(client.begin(frames -> receive(WELCOME)));
    assertTrue(client.enter());
  }

  @Test
  void anAnswerAfterTheEndBringsNothingBack() {
    boolean began =
        client.begin(
            frames -> {
              client.close(CloseCause.LINK_LOST);
              receive(WELCOME);
            });
    assertFalse(began);
    assertFalse(client.enter());
    assertTrue(client.isOver());
  }

  @Test
  void aDrainBeforeTheAnswerCounts() {
    client.begin(
        frames -> {
          if (frames.get(0) instanceof Hello) {
            receive(new Drain(Duration.ofSeconds(1)));
            receive(WELCOME);
          }
        });
    assertFalse(client.enter());
  }
}
