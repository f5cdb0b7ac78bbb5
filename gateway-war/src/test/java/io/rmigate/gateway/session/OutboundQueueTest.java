package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboundQueueTest {
  private static final long NOW = 1_000_000_000_000L;

  private final List<Long> ages = new ArrayList<>();
  private final List<WeakReference<byte[]>> buffers = new ArrayList<>();
  private OutboundQueue queue;

  /** A look at the queue while its clock is read, as a timer could do. */
  private long lookedAtClock() {
    ages.add(queue.stuckNanos(NOW));
    return NOW;
  }

  private LinkPort port() {
    return new LinkPort() {
      @Override
      @SuppressWarnings("ByteBufferBackingArray") // it wraps the whole buffer
      public void send(ByteBuffer bytes, SendEnd end) {
        buffers.add(new WeakReference<>(bytes.array()));
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

  /** Two, which take turns. */
  private void useBuffers() {
    queue = new OutboundQueue(port(), SessionMeters.NONE, failure -> {}, this::lookedAtClock);
    for (int i = 0; i < 2; i++) {
      queue.add(new Heartbeat(i));
      queue.flush();
    }
  }

  private void awaitBuffersGivenBack(int count) {
    assertThat(buffers).hasSize(count);
    awaitThat(
        () -> {
          System.gc();
          return buffers.stream().allMatch(buffer -> buffer.get() == null);
        });
    queue.add(new Heartbeat(3));
    queue.flush();
    assertThat(buffers).hasSize(count);
  }

  @Test
  void stoppedQueueKeepsNoBuffers() {
    useBuffers();
    queue.stop();

    awaitBuffersGivenBack(2);
  }

  @Test
  void finishedQueueKeepsNoBuffers() {
    useBuffers();
    queue.finish(new Goodbye(CloseCause.DONE, ""), () -> {});

    awaitBuffersGivenBack(3);
  }
}
