package io.rmigate.gateway.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How fast an agent may ask for ports. */
class ListenRateTest {
  private final ListenRate pace = new ListenRate(0);

  @Test
  void afterAFewRefusalsOnlyAFewASecondAreLookedAt() {
    for (int i = 0; i < ListenRate.REFUSALS; i++) {
      assertThat(pace.mayAsk(0)).isTrue();
      pace.onRefused(0);
    }
    assertThat(pace.mayAsk(0)).isFalse();
    int looked = 0;
    for (long now = 0; now < TimeUnit.SECONDS.toNanos(10); now += 1_000_000) {
      if (pace.mayAsk(now)) {
        pace.onRefused(now);
        looked++;
      }
    }
    assertThat(looked).isBetween(38, 41);
  }

  @Test
  void portsGivenBackToBeAskedForAgainCountToo() {
    for (int i = 0; i < ListenRate.CYCLES; i++) {
      assertThat(pace.mayAsk(0)).isTrue();
      pace.onGivenBack(0);
    }
    assertThat(pace.mayAsk(0)).isFalse();
    assertThat(pace.mayAsk(TimeUnit.MINUTES.toNanos(1))).isTrue();
  }
}
