package io.rmigate.gateway.standalone;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.protocol.AddressOwner;
import java.net.InetAddress;
import java.nio.channels.SelectableChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * Decides which connections may stay before their clients log in (THREATS T38). There is a bound in
 * all, and one address may have no more than three times as many connections as are left. So an
 * address that opens as many as possible leaves some for others.
 *
 * <p>Shared by the connectors of a gateway; thread-safe, and never waits for anything but its lock.
 */
final class PeerShares {
  private final IntSupplier bound;
  private final Predicate<InetAddress> proxy;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by {@code lock}. */
  private final Shares<AddressOwner> shares = new Shares<>();

  /** Open connections and their owners. Guarded by {@code lock}. */
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
    int most = bound.getAsInt();
    Quota quota = proxy.test(peer) ? Quota.of(most) : Quota.threeQuarters(most);
    lock.lock();
    try {
      if (!shares.take(owner, 1, quota)) {
        return false;
      }
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
        shares.release(owner, 1);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many there are. */
  long open() {
    return shares.taken();
  }

  /** How many of them are of this peer's address. */
  long of(InetAddress peer) {
    return shares.of(AddressOwner.of(peer));
  }
}
