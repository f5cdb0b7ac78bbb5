package io.rmigate.gateway.relay;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/** The addresses of this machine, as its interfaces have them now. */
public final class OwnAddresses {

  /** Whether somebody at that address is on this machine. */
  public static boolean has(InetAddress address) {
    if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
      return true;
    }
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException unknown) {
      return false;
    }
  }

  private OwnAddresses() {}
}
