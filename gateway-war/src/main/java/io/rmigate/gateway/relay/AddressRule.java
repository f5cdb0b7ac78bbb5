package io.rmigate.gateway.relay;

import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * Which addresses a permitted name may turn out to have (THREATS T23). The unspecified address,
 * which connects to the gateway itself, and multicast are never among them.
 */
public enum AddressRule {
  /** The target is named by policy: loopback too, when it says so; link-local never by accident. */
  NAMED {
    @Override
    boolean allows(InetAddress address) {
      return usable(address);
    }
  },
  /**
   * Matched by a wildcard, or learnt from a registry's reply: no loopback, no link-local, and no
   * "IPv4-compatible" address (RFC 4291, 2.5.5.1), which would be another spelling of them.
   */
  ROUTABLE {
    @Override
    boolean allows(InetAddress address) {
      return usable(address)
          && !address.isLoopbackAddress()
          && !address.isLinkLocalAddress()
          && !(address instanceof Inet6Address six && six.isIPv4CompatibleAddress());
    }
  };

  abstract boolean allows(InetAddress address);

  private static boolean usable(InetAddress address) {
    return !address.isAnyLocalAddress() && !address.isMulticastAddress();
  }
}
