package io.rmigate.client.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IdlePeriodTest {
  private static final long MILLIS = 1_000_000;

  private final IdlePeriod rest = new IdlePeriod();
  private final long used = Long.MAX_VALUE - MILLIS; // clocks may overflow meanwhile

  private boolean isPinged(Duration roundTrip, long restedMillis) {
    rest.isToBePinged(Optional.empty(), used);
    rest.end();
    rest.begin(used);
    return rest.isToBePinged(Optional.of(roundTrip), after(restedMillis));
  }

  private long after(long millis) {
    return used + millis * MILLIS;
  }

  @Test
  void aConnectionIsPingedWhenItHasRestedForTwoRoundTrips() {
    assertThat(isPinged(Duration.ofMillis(300), 599)).isFalse();
    assertThat(isPinged(Duration.ofMillis(300), 600)).isTrue();
  }

  @Test
  void onAFastNetworkItIsAlwaysPinged() {
    assertThat(isPinged(Duration.ofNanos(999_999), 0)).isTrue();
  }

  @Test
  void oneThatHasNeverBeenPingedIsAfterFiveMilliseconds() {
    rest.end();
    rest.begin(used);
    Optional<Duration> slow = Optional.of(Duration.ofSeconds(1));
    assertThat(rest.isToBePinged(slow, after(4))).isFalse();
    assertThat(rest.isToBePinged(slow, after(5))).isTrue();
  }

  @Test
  void oneThatHasCarriedNoCallIsPinged() {
    rest.begin(used); // its handshake has been answered
    assertThat(rest.isToBePinged(Optional.of(Duration.ofSeconds(1)), used)).isTrue();
  }

  @Test
  void whereNothingIsKnownOfTheLinkItIsPinged() {
    rest.isToBePinged(Optional.empty(), used);
    rest.end();
    rest.begin(used);
    assertThat(rest.isToBePinged(Optional.empty(), used)).isTrue();
  }
}
