package io.rmigate.gateway.edge;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Pauses links where a container cannot be told to leave them unread: the thread that has brought
 * bytes waits, and TCP holds the sender back. Containers have few threads, so the number of waiting
 * ones is bounded, in all and for each principal.
 *
 * <p>Thread-safe.
 */
final class PausedThreads {
  static final Quota QUOTA = Quota.of(32, 4);

  /** The longest pause at a time, so that a stop of the gateway does not wait for long. */
  private static final long LONGEST_NANOS = Duration.ofSeconds(1).toNanos();

  private final Shares<String> resting = new Shares<>();

  /**
   * Waits.
   *
   * @param principal whose link it is
   * @return false, at once, when too many wait
   */
  boolean rest(String principal, long nanos) {
    if (!begin(principal)) {
      return false;
    }
    try {
      long end = System.nanoTime() + Math.min(nanos, LONGEST_NANOS);
      for (long left = end - System.nanoTime();
          left > 0 && !Thread.currentThread().isInterrupted();
          left = end - System.nanoTime()) {
        LockSupport.parkNanos(this, left);
      }
    } finally {
      end(principal);
    }
    return true;
  }

  /** Takes a place, if there is one. */
  boolean begin(String principal) {
    return resting.take(principal, 1, QUOTA);
  }

  /** Gives it back. */
  void end(String principal) {
    resting.release(principal, 1);
  }
}
