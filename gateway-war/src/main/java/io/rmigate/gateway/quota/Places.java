package io.rmigate.gateway.quota;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Places that threads take one at a time, and a line of threads that wait for one: first come,
 * first served, except that a thread whose holder has its share of the places already is passed by.
 * Both the places and the line have a {@link Quota}. Thread-safe.
 *
 * <p>Lock: {@code lock} guards all fields; no lock but that of {@link Shares} is taken under it.
 */
public final class Places<K> {
  private final Quota quota;
  private final Quota line;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiter<K>> waiters = new ArrayDeque<>();
  private final Shares<K> taken = new Shares<>();
  private final Shares<K> waiting = new Shares<>();
  private boolean retired;

  private static final class Waiter<K> {
    final K holder;
    final Condition turn;
    boolean admitted;

    Waiter(K holder, Condition turn) {
      this.holder = holder;
      this.turn = turn;
    }
  }

  /** How the wait for a place ends. */
  public enum Entry {
    ADMITTED,
    /** Too many threads wait. */
    CROWDED,
    /** No place became free in time. */
    LATE,
    INTERRUPTED,
    /** These places are given up: others take their place. */
    RETIRED
  }

  /**
   * @param quota of the places
   * @param line of the threads that wait for a place
   */
  public Places(Quota quota, Quota line) {
    this.quota = quota;
    this.line = line;
  }

  /** Takes a place, if there is one by then; to be left afterwards. */
  public Entry enter(K holder, long deadlineNanos) {
    lock.lock();
    try {
      if (retired) {
        return Entry.RETIRED;
      }
      if (noneWaitsBefore() && taken.take(holder, 1, quota)) {
        return Entry.ADMITTED;
      }
      return waiting.take(holder, 1, line) ? await(holder, deadlineNanos) : Entry.CROWDED;
    } finally {
      lock.unlock();
    }
  }

  private Entry await(K holder, long deadlineNanos) {
    Waiter<K> waiter = new Waiter<>(holder, lock.newCondition());
    waiters.add(waiter);
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
    waiting.release(holder, 1);
    return unless;
  }

  /** Whether no thread waits that might have a place now. */
  private boolean noneWaitsBefore() {
    return waiters.isEmpty()
        || waiters.stream().noneMatch(waiter -> taken.permits(waiter.holder, 1, quota));
  }

  /** Gives a place back to the first thread in the line that may have it. */
  public void leave(K holder) {
    lock.lock();
    try {
      taken.release(holder, 1);
      for (Iterator<Waiter<K>> all = waiters.iterator();
          all.hasNext() && taken.taken() < quota.total(); ) {
        Waiter<K> next = all.next();
        if (taken.take(next.holder, 1, quota)) {
          all.remove();
          waiting.release(next.holder, 1);
          next.admitted = true;
          next.turn.signal();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives these places up if no thread is here; whether they are given up. */
  public boolean retireIfEmpty() {
    lock.lock();
    try {
      retired |= taken.taken() == 0 && waiters.isEmpty();
      return retired;
    } finally {
      lock.unlock();
    }
  }

  /** The number of threads that wait. */
  public int waiting() {
    lock.lock();
    try {
      return waiters.size();
    } finally {
      lock.unlock();
    }
  }
}
