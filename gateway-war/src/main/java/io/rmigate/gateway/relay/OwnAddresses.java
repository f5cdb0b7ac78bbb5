package io.rmigate.gateway.relay;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;

/** The addresses of this machine, as its interfaces have them now. */
public final class OwnAddresses {

  /** Who knows the interfaces of a machine. */
  interface Interfaces {
    Optional<NetworkInterface> with(InetAddress address) throws SocketException;
  }

  /**
   * Whether somebody at that address is on this machine, as all are taken to be while its
   * interfaces cannot be asked, for want of descriptors, say.
   */
  public static boolean has(InetAddress address) {
    return has(address, sought -> Optional.ofNullable(NetworkInterface.getByInetAddress(sought)));
  }

  static boolean has(InetAddress address, Interfaces interfaces) {
    InetAddress plain = EmbeddedAddresses.unmapped(address);
    if (plain.isLoopbackAddress() || plain.isAnyLocalAddress()) {
      return true;
    }
    try {
      return interfaces.with(plain).isPresent();
    } catch (SocketException unknown) {
      return true;
    }
  }

  private OwnAddresses() {}
}
