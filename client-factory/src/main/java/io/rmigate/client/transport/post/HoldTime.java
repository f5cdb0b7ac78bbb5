package io.rmigate.client.transport.post;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long a request may wait at the gateway for something to answer it with. What stands between
 * may wait less: each cut teaches that, since the next requests ask for less. After many that were
 * not cut they ask for more again, as the cut may have been an accident. Thread-safe.
 */
final class HoldTime {
  static final int AS_THE_GATEWAY_LIKES = 0;

  /** A cut before this time has another cause than the waiting. */
  private static final Duration EARLIEST_CUT = Duration.ofSeconds(1);

  private static final Duration SHORTEST = Duration.ofMillis(500);

  /** A network that allows this wait has no short time-out. */
  private static final Duration LONG = Duration.ofSeconds(45);

  /** How many waits in a row without a cut lead to a longer one. */
  private static final int ENOUGH = 50;

  private final ReentrantLock lock = new ReentrantLock();
  private long millis = AS_THE_GATEWAY_LIKES;
  private int kept;

  /** As a request says it. */
  long millis() {
    lock.lock();
    try {
      return millis;
    } finally {
      lock.unlock();
    }
  }

  /** A request was cut after it had waited for {@code nanos}. */
  void cutAfter(long nanos) {
    long waited = nanos / 1_000_000;
    if (waited < EARLIEST_CUT.toMillis()) {
      return;
    }
    long shorter = Math.max(SHORTEST.toMillis(), waited * 2 / 3);
    lock.lock();
    try {
      millis = millis == AS_THE_GATEWAY_LIKES ? shorter : Math.min(millis, shorter);
      kept = 0;
    } finally {
      lock.unlock();
    }
  }

  /** A request was answered after it had waited so long. */
  void keptFor(long nanos) {
    lock.lock();
    try {
      if (millis == AS_THE_GATEWAY_LIKES || nanos / 1_000_000 < millis) {
        return;
      }
      kept++;
      if (kept >= ENOUGH) {
        kept = 0;
        millis = millis * 3 / 2;
        if (millis > LONG.toMillis()) {
          millis = AS_THE_GATEWAY_LIKES;
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
