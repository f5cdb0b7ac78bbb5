package io.rmigate.gateway.callback;

import io.rmigate.protocol.AddressOwner;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What inner JVMs of one session have begun to say, or are being told, and the gateway keeps to see
 * where it ends: calls of the collector, Returns of SingleOpProtocol connections. Bounded all
 * together, in {@link FairShares} by host: whoever begins and does not end takes nothing from
 * others. Thread-safe; may be called under a stream's lock.
 */
final class KeptBytes {
  static final int MAX_BYTES = 8 * 1024 * 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final FairShares<AddressOwner> shares = new FairShares<>();

  /**
   * So many bytes more, or less, are kept for a host.
   *
   * @return false when they may not be, and do not count
   */
  boolean add(AddressOwner host, int change) {
    lock.lock();
    try {
      if (change > 0 && !shares.admits(host, change, MAX_BYTES)) {
        return false;
      }
      shares.add(host, change);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** How much there is, and whose, for people. */
  String takenBy(AddressOwner host) {
    lock.lock();
    try {
      return shares.taken() + " kept, " + shares.of(host) + " of them";
    } finally {
      lock.unlock();
    }
  }
}
