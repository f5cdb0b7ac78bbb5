package io.rmigate.gateway.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls of several streams, of which one at a time is at a server, in the order in which they have
 * come (PROTOCOL.md, section 7). The first that does not return normally ends the sequence: what
 * waits then, or comes later, is refused.
 *
 * <pre>
 *   REST ── a call comes ──► RUNNING ── it returns normally ──► REST, or the next one runs
 *                               └── it does not ──► OVER
 * </pre>
 *
 * <p>From any thread. {@code lock} guards the state; it is taken under the locks of streams, and
 * nothing is called under it.
 */
final class CallSequence {
  /** The decision on a call that has come. */
  enum Entry {
    RUNS,
    WAITS,
    REFUSED
  }

  /** Streams that take part. Guarded by the lock of {@link CallSequences}. */
  int streams;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<SequenceTurn> waiting = new ArrayDeque<>();

  /** The turn whose call is at a server; null while there is none. */
  private SequenceTurn running;

  private boolean over;

  /** A call has come on the stream of this turn. */
  Entry enter(SequenceTurn turn) {
    lock.lock();
    try {
      if (over) {
        return Entry.REFUSED;
      }
      if (running == null && waiting.isEmpty()) {
        running = turn;
        return Entry.RUNS;
      }
      waiting.add(turn);
      return Entry.WAITS;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The call of this turn is over, if it was running.
   *
   * @param normally whether the next one may run
   */
  void end(SequenceTurn turn, boolean normally) {
    lock.lock();
    try {
      if (running == turn) {
        running = null;
        over |= !normally;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The call of this turn is refused for a reason of its own. */
  void breakOff(SequenceTurn turn) {
    lock.lock();
    try {
      waiting.remove(turn);
      over = true;
    } finally {
      lock.unlock();
    }
  }

  /** The stream of this turn is over; a call that ran or waited there ends the sequence. */
  void leave(SequenceTurn turn) {
    lock.lock();
    try {
      boolean ran = running == turn;
      boolean waited = waiting.remove(turn);
      running = ran ? null : running;
      over |= ran || waited;
    } finally {
      lock.unlock();
    }
  }

  /** The next turn that is to be taken or, when the sequence is over, refused; null for none. */
  SequenceTurn next() {
    lock.lock();
    try {
      if (running != null || waiting.isEmpty()) {
        return null;
      }
      SequenceTurn next = waiting.remove();
      running = over ? null : next;
      return next;
    } finally {
      lock.unlock();
    }
  }

  boolean isOver() {
    lock.lock();
    try {
      return over;
    } finally {
      lock.unlock();
    }
  }

  boolean hasWaiting() {
    lock.lock();
    try {
      return !waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
