package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Heartbeat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboundQueueTest {
  private static final long NOW = 1_000_000_000_000L;

  private final List<Long> ages = new ArrayList<>();
  private OutboundQueue queue;

  /** Whoever looks while the clock is being read sees what a timer could see. */
  private long lookedAtClock() {
    ages.add(queue.stuckNanos(NOW));
    return NOW;
  }

  private static LinkPort port() {
    return new LinkPort() {
      @Override
      public void send(ByteBuffer bytes, SendEnd end) {
        end.sendEnded(null);
      }

      @Override
      public void close(CloseCause cause) {}

      @Override
      public String peer() {
        return "192.0.2.1";
      }
    };
  }

  /** Else a healthy session would be ended as one with a slow link. */
  @Test
  void sendThatHasJustBegunIsNotOld() {
    queue = new OutboundQueue(port(), SessionMeters.NONE, failure -> {}, this::lookedAtClock);
    queue.add(new Heartbeat(1));
    queue.flush();
    queue.finish(new Heartbeat(1), () -> {});

    assertThat(ages).isNotEmpty().containsOnly(0L);
    assertThat(queue.stuckNanos(NOW)).isZero();
  }
}
