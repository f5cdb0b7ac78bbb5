package io.rmigate.gateway.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The log is no place for others to write into as they like. */
class RareLinesTest {
  private final AtomicLong now = new AtomicLong();
  private final RareLines lines = new RareLines(now::get);

  @Test
  void oneLineAMinuteAboutTheSame() {
    assertThat(lines.mayWrite("a")).isTrue();
    assertThat(lines.mayWrite("a")).isFalse();
    assertThat(lines.mayWrite("b")).isTrue();
    now.set(Duration.ofMinutes(1).toNanos());
    assertThat(lines.mayWrite("a")).isTrue();
    assertThat(lines.mayWrite("a")).isFalse();
  }

  @Test
  void aHundredLinesAMinuteAboutAnything() {
    assertThat(IntStream.range(0, 1000).filter(lines::mayWrite)).hasSize(100);
    now.set(Duration.ofMinutes(1).toNanos());
    assertThat(IntStream.range(0, 1000).filter(lines::mayWrite)).hasSize(100);
  }
}
