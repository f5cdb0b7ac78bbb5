package io.rmigate.gateway.callback;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Which log lines are worth writing, of those that a peer can have written as often as it likes:
 * one a minute about the same thing, and about a bounded number of things. Thread-safe.
 */
public final class RareLines {
  private static final int MAX_SUBJECTS = 100;
  private static final long AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Object, Long> written = new HashMap<>();

  /** None has been written yet. */
  public RareLines() {
    this(System::nanoTime);
  }

  RareLines(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Whether to write a line now.
   *
   * @param subject what it is about; equal to itself
   */
  public boolean mayWrite(Object subject) {
    lock.lock();
    try {
      long now = clock.getAsLong();
      Long before = written.get(subject);
      if (before == null && written.size() >= MAX_SUBJECTS) {
        written.values().removeIf(when -> now - when >= AGAIN_NANOS);
      }
      boolean may = before == null ? written.size() < MAX_SUBJECTS : now - before >= AGAIN_NANOS;
      if (may) {
        written.put(subject, now);
      }
      return may;
    } finally {
      lock.unlock();
    }
  }
}
