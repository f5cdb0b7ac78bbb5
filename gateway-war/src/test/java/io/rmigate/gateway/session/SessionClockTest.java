package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the clock of a session says, by the shipped settings, on a clock that starts anywhere. */
class SessionClockTest {
  private static final SessionSettings SETTINGS = SessionSettings.DEFAULTS;

  private long now = Long.MAX_VALUE - 1; // as System.nanoTime may
  private final SessionClock clock = new SessionClock(SETTINGS, () -> now);

  private long after(Duration time) {
    return now + time.toNanos();
  }

  @Test
  void aHelloIsLateWhenItsTimeIsOverWhateverElseHasCome() {
    long began = now;
    now += SETTINGS.helloTimeout().toNanos();

    clock.heard();

    assertThat(clock.sinceNanos()).isEqualTo(began);
    assertThat(clock.isHelloLate(now)).isFalse();
    assertThat(clock.isHelloLate(now + 1)).isTrue();
  }

  @Test
  void aLinkIsSilentAfterThreeHeartbeatsWithoutAByte() {
    now += Duration.ofMinutes(1).toNanos();

    clock.heard();

    Duration three = SETTINGS.heartbeat().multipliedBy(3);
    assertThat(clock.isSilent(after(three))).isFalse();
    assertThat(clock.isSilent(after(three) + 1)).isTrue();
  }

  @Test
  void aLinkRestsAfterHalfAHeartbeat() {
    clock.heard();

    Duration half = SETTINGS.heartbeat().dividedBy(2);
    assertThat(clock.isAtRest(after(half))).isFalse();
    assertThat(clock.isAtRest(after(half) + 1)).isTrue();
  }

  @Test
  void theGraceBeginsWithTheLossOfTheLink() {
    now += Duration.ofHours(1).toNanos();

    clock.lost();

    assertThat(clock.lostNanos()).isEqualTo(now);
    assertThat(clock.isGraceOver(after(SETTINGS.grace()))).isFalse();
    assertThat(clock.isGraceOver(after(SETTINGS.grace()) + 1)).isTrue();
  }

  /** Its agent may have had no answer, and then has no session to come back to. */
  @Test
  void theGraceIsShortIfNothingButAHelloInARequestIsHeardOfTheAgent() {
    clock.heard();
    clock.onlyGreeted();
    clock.lost();

    assertThat(clock.isGraceOver(after(SETTINGS.helloTimeout()))).isFalse();
    assertThat(clock.isGraceOver(after(SETTINGS.helloTimeout()) + 1)).isTrue();

    clock.heard();

    assertThat(clock.isGraceOver(after(SETTINGS.helloTimeout()) + 1)).isFalse();
    assertThat(clock.isGraceOver(after(SETTINGS.grace()) + 1)).isTrue();
  }

  @Test
  void lastWordsHaveTheirTimeFromTheEndOn() {
    now += Duration.ofHours(1).toNanos();

    clock.ended();

    assertThat(clock.areLastWordsOver(after(SessionClock.LAST_WORDS))).isFalse();
    assertThat(clock.areLastWordsOver(after(SessionClock.LAST_WORDS) + 1)).isTrue();
  }
}
