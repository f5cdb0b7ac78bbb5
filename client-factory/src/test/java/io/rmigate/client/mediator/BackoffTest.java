package io.rmigate.client.mediator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pauses between attempts to open a link, on a clock of the test's. */
class BackoffTest {
  private static final long MILLIS = 1_000_000;

  private double random;
  private long now = Long.MAX_VALUE - 5 * MILLIS; // clocks may overflow meanwhile
  private final Backoff backoff = new Backoff(Backoff.LONGEST, () -> random);

  @Test
  void theFirstAttemptDoesNotWait() {
    assertThat(backoff.pauseNanos(now)).isZero();
  }

  @Test
  void pausesDoubleUpToTheLongest() {
    assertThat(pausesAfter(false, 10))
        .containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 6400L, 10_000L, 10_000L, 10_000L);
  }

  @Test
  void aSessionThatEndsSoonIsFollowedByAPauseLikeAFailure() {
    assertThat(pausesAfter(true, 6)).containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L);
  }

  @Test
  void aSessionThatHasLastedIsFollowedByNone() {
    pausesAfter(false, 6);
    backoff.onAttempt(true, now);
    now += Backoff.LASTED.toNanos();
    assertThat(backoff.pauseNanos(now)).isZero();
    assertThat(pausesAfter(false, 2)).containsExactly(100L, 200L); // begins anew
  }

  @Test
  void thePauseCountsFromTheWelcome() {
    pausesAfter(false, 4);
    backoff.onAttempt(true, now);
    now += 1000 * MILLIS;
    assertThat(backoff.pauseNanos(now)).isEqualTo(600 * MILLIS);
  }

  @Test
  void aFailureLongAgoKeepsNobodyWaiting() {
    pausesAfter(false, 10);
    now += 20_000 * MILLIS;
    assertThat(backoff.pauseNanos(now)).isNegative();
  }

  @Test
  void chanceShortensAPauseByHalfAtMost() {
    random = 1;
    backoff.onAttempt(false, now);
    assertThat(backoff.pauseNanos(now)).isEqualTo(50 * MILLIS);
    random = 0.5;
    backoff.onAttempt(false, now);
    assertThat(backoff.pauseNanos(now)).isEqualTo(150 * MILLIS);
  }

  @Test
  void noPauseIsLongerThanTheCallersAllow() {
    Backoff impatient = new Backoff(Duration.ofMillis(150), () -> 0);
    impatient.onAttempt(false, now);
    assertThat(impatient.pauseNanos(now)).isEqualTo(100 * MILLIS);
    impatient.onAttempt(false, now);
    impatient.onAttempt(false, now);
    assertThat(impatient.pauseNanos(now)).isEqualTo(150 * MILLIS);
  }

  @Test
  void pausesFitSeveralTimesIntoTheTimeForWhichLeasesAreKept() {
    backoff.leasesAreKept(Duration.ofSeconds(2));
    assertThat(pausesAfter(true, 5)).containsExactly(100L, 200L, 400L, 500L, 500L);
    backoff.leasesAreKept(Duration.ofMinutes(2)); // by another gateway
    assertThat(pausesAfter(true, 6)).containsExactly(500L, 1000L, 2000L, 4000L, 8000L, 10_000L);
  }

  @Test
  void aGatewayThatKeepsNoLeasesIsNotAskedWithoutAPause() {
    backoff.leasesAreKept(Duration.ZERO);
    assertThat(pausesAfter(false, 3)).containsExactly(100L, 100L, 100L);
  }

  /** In milliseconds, each waited out. */
  private List<Long> pausesAfter(boolean welcomed, int attempts) {
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < attempts; i++) {
      backoff.onAttempt(welcomed, now);
      long pause = backoff.pauseNanos(now);
      pauses.add(pause / MILLIS);
      now += pause;
    }
    return pauses;
  }
}
