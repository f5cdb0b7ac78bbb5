package io.rmigate.gateway.quota;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The shares of holders that are known by a name, an address or another key. A holder that has
 * nothing takes no memory.
 *
 * <p>Thread-safe: {@code lock} guards all fields; no other lock is taken under it.
 */
public final class Shares<K> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Share all = new Share();
  private final Map<K, Share> byHolder = new HashMap<>();

  /**
   * Takes units, as far as the quota permits it to the holder.
   *
   * @return false if nothing was taken
   */
  public boolean take(K holder, long units, Quota quota) {
    lock.lock();
    try {
      Share known = byHolder.get(holder);
      Share share = known == null ? all.part() : known;
      boolean permitted = share.take(units, quota);
      if (permitted && known == null) {
        byHolder.put(holder, share);
      }
      forgetIfEmpty(holder, share);
      return permitted;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a holder might take units now. */
  public boolean permits(K holder, long units, Quota quota) {
    lock.lock();
    try {
      return quota.permits(of(holder) + units, all.taken() + units);
    } finally {
      lock.unlock();
    }
  }

  /** Takes units for a holder, whether there are any or not. */
  public void takeAnyway(K holder, long units) {
    lock.lock();
    try {
      Share share = byHolder.computeIfAbsent(holder, first -> all.part());
      share.takeAnyway(units);
      forgetIfEmpty(holder, share);
    } finally {
      lock.unlock();
    }
  }

  /** Gives back units that a holder has taken. */
  public void release(K holder, long units) {
    lock.lock();
    try {
      Share share = byHolder.get(holder);
      if (share != null) {
        share.release(units);
        forgetIfEmpty(holder, share);
      }
    } finally {
      lock.unlock();
    }
  }

  private void forgetIfEmpty(K holder, Share share) {
    if (share.taken() == 0) {
      byHolder.remove(holder);
    }
  }

  /** A permit of a request of that holder, with nothing yet. */
  public Permit<K> permit(K holder) {
    return new Permit<>(this, holder);
  }

  /** The units that a holder has. */
  public long of(K holder) {
    lock.lock();
    try {
      Share share = byHolder.get(holder);
      return share == null ? 0 : share.taken();
    } finally {
      lock.unlock();
    }
  }

  /** The units that all holders have together. */
  public long taken() {
    return all.taken();
  }

  /** The number of holders that have something. */
  public int holders() {
    lock.lock();
    try {
      return byHolder.size();
    } finally {
      lock.unlock();
    }
  }

  /** The holder with the most units; empty if no holder has any. */
  public Optional<K> greediest() {
    lock.lock();
    try {
      return byHolder.entrySet().stream()
          .max(Comparator.comparingLong(entry -> entry.getValue().taken()))
          .map(Map.Entry::getKey);
    } finally {
      lock.unlock();
    }
  }
}
