package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.testing.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

  /** Else it would stay expired, and the agent that has just come back would be sent away. */
  @Test
  void whatIsBeingRenewedDoesNotExpireMeanwhile() throws Exception {
    SessionLogin login = endingIn(HOUR);
    CompletableFuture<Boolean> expired = new CompletableFuture<>();
    Thread timer = new Thread(() -> expired.complete(login.expireIfOver(at(HOUR) + 1)));

    synchronized (login) { // as while it is renewed
      timer.start();
      Patience.await().until(() -> timer.getState() == Thread.State.BLOCKED || expired.isDone());
      login.renew(endingIn(HOUR.multipliedBy(2)));
    }

    assertThat(expired.get()).isFalse();
    assertThat(login.hasExpired()).isFalse();
  }

  /** And the other way round: it is not renewed between the look at it and its end. */
  @Test
  void whatExpiresIsRenewedBeforeOrAfterThat() throws Exception {
    SessionLogin login = endingIn(HOUR);
    CompletableFuture<Void> renewed = new CompletableFuture<>();
    Thread agent =
        new Thread(
            () -> {
              login.renew(endingIn(HOUR.multipliedBy(2)));
              renewed.complete(null);
            });

    synchronized (login) { // as while it expires
      agent.start();
      Patience.await().until(() -> agent.getState() == Thread.State.BLOCKED || renewed.isDone());
      assertThat(login.expireIfOver(at(HOUR) + 1)).isTrue();
    }

    renewed.get();
    assertThat(login.hasExpired()).isFalse();
  }
}
