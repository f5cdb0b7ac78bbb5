package io.rmigate.client.mediator;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * When the next link may be opened. Every attempt is followed by a pause, twice as long as the one
 * before up to the longest, and shortened at random by up to half, so that the agents of a gateway
 * do not come back all at once. Whether the attempt succeeded does not matter: only a session that
 * has lasted shows that the gateway wants us, and makes pauses short again.
 *
 * <p>Guarded by {@code AgentLink.opening}. Times are of {@link System#nanoTime}.
 */
final class Backoff {
  static final Duration FIRST = Duration.ofMillis(100);
  static final Duration LONGEST = Duration.ofSeconds(10);

  /** A session that ends sooner after its welcome counts as a failed attempt. */
  static final Duration LASTED = Duration.ofSeconds(5);

  /**
   * The number of pauses within the time for which a gateway keeps the leases of an ended session.
   * The attempts between them take time too.
   */
  private static final int PAUSES_WHILE_LEASES_ARE_KEPT = 4;

  private final long callersNanos;
  private final DoubleSupplier random;

  /** No pause is longer. */
  private long longestNanos;

  private long pauseNanos = FIRST.toNanos();
  private long lastAttemptNanos;
  private long dueNanos;
  private boolean attempted;
  private boolean welcomed;

  /**
   * @param longest for a pause; no more than {@link #LONGEST}
   * @param random from 0 to 1; null: {@link ThreadLocalRandom}
   */
  Backoff(Duration longest, DoubleSupplier random) {
    this.callersNanos = Math.min(longest.toNanos(), LONGEST.toNanos());
    this.longestNanos = callersNanos;
    this.random = random;
  }

  /**
   * What this JVM holds is gone unless it has been declared anew within that time after the end of
   * a session. For all pauses from here on.
   */
  void leasesAreKept(Duration time) {
    longestNanos =
        Math.min(
            callersNanos, Math.max(FIRST.toNanos(), time.toNanos() / PAUSES_WHILE_LEASES_ARE_KEPT));
  }

  /** An attempt has come to its end, or to its session's beginning. */
  void onAttempt(boolean hasSession, long nowNanos) {
    long pause = Math.min(pauseNanos, longestNanos);
    attempted = true;
    welcomed = hasSession;
    lastAttemptNanos = nowNanos;
    dueNanos = nowNanos + (long) (pause * (1 - random() / 2));
    pauseNanos = Math.min(2 * pause, longestNanos);
  }

  private double random() {
    return random == null ? ThreadLocalRandom.current().nextDouble() : random.getAsDouble();
  }

  /** How long to wait for the next attempt, now that one is needed; 0 or less for not at all. */
  long pauseNanos(long nowNanos) {
    if (!attempted) {
      return 0;
    }
    if (welcomed && nowNanos - lastAttemptNanos >= LASTED.toNanos()) {
      pauseNanos = FIRST.toNanos();
      return 0;
    }
    return dueNanos - nowNanos;
  }
}
