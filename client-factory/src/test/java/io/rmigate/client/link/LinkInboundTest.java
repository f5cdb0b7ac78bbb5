package io.rmigate.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.transport.Transport;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is measured while a thread reads its own answers. The daemon is not started. */
@Timeout(180)
class LinkInboundTest {
  private static final byte[] FRAME = frame();

  private final Queue<byte[]> pieces = new ArrayDeque<>();
  private final List<Frame> frames = new ArrayList<>();
  private final List<Integer> measured = new ArrayList<>();
  private final LinkInbound inbound =
      new LinkInbound(
          new Carrier(new Pieces(), false),
          frames::add,
          () -> {},
          failure -> {
            throw new AssertionError(failure);
          },
          "rmigate-reader test");

  @AfterEach
  void stop() {
    inbound.stop();
  }

  @Test
  void theRestOfAFrameThatIsReadOnMeasuresTheLink() {
    inbound.rateWith((bytes, nanos) -> measured.add(bytes));
    pieces.add(Arrays.copyOf(FRAME, 10));
    pieces.add(Arrays.copyOfRange(FRAME, 10, 30));
    pieces.add(Arrays.copyOfRange(FRAME, 30, FRAME.length));
    awaitFrames(1);
    assertThat(measured).containsExactly(20, FRAME.length - 30);
  }

  @Test
  void whatAThreadDoesWithItsAnswerIsNoMeasureOfTheLink() {
    inbound.rateWith((bytes, nanos) -> measured.add(bytes));
    byte[] oneAndABit = Arrays.copyOf(FRAME, FRAME.length + 10);
    System.arraycopy(FRAME, 0, oneAndABit, FRAME.length, 10);
    pieces.add(oneAndABit);
    awaitFrames(1);
    // Here the thread deserializes what it has got.
    pieces.add(Arrays.copyOfRange(FRAME, 10, FRAME.length));
    awaitFrames(2);
    assertThat(measured).isEmpty();
  }

  private void awaitFrames(int count) {
    inbound.await(
        new Waiter() {
          @Override
          boolean satisfied() {
            return frames.size() >= count;
          }
        },
        0);
  }

  private static byte[] frame() {
    FrameOutput out = new FrameOutput(64);
    out.append(new Data(1, false, new byte[100]));
    return out.toByteArray();
  }

  /** Gives one piece at each read. */
  private final class Pieces implements Transport {
    @Override
    public int read(byte[] buffer, int offset, int length) {
      byte[] piece = pieces.remove();
      System.arraycopy(piece, 0, buffer, offset, piece.length);
      return piece.length;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {}

    @Override
    public long bytesReceived() {
      return 0;
    }

    @Override
    public long bytesSent() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
