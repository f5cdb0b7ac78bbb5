package io.rmigate.client.async;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the calls that are under way at a time. The others wait, marshalled, in the order in which
 * they were made; their number and bytes are bounded, too. Thread-safe; nothing is called under the
 * lock.
 */
final class CallThrottle {
  /** Calls under way to one server. Each has a connection of its own. */
  static final int DEFAULT_CALLS = 128;

  /** No more can be asked for: a gateway lets a session have 1 024 streams. */
  static final int MOST_CALLS = 512;

  static final int MOST_WAITING = 10_000;
  static final long MOST_WAITING_BYTES = 64L * 1024 * 1024;

  private final int limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<PendingCall<?>> waiting = new LinkedHashSet<>();
  private long waitingBytes;
  private int underWay;

  CallThrottle(int limit) {
    this.limit = limit;
  }

  /**
   * Takes a call.
   *
   * @return whether it may be sent now; otherwise {@link #over} returns it when it may
   * @throws RejectedExecutionException too many calls wait
   */
  boolean admit(PendingCall<?> call, int bytes) {
    lock.lock();
    try {
      if (underWay < limit) {
        underWay++;
        return true;
      }
      if (waiting.size() >= MOST_WAITING || waitingBytes + bytes > MOST_WAITING_BYTES) {
        throw new RejectedExecutionException(
            "%d calls are under way and %d wait with %d bytes; at most %d may wait, with %d bytes"
                .formatted(
                    underWay, waiting.size(), waitingBytes, MOST_WAITING, MOST_WAITING_BYTES));
      }
      waiting.add(call);
      waitingBytes += bytes;
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** A call that was under way is over; returns the next one to be sent, or null. */
  PendingCall<?> over() {
    lock.lock();
    try {
      Iterator<PendingCall<?>> oldest = waiting.iterator();
      if (!oldest.hasNext()) {
        underWay--;
        return null;
      }
      PendingCall<?> next = oldest.next();
      oldest.remove();
      waitingBytes -= next.bytes();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** A call that waits is given up; false when it does not wait any more. */
  boolean withdraw(PendingCall<?> call) {
    lock.lock();
    try {
      boolean waited = waiting.remove(call);
      if (waited) {
        waitingBytes -= call.bytes();
      }
      return waited;
    } finally {
      lock.unlock();
    }
  }
}
