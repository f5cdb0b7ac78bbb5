package io.rmigate.gateway.lease;

import java.time.Duration;

/**
 * How long calls of one kind wait after failures: twice as long after each. Dirties and cleans have
 * one each, so that a clean that fails puts off no dirty. Guarded by the session's lock.
 */
final class RetryPause {
  private static final Duration FIRST = Duration.ofMillis(100);

  /** After no number of failures longer. */
  static final Duration LONGEST = Duration.ofSeconds(30);

  private int failures;
  private long untilNanos;

  RetryPause(long nowNanos) {
    untilNanos = nowNanos;
  }

  /** A call failed. */
  void failed(long nowNanos, Duration longest) {
    long doubled = FIRST.toNanos() << Math.min(failures, 20);
    failures++;
    untilNanos = nowNanos + Math.min(doubled, longest.toNanos());
  }

  /** A call went well. */
  void succeeded(long nowNanos) {
    failures = 0;
    untilNanos = nowNanos;
  }

  /** Something has happened that makes another attempt worth while now. */
  void cutShort(long nowNanos) {
    untilNanos = nowNanos;
  }

  boolean isOver(long nowNanos) {
    return nowNanos - untilNanos >= 0;
  }

  long untilNanos() {
    return untilNanos;
  }

  /** Failures since the last call that went well. */
  int failures() {
    return failures;
  }
}
