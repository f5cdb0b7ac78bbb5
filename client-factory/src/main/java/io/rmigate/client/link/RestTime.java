package io.rmigate.client.link;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long a link may rest before it sends a heartbeat. The gateway says how long; what stands
 * between may cut idle connections earlier. Each cut teaches that, and the link rests for less from
 * then on; after many rests that were not cut it rests longer again, as the cut may have been an
 * accident, or the network is another one by now. The more often it was taught, the more of them
 * that takes. Thread-safe.
 */
final class RestTime {
  /** The end of a connection that has rested for less has another cause than the rest. */
  private static final Duration EARLIEST_CUT = Duration.ofSeconds(5);

  /**
   * More rests in a row without a cut lead to a longer one; each further cut doubles the number.
   */
  private static final int ENOUGH = 50;

  private final long earliestCutNanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** The longest rest that cuts have taught; {@link Long#MAX_VALUE} before the first cut. */
  private long learntNanos = Long.MAX_VALUE;

  private int kept;
  private int enough = ENOUGH;

  RestTime() {
    this(EARLIEST_CUT);
  }

  /** Rest times with cuts that may come sooner. */
  RestTime(Duration earliestCut) {
    earliestCutNanos = earliestCut.toNanos();
  }

  /** The longest rest, if the gateway wants one no longer than {@code heartbeat}. */
  Duration within(Duration heartbeat) {
    lock.lock();
    try {
      return Duration.ofNanos(Math.min(learntNanos, heartbeat.toNanos()));
    } finally {
      lock.unlock();
    }
  }

  /** A connection has ended without a word after such a rest. */
  void cutAfter(long nanos) {
    if (nanos < earliestCutNanos) {
      return;
    }
    lock.lock();
    try {
      if (learntNanos < Long.MAX_VALUE && enough < Integer.MAX_VALUE / 2) {
        enough *= 2;
      }
      learntNanos = Math.min(learntNanos, nanos / 3 * 2);
      kept = 0;
    } finally {
      lock.unlock();
    }
  }

  /** A heartbeat was sent behind a rest. */
  void kept() {
    lock.lock();
    try {
      if (learntNanos < Long.MAX_VALUE / 2) {
        kept++;
        if (kept > enough) {
          kept = 0;
          learntNanos += learntNanos / 2;
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
