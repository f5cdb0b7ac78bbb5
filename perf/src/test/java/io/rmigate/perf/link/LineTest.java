package io.rmigate.perf.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineTest {
  private static final long SECOND = 1_000_000_000L;

  /** 1 000 bytes a second, and half a second of delay. */
  private static final LineShape SHAPE = new LineShape(8_000, Duration.ofMillis(500));

  private final JumpingClock clock = new JumpingClock();
  private final Line line = new Line(SHAPE, 4_000, clock);

  @Test
  void packetTakesItsBytesAtTheRateAndThenTheDelay() throws Exception {
    long begin = clock.nanoTime();
    assertThat(line.accept(250) - begin).isEqualTo(SECOND / 4 + SECOND / 2);
  }

  @Test
  void packetsLeaveOneAfterTheOther() throws Exception {
    long begin = clock.nanoTime();
    assertThat(line.accept(1_000) - begin).isEqualTo(3 * SECOND / 2);
    assertThat(line.accept(1_000) - begin).isEqualTo(5 * SECOND / 2);
    assertThat(line.accept(0) - begin).as("a mark waits, too").isEqualTo(5 * SECOND / 2);
    assertThat(clock.nanoTime()).as("no sender had to wait").isEqualTo(begin);
  }

  @Test
  void idleLineBeginsAtOnce() throws Exception {
    line.accept(1_000);
    clock.sleepUntil(clock.nanoTime() + 10 * SECOND);
    long now = clock.nanoTime();
    assertThat(line.accept(1_000) - now).isEqualTo(3 * SECOND / 2);
  }

  @Test
  void senderWaitsWhileTheBufferIsFull() throws Exception {
    long begin = clock.nanoTime();
    for (int i = 0; i < 4; i++) {
      line.accept(1_000);
    }
    assertThat(clock.nanoTime()).as("they fit").isEqualTo(begin);
    line.accept(1_000);
    assertThat(clock.nanoTime() - begin).as("when one of them has left").isEqualTo(SECOND);
    line.accept(500);
    assertThat(clock.nanoTime() - begin).isEqualTo(3 * SECOND / 2);
  }

  @Test
  void packetsLargerThanTheBufferAreRefused() {
    assertThatThrownBy(() -> line.accept(4_001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4001 bytes for a buffer of 4000");
  }

  @Test
  void rateAndOrderAreKeptWhateverTheSizes() throws Exception {
    Random random = new Random(1);
    long begin = clock.nanoTime();
    long bytes = 0;
    List<Long> arrivals = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      int size = 1 + random.nextInt(1_460);
      bytes += size;
      arrivals.add(line.accept(size));
    }
    assertThat(arrivals).isSorted().doesNotHaveDuplicates();
    assertThat(arrivals.get(999) - begin)
        .isCloseTo(bytes * (SECOND / 1_000) + SECOND / 2, within(1_000L));
    assertThat(arrivals.get(999) - clock.nanoTime())
        .as("no more than the buffer and the delay ahead of the sender")
        .isLessThanOrEqualTo(4 * SECOND + SECOND / 2);
  }
}
