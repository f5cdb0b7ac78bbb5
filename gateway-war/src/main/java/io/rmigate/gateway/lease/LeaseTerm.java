package io.rmigate.gateway.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A granted lease, counted from the time of the request, because it cannot have begun earlier.
 *
 * @param fromNanos on the monotonic clock
 * @param fromMillis the time of day at that moment
 */
record LeaseTerm(long fromNanos, long fromMillis, Duration granted) {
  /** A server that grants less is called no more often than for this. */
  private static final Duration SHORTEST = Duration.ofMillis(300);

  /** The longest time between renewals, even of longer leases. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private static final int RENEWED_IN_PARTS = 3;

  /** The term that a server granted, limited to reasonable values. */
  static LeaseTerm of(long fromNanos, long fromMillis, long grantedMillis) {
    long reasonable = Math.max(SHORTEST.toMillis(), Math.min(grantedMillis, LONGEST.toMillis()));
    return new LeaseTerm(fromNanos, fromMillis, Duration.ofMillis(reasonable));
  }

  long renewAtNanos() {
    return fromNanos + granted.toNanos() / RENEWED_IN_PARTS;
  }

  /**
   * Whether it may be over. The monotonic clock does not count the time in which the machine was
   * suspended, the other one may jump: the later one counts, because a renewal too early does no
   * harm.
   */
  boolean mayBeOver(LeaseClock clock) {
    return clock.nanoTime() - fromNanos >= granted.toNanos()
        || clock.wallMillis() - fromMillis >= granted.toMillis();
  }

  /** Whether a renewal is due by either clock, even if its alarm has not come. */
  boolean isOverdue(LeaseClock clock) {
    return clock.nanoTime() - renewAtNanos() >= 0
        || TimeUnit.MILLISECONDS.toNanos(clock.wallMillis() - fromMillis)
            >= granted.toNanos() / RENEWED_IN_PARTS;
  }
}
