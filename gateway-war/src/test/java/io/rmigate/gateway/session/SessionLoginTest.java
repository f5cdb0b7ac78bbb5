package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Until when a session's login holds, and what the next one changes. */
class SessionLoginTest {
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");
  private static final long SINCE_NANOS = Long.MAX_VALUE - 1;
  private static final Duration HOUR = Duration.ofHours(1);

  private static SessionLogin until(Optional<Instant> end) {
    return new SessionLogin(new Principal("ann", Principal.Scheme.BEARER, end), SINCE, SINCE_NANOS);
  }

  private static SessionLogin endingIn(Duration time) {
    return until(Optional.of(SINCE.plus(time)));
  }

  private static long at(Duration time) {
    return SINCE_NANOS + time.toNanos();
  }

  @Test
  void itIsOverAfterWhatItsProofSays() {
    SessionLogin login = endingIn(HOUR);

    assertThat(login.isOver(at(HOUR))).isFalse();
    assertThat(login.isOver(at(HOUR) + 1)).isTrue();
  }

  @Test
  void whatNeverExpiresOrInThousandsOfYearsIsNotOver() {
    assertThat(until(Optional.empty()).isOver(at(Duration.ofDays(3000)))).isFalse();
    assertThat(until(Optional.of(Instant.MAX)).isOver(at(Duration.ofDays(3000)))).isFalse();
  }

  @Test
  void aLoginThatIsFoundNotToHoldIsOverAtOnce() {
    SessionLogin login = endingIn(HOUR);

    assertThat(login.revoke(login.proven(), at(Duration.ZERO))).isTrue();

    assertThat(login.isOver(at(Duration.ZERO))).isTrue();
  }

  @Test
  void whatIsFoundOfAnEarlierLoginSaysNothingOfTheLatest() {
    SessionLogin login = endingIn(HOUR);
    Principal earlier = login.proven();
    login.renew(endingIn(HOUR.multipliedBy(2)));

    assertThat(login.revoke(earlier, at(Duration.ZERO))).isFalse();

    assertThat(login.isOver(at(HOUR) + 1)).isFalse();
  }

  @Test
  void aLoginThatIsOverAnywayIsNotEndedAgain() {
    SessionLogin login = endingIn(HOUR);

    assertThat(login.revoke(login.proven(), at(HOUR) + 1)).isFalse();
  }

  @Test
  void aNewLoginLetsRequestsThroughAgain() {
    SessionLogin login = endingIn(HOUR);
    assertThat(login.expireIfOver(at(HOUR))).isFalse();
    assertThat(login.expireIfOver(at(HOUR) + 1)).isTrue();
    assertThat(login.hasExpired()).isTrue();

    login.renew(endingIn(HOUR.multipliedBy(2)));

    assertThat(login.hasExpired()).isFalse();
  }
}
