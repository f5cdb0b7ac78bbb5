package io.rmigate.gateway.edge;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets links rest where a container cannot be told to leave them unread: the thread that has
 * brought bytes waits, and whoever sends more is held back by TCP. Containers have few threads, so
 * that no more than some wait, and few for one principal.
 *
 * <p>Thread-safe; the lock is around counting only.
 */
final class RestingThreads {
  static final int MOST = 32;
  static final int MOST_OF_ONE = 4;

  /**
   * The link is read on then, and rests again: whoever stops the gateway does not wait for long.
   */
  private static final long LONGEST_NANOS = Duration.ofSeconds(1).toNanos();

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Integer> resting = new HashMap<>();
  private int all;

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
    lock.lock();
    try {
      int own = resting.getOrDefault(principal, 0);
      if (all >= MOST || own >= MOST_OF_ONE) {
        return false;
      }
      all++;
      resting.put(principal, own + 1);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives it back. */
  void end(String principal) {
    lock.lock();
    try {
      all--;
      resting.computeIfPresent(principal, (name, count) -> count == 1 ? null : count - 1);
    } finally {
      lock.unlock();
    }
  }
}
