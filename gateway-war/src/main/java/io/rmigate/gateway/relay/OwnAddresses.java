package io.rmigate.gateway.relay;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.List;

/** The addresses of this machine, as its interfaces have them now. */
public final class OwnAddresses {

  /** Who knows the interfaces of a machine. */
  interface Interfaces {
    boolean has(InetAddress address) throws SocketException;
  }

  /**
   * Whether somebody at that address is on this machine, as all are taken to be while its
   * interfaces cannot be asked, for want of descriptors, say.
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
