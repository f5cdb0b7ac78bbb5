package io.rmigate.client.transport.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long requests ask to wait, and how much they carry, after what has become of others. */
class HoldTimeTest {
  private final HoldTime hold = new HoldTime();
  private final BodySize size = new BodySize();

  @Test
  void withoutACutTheGatewayMayChoose() {
    hold.keptFor(Duration.ofSeconds(25).toNanos());
    assertThat(hold.millis()).isEqualTo(HoldTime.AS_THE_GATEWAY_LIKES);
  }

  @Test
  void aCutTeachesToAskForLess() {
    hold.cutAfter(Duration.ofSeconds(15).toNanos());
    assertThat(hold.millis()).isEqualTo(10_000);
    hold.cutAfter(Duration.ofSeconds(20).toNanos());
    assertThat(hold.millis()).isEqualTo(10_000);
    hold.cutAfter(Duration.ofSeconds(6).toNanos());
    assertThat(hold.millis()).isEqualTo(4_000);
  }

  @Test
  void aCutThatCameAtOnceTeachesNothing() {
    hold.cutAfter(Duration.ofMillis(900).toNanos());
    assertThat(hold.millis()).isEqualTo(HoldTime.AS_THE_GATEWAY_LIKES);
  }

  @Test
  void afterManyThatWereNotCutMoreIsAskedFor() {
    hold.cutAfter(Duration.ofSeconds(15).toNanos());
    for (int i = 0; i < 50; i++) {
      hold.keptFor(Duration.ofSeconds(10).toNanos());
      hold.keptFor(Duration.ofSeconds(1).toNanos()); // a call that was answered soon
    }
    assertThat(hold.millis()).isEqualTo(15_000);
    for (int i = 0; i < 150; i++) {
      hold.keptFor(Duration.ofSeconds(40).toNanos());
    }
    assertThat(hold.millis()).isEqualTo(HoldTime.AS_THE_GATEWAY_LIKES);
  }

  @Test
  void requestsGrowWhereLargeOnesAreAnsweredSoon() {
    assertThat(size.bytes()).isEqualTo(16 * 1024);
    size.answered(100, 1);
    assertThat(size.bytes()).isEqualTo(16 * 1024);
    size.answered(16 * 1024, Duration.ofMillis(900).toNanos());
    assertThat(size.bytes()).isEqualTo(32 * 1024);
    size.answered(32 * 1024, 1);
    size.answered(64 * 1024, 1);
    assertThat(size.bytes()).isEqualTo(64 * 1024);
    size.answered(64 * 1024, Duration.ofSeconds(4).toNanos());
    assertThat(size.bytes()).isEqualTo(16 * 1024);
  }
}
