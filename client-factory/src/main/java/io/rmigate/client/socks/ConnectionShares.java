package io.rmigate.client.socks;

import io.rmigate.protocol.AddressOwner;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many connections there are, by where they come from, and who may have one more: another
 * machine no more than it leaves to others, so that one alone has half of them at most, and two a
 * third each. This machine may have all that is free. What a machine is says {@link AddressOwner}.
 *
 * <p>Thread-safe: {@code lock} guards all of it.
 */
final class ConnectionShares {
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<AddressOwner, Integer> others = new HashMap<>();
  private int taken;

  /**
   * @param most in all
   */
  ConnectionShares(int most) {
    this.most = most;
  }

  /** Takes one for that peer, if it may have one more; {@link #giveBack} comes later then. */
  boolean take(InetAddress peer) {
    lock.lock();
    try {
      int freeAfter = most - taken - 1;
      if (freeAfter < 0 || !takeShare(peer, freeAfter)) {
        return false;
      }
      taken++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean takeShare(InetAddress peer, int freeAfter) {
    if (peer.isLoopbackAddress()) {
      return true;
    }
    AddressOwner machine = AddressOwner.of(peer);
    int had = others.getOrDefault(machine, 0);
    if (had > freeAfter) {
      return false;
    }
    others.put(machine, had + 1);
    return true;
  }

  /** One of that peer's is over. */
  void giveBack(InetAddress peer) {
    lock.lock();
    try {
      taken--;
      if (!peer.isLoopbackAddress()) {
        others.computeIfPresent(AddressOwner.of(peer), (one, had) -> had == 1 ? null : had - 1);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Connections there are. */
  int taken() {
    lock.lock();
    try {
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
