package io.rmigate.gateway.standalone;

import io.rmigate.gateway.callback.FairShares;
import io.rmigate.protocol.AddressOwner;
import java.net.InetAddress;
import java.nio.channels.SelectableChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * Which connections may stay, before anybody has said who he is (THREATS T38): so many in all, and
 * of one address no more than three times as many as are left. So whoever holds as many as he gets
 * leaves some for others.
 *
 * <p>Shared by the connectors of a gateway; thread-safe, and never waits for anything but its lock.
 */
final class PeerShares {
  private final IntSupplier bound;
  private final Predicate<InetAddress> proxy;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by {@code lock}. */
  private final FairShares<AddressOwner> shares = new FairShares<>();

  /** Those that stay, and whose they are. Guarded by {@code lock}. */
  private final Map<SelectableChannel, AddressOwner> open = new HashMap<>();

  /**
   * @param bound how many there may be in all, now
   * @param proxy whether many stand behind an address, who are told apart later: it may have all
   */
  PeerShares(IntSupplier bound, Predicate<InetAddress> proxy) {
    this.bound = bound;
    this.proxy = proxy;
  }

  /** Whether a new connection may stay. Until {@link #release} it counts then. */
  boolean admits(SelectableChannel connection, InetAddress peer) {
    AddressOwner owner = AddressOwner.of(peer);
    boolean hasAll = proxy.test(peer);
    int most = bound.getAsInt();
    lock.lock();
    try {
      if (hasAll ? shares.taken() >= most : !shares.admits(owner, 1, most)) {
        return false;
      }
      shares.add(owner, 1);
      open.put(connection, owner);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** A connection is over, or was never one. Idempotent. */
  void release(SelectableChannel connection) {
    lock.lock();
    try {
      AddressOwner owner = open.remove(connection);
      if (owner != null) {
        shares.add(owner, -1);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many there are. */
  int open() {
    lock.lock();
    try {
      return shares.taken();
    } finally {
      lock.unlock();
    }
  }

  /** How many of them are of this peer's address. */
  int of(InetAddress peer) {
    lock.lock();
    try {
      return shares.of(AddressOwner.of(peer));
    } finally {
      lock.unlock();
    }
  }
}
