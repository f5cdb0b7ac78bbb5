package io.rmigate.gateway.relay.address;

import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.DestinationPatterns;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which addresses a permitted name may turn out to have (THREATS T23). The unspecified address,
 * which connects to the gateway itself, and multicast are never among them. An IPv6 address that
 * has IPv4 addresses inside is judged by them, too: see {@link EmbeddedAddresses}.
 */
public enum AddressRule {
  /**
   * Policy names the target. An address that policy lists may be any address, because it is meant.
   * A listed name may stand for this machine, but not for a link-local address or a metadata
   * service of a cloud: its name server could make the gateway ask there.
   */
  NAMED {
    @Override
    boolean allows(String host, InetAddress address) {
      return usable(address) && (isAddress(host) || !tellsSecrets(address));
    }
  },
  /**
   * Learnt from a registry's reply, or matched by a wildcard: no loopback, no link-local, no
   * "IPv4-compatible" address (RFC 4291, 2.5.5.1), which would be another spelling of them, none of
   * the gateway's own, and none at which clouds tell their machines secrets. Nor what one reader
   * takes for another address than the next: {@code 0177.0.0.1} is 177.0.0.1 to the JDK, and
   * loopback to others.
   */
  ROUTABLE {
    @Override
    boolean allows(String host, InetAddress address) {
      return usable(address)
          && !isAmbiguous(host)
          && !(address instanceof Inet6Address six && six.isIPv4CompatibleAddress())
          && !tellsSecrets(address)
          && meanings(address).noneMatch(OwnAddresses::has);
    }
  };

  /**
   * Addresses of metadata services that are not link-local: of AWS (EC2 user guide, "Access
   * instance metadata"), Google (Compute Engine, "About VM metadata"), Alibaba (ECS, "Instance
   * metadata"), Oracle (Cloud Classic, "Retrieving Instance Metadata") and Azure ("What is IP
   * address 168.63.129.16").
   */
  private static final Set<InetAddress> METADATA =
      Stream.of("fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192", "168.63.129.16")
          .map(text -> AddressLiteral.parse(text).orElseThrow())
          .collect(Collectors.toUnmodifiableSet());

  /** A host that some readers take for an address in another notation: 2130706433, 0x7f.1. */
  private static final Pattern NUMBER = Pattern.compile("(?:.*\\.)?(?:\\d+|0[xX]\\p{XDigit}*)\\.?");

  /** Only numbers, in any notation. */
  private static final Pattern NUMBERS =
      Pattern.compile("(?:\\d+|0[xX]\\p{XDigit}*)(?:\\.(?:\\d+|0[xX]\\p{XDigit}*))*+");

  /** Whether a host is a name that may stand for anything, or an address that is routable. */
  public static boolean mayBeRoutable(String host) {
    boolean isAddress = host.contains(":") || NUMBER.matcher(host).matches();
    return isAddress
        ? AddressLiteral.parse(host).filter(address -> ROUTABLE.allows(host, address)).isPresent()
        : !DestinationPatterns.isLoopback(host);
  }

  /** Whether {@code host}, as it is written, may turn out to have that address. */
  abstract boolean allows(String host, InetAddress address);

  /** An address of IPv4 in another notation than that of RFC 6943, section 3.1.1 ("strict"). */
  private static boolean isAmbiguous(String host) {
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    return NUMBERS.matcher(name).matches() && AddressLiteral.parse(name).isEmpty();
  }

  /** Whether the host is an address; an IPv6 address may have a zone. */
  private static boolean isAddress(String host) {
    int zone = host.indexOf(':') < 0 ? -1 : host.indexOf('%');
    return AddressLiteral.parse(zone < 0 ? host : host.substring(0, zone)).isPresent();
  }

  private static boolean tellsSecrets(InetAddress address) {
    return meanings(address).anyMatch(one -> one.isLinkLocalAddress() || METADATA.contains(one));
  }

  private static boolean usable(InetAddress address) {
    List<InetAddress> possible = EmbeddedAddresses.possible(address);
    return isUsable(address)
        && EmbeddedAddresses.certain(address).allMatch(AddressRule::isUsable)
        && (possible.isEmpty() || possible.stream().anyMatch(AddressRule::isUsable));
  }

  private static boolean isUsable(InetAddress address) {
    return !address.isAnyLocalAddress() && !address.isMulticastAddress();
  }

  /** Where what is sent there may go: itself, and what it embeds. */
  private static Stream<InetAddress> meanings(InetAddress address) {
    return Stream.of(
            Stream.of(address),
            EmbeddedAddresses.certain(address),
            EmbeddedAddresses.possible(address).stream())
        .flatMap(all -> all);
  }
}
