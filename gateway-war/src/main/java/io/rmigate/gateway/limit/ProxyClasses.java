package io.rmigate.gateway.limit;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;

/**
 * The classes of proxies that servers have made of what one caller sent them, in all of its
 * sessions. A server makes one of each list of interfaces, another one of each order of the same
 * interfaces, and keeps it for as long as its class loader lives: some 14 KB of metaspace each, of
 * interfaces with many methods more. An honest application has a few; a caller that has reached the
 * limit sends no others. Bounded. Thread-safe.
 */
public final class ProxyClasses {
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Set<Long> made = new HashSet<>();

  /**
   * Whether a server may be sent a proxy, which it has then been; asked by a hash code of its
   * interfaces in their order.
   *
   * @param most lists of interfaces of one caller
   */
  public LongPredicate upTo(int most) {
    return list -> permits(list, most);
  }

  private boolean permits(long list, int most) {
    lock.lock();
    try {
      return made.contains(list) || (made.size() < most && made.add(list));
    } finally {
      lock.unlock();
    }
  }
}
