package io.rmigate.client.link;

import java.net.SocketTimeoutException;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * What has to be done in this JVM before it sees any byte that came later: things are put into the
 * order of the link by its reader, done elsewhere, and whoever reads a stream waits for those
 * before his bytes (PROTOCOL.md, section 11, "References").
 *
 * <p>Who waits here must not be the reader of the link: what is waited for may need it. Lock:
 * {@code lock} guards everything; nothing is taken under it.
 */
final class Barrier {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** What has begun and is not done, by its place in the order. */
  private final TreeSet<Long> undone = new TreeSet<>();

  /** The place of the last that has begun. */
  private volatile long begun;

  /** Everything up to this place is done. */
  private volatile long done;

  /**
   * Puts something into the order. By the reader of the link.
   *
   * @return to be run once, by anybody, when it is done
   */
  Runnable begin() {
    lock.lock();
    try {
      long place = begun + 1;
      undone.add(place);
      begun = place;
      return () -> end(place);
    } finally {
      lock.unlock();
    }
  }

  private void end(long place) {
    lock.lock();
    try {
      undone.remove(place);
      done = undone.isEmpty() ? begun : undone.first() - 1;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The place of what comes now: behind all that has begun. By the reader of the link. */
  long place() {
    return begun;
  }

  /** Whether all before this place is done. */
  boolean isOpen(long place) {
    return done >= place;
  }

  /** Whoever waits here looks again whether he still has to. */
  void wake() {
    if (begun > done) {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Waits until all before this place is done, or {@code over}. Not interruptible.
   *
   * @param over asked under the lock
   * @param timeoutNanos 0 for none
   * @throws SocketTimeoutException the time is over before
   */
  void await(long place, BooleanSupplier over, long timeoutNanos) throws SocketTimeoutException {
    long deadline = System.nanoTime() + timeoutNanos;
    boolean interrupted = false;
    lock.lock();
    try {
      while (!isOpen(place) && !over.getAsBoolean()) {
        if (timeoutNanos == 0) {
          changed.awaitUninterruptibly();
          continue;
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new SocketTimeoutException("Read timed out");
        }
        try {
          changed.await(left, TimeUnit.NANOSECONDS);
        } catch (InterruptedException likeASocket) {
          interrupted = true;
        }
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
