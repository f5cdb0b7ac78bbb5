package io.rmigate.gateway.relay.own;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many threads may be calling one target at a time. Who finds no place waits for one, first
 * come, first served, except that nobody has more than a share: one whose calls all hang leaves
 * room for the others. Thread-safe.
 */
final class CallPlaces {
  private final int places;
  private final int share;
  private final int maxWaiting;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiter> waiters = new ArrayDeque<>();
  private final Map<Object, Integer> takenBy = new HashMap<>();
  private int taken;
  private boolean retired;

  private static final class Waiter {
    final Object sharer;
    final Condition turn;
    boolean admitted;

    Waiter(Object sharer, Condition turn) {
      this.sharer = sharer;
      this.turn = turn;
    }
  }

  /** How the wait for a place ends. */
  enum Entry {
    ADMITTED,
    /** Too many wait. */
    CROWDED,
    /** No place became free in time. */
    LATE,
    INTERRUPTED,
    /** These places are given up: others take their place. */
    RETIRED
  }

  /**
   * @param places for all
   * @param share of these for one sharer
   * @param maxWaiting more than these wait for nothing
   */
  CallPlaces(int places, int share, int maxWaiting) {
    this.places = places;
    this.share = share;
    this.maxWaiting = maxWaiting;
  }

  /** Takes a place, if there is one by then; to be left afterwards. */
  Entry enter(Object sharer, long deadlineNanos) {
    lock.lock();
    try {
      if (retired) {
        return Entry.RETIRED;
      }
      if (mayEnter(sharer) && nobodyWaitsBefore()) {
        take(sharer);
        return Entry.ADMITTED;
      }
      if (waiters.size() >= maxWaiting) {
        return Entry.CROWDED;
      }
      Waiter waiter = new Waiter(sharer, lock.newCondition());
      waiters.add(waiter);
      return await(waiter, deadlineNanos);
    } finally {
      lock.unlock();
    }
  }

  private Entry await(Waiter waiter, long deadlineNanos) {
    Entry unless = Entry.LATE;
    try {
      while (!waiter.admitted) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          break;
        }
        waiter.turn.awaitNanos(left);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      unless = Entry.INTERRUPTED;
    }
    if (waiter.admitted) {
      return Entry.ADMITTED;
    }
    waiters.remove(waiter);
    return unless;
  }

  private boolean mayEnter(Object sharer) {
    return taken < places && takenBy.getOrDefault(sharer, 0) < share;
  }

  /** Those who have their share already are passed by. */
  private boolean nobodyWaitsBefore() {
    return waiters.isEmpty() || waiters.stream().noneMatch(waiter -> mayEnter(waiter.sharer));
  }

  private void take(Object sharer) {
    taken++;
    takenBy.merge(sharer, 1, Integer::sum);
  }

  /** Gives a place back to whoever may have it next. */
  void leave(Object sharer) {
    lock.lock();
    try {
      taken--;
      takenBy.computeIfPresent(sharer, (same, count) -> count == 1 ? null : count - 1);
      for (Iterator<Waiter> all = waiters.iterator(); all.hasNext() && taken < places; ) {
        Waiter next = all.next();
        if (mayEnter(next.sharer)) {
          all.remove();
          take(next.sharer);
          next.admitted = true;
          next.turn.signal();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives these places up if nobody is here; whether they are given up. */
  boolean retireIfEmpty() {
    lock.lock();
    try {
      retired |= taken == 0 && waiters.isEmpty();
      return retired;
    } finally {
      lock.unlock();
    }
  }

  int waiting() {
    lock.lock();
    try {
      return waiters.size();
    } finally {
      lock.unlock();
    }
  }
}
