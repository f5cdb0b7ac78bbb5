package io.rmigate.gateway.relay;

import io.rmigate.protocol.DestinationPatterns;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
   * Learnt from a registry's reply, or matched by a wildcard: no loopback, no link-local, no
   * "IPv4-compatible" address (RFC 4291, 2.5.5.1), which would be another spelling of them, none of
   * the gateway's own, and none at which clouds tell their machines secrets.
   */
  ROUTABLE {
    @Override
    boolean allows(InetAddress address) {
      return usable(address)
          && !address.isLinkLocalAddress()
          && !(address instanceof Inet6Address six && six.isIPv4CompatibleAddress())
          && !METADATA.contains(address)
          && !OwnAddresses.has(address);
    }
  };

  /**
   * Those that are not link-local: of AWS (EC2 user guide, "Access instance metadata"), Google
   * (Compute Engine, "About VM metadata"), Alibaba (ECS, "Instance metadata"), Oracle (Cloud
   * Classic, "Retrieving Instance Metadata") and Azure ("What is IP address 168.63.129.16").
   */
  private static final Set<InetAddress> METADATA =
      Stream.of("fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192", "168.63.129.16")
          .map(text -> AddressLiteral.of(text).orElseThrow())
          .collect(Collectors.toUnmodifiableSet());

  /**
   * Who reads it as a number may take it for an address in another spelling: 2130706433, 0x7f.1.
   */
  private static final Pattern NUMBER = Pattern.compile("(?:.*\\.)?(?:\\d+|0[xX]\\p{XDigit}*)\\.?");

  /** Whether a host is a name that may stand for anything, or an address that is routable. */
  public static boolean mayBeRoutable(String host) {
    boolean isAddress = host.contains(":") || NUMBER.matcher(host).matches();
    return isAddress
        ? AddressLiteral.of(host).filter(ROUTABLE::allows).isPresent()
        : !DestinationPatterns.isLoopback(host);
  }

  abstract boolean allows(InetAddress address);

  private static boolean usable(InetAddress address) {
    return !address.isAnyLocalAddress() && !address.isMulticastAddress();
  }
}
