package io.rmigate.gateway.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PacedOutputTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Pace pace = new Pace(Duration.ofSeconds(10), 8192);
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private long now;

  /** How long the client lets the container wait with a piece. */
  private long eachNanos;

  private final OutputStream slow =
      new OutputStream() {
        @Override
        public void write(int b) {
          throw new AssertionError("byte by byte");
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
          sent.write(bytes, offset, count);
          now += eachNanos;
        }

        @Override
        public void flush() {
          now += eachNanos;
        }
      };

  private final PacedOutput out = new PacedOutput(slow, pace, () -> now);

  @Test
  void whoIsSlowIsCutOffInTheMidstOfOneLongWrite() {
    eachNanos = 2 * SECOND;

    assertThatThrownBy(() -> out.write(new byte[1 << 20])).isInstanceOf(PacedOutput.TooSlow.class);

    assertThat(sent.size()).isEqualTo(11 * 8192); // 22 s, of which 10 and 11 were granted
  }

  @Test
  void whoIsFastEnoughGetsItAll() throws IOException {
    eachNanos = SECOND;

    out.write(new byte[1 << 20]);
    out.write(1);
    out.flush();

    assertThat(sent.size()).isEqualTo((1 << 20) + 1);
  }

  @Test
  void timeInWhichNothingIsWrittenDoesNotCount() throws IOException {
    out.write(new byte[100]);
    now += 1000 * SECOND;
    out.write(new byte[100]);
    out.flush();

    assertThat(sent.size()).isEqualTo(200);
  }

  @Test
  void aFlushCountsToo() {
    eachNanos = 11 * SECOND;

    assertThatThrownBy(out::flush).isInstanceOf(PacedOutput.TooSlow.class);
  }
}
