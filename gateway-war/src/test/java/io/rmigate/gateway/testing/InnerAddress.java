package io.rmigate.gateway.testing;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;

/** An address for gateways to listen at for callbacks, and for servers to call. */
public final class InnerAddress {
  private InnerAddress() {}

  /** One that is not loopback, if this machine has one. */
  public static InetAddress find() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(Inet4Address.class::isInstance)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .findFirst()
        .orElse(InetAddress.getLoopbackAddress());
  }
}
