package io.rmigate.gateway.relay.address;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.net.InetAddress;

/**
 * The addresses of targets that are known to be this machine's, or not to be: what is said of such
 * a target is said once. Bounded: of addresses the latest are kept. Thread-safe.
 */
public final class LocalAddresses {
  private static final int MAX_ADDRESSES = 1_000;

  private final Cache<InetAddress, Boolean> known =
      Caffeine.newBuilder().maximumSize(MAX_ADDRESSES).build();

  /** Whether it is an address of this machine, asked for the first time. */
  boolean isNews(InetAddress address) {
    return known.asMap().putIfAbsent(address, true) == null && OwnAddresses.has(address);
  }

  /** Whether it is this machine's, which has been said from here on. */
  public boolean tell(InetAddress address) {
    known.put(EmbeddedAddresses.unmapped(address), true);
    return OwnAddresses.has(address);
  }
}
