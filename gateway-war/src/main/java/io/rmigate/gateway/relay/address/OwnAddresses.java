package io.rmigate.gateway.relay.address;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The addresses of this machine, as its interfaces have them now. */
public final class OwnAddresses {
  private static final Logger LOG = LoggerFactory.getLogger(OwnAddresses.class);

  /** No port in particular. */
  private static final int ANY_PORT = 9;

  /** The network interfaces of a machine. */
  interface Interfaces {
    boolean has(InetAddress address) throws SocketException;
  }

  /**
   * Whether an address belongs to this machine. True for all addresses while the network interfaces
   * cannot be listed, for example without free descriptors.
   */
  public static boolean has(InetAddress address) {
    return has(
        address,
        sought -> NetworkInterface.getByInetAddress(sought) != null || isOnLoopback(sought));
  }

  /** The addresses of the interfaces that are up, but for link-local ones; for people. */
  public static List<InetAddress> all() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLinkLocalAddress())
          .toList();
    } catch (SocketException unknown) {
      return List.of();
    }
  }

  /**
   * The address of this machine from which packets go to one of some hosts; empty where none of
   * them is found. Looks names up, and waits for that; nothing is sent to the hosts.
   */
  public static Optional<InetAddress> towards(Set<String> hosts) {
    for (String host : hosts) {
      try (DatagramSocket unused = new DatagramSocket()) {
        unused.connect(InetAddress.getByName(host), ANY_PORT);
        if (!unused.getLocalAddress().isAnyLocalAddress()) {
          return Optional.of(unused.getLocalAddress());
        }
      } catch (IOException | UncheckedIOException notFound) {
        LOG.debug("{}", host, notFound);
      }
    }
    return Optional.empty();
  }

  static boolean has(InetAddress address, Interfaces interfaces) {
    InetAddress plain = EmbeddedAddresses.unmapped(address);
    if (plain.isLoopbackAddress() || plain.isAnyLocalAddress()) {
      return true;
    }
    try {
      return interfaces.has(plain);
    } catch (SocketException unknown) {
      return true;
    }
  }

  /**
   * Of an interface of loopback each address of its networks is the machine's own, not only those
   * that it is said to have: after {@code ip address add 10.9.0.1/16 dev lo} it answers at
   * 10.9.5.5. What an interface is, is asked only where the address is in a network of its: others
   * may have gone since they were listed, as those of containers come and go.
   */
  private static boolean isOnLoopback(InetAddress address) throws SocketException {
    for (NetworkInterface one : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      if (one.getInterfaceAddresses().stream()
              .filter(its -> its.getNetworkPrefixLength() > 0)
              .anyMatch(its -> isWithin(its.getAddress(), its.getNetworkPrefixLength(), address))
          && one.isLoopback()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the first bits of both addresses are the same. */
  static boolean isWithin(InetAddress network, int bits, InetAddress address) {
    byte[] first = network.getAddress();
    byte[] second = address.getAddress();
    if (first.length != second.length) {
      return false;
    }
    int others = Byte.SIZE * first.length - bits;
    return new BigInteger(1, first)
        .shiftRight(others)
        .equals(new BigInteger(1, second).shiftRight(others));
  }

  private OwnAddresses() {}
}
