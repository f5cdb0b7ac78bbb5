package io.rmigate.client.link;

import java.net.SocketTimeoutException;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Keeps the order between tasks that a frame has caused and the bytes that came after that frame.
 * The reader of the link begins a task, another thread does it, and a thread that reads a stream
 * waits for the tasks that began before its bytes came (PROTOCOL.md, section 11, "References").
 *
 * <p>The waiting thread must not be the reader of the link, because a task may need one. Lock:
 * {@code lock} guards everything; nothing is taken under it.
 */
final class Barrier {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** The tasks that have begun and are not done, by their place in the order. */
  private final TreeSet<Long> undone = new TreeSet<>();

  /** The place of the task that began last. */
  private volatile long begun;

  /** Everything up to this place is done. */
  private volatile long done;

  /**
   * Begins a task. By the reader of the link.
   *
   * @return to be run once when the task is done, by any thread
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

  /** The place of bytes that come now: after all tasks that have begun. By the reader. */
  long place() {
    return begun;
  }

  /** Whether all before this place is done. */
  boolean isOpen(long place) {
    return done >= place;
  }

  /** Wakes the waiting threads, which check again whether they still have to wait. */
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
