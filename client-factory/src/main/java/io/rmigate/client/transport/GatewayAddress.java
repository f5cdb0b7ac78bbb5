package io.rmigate.client.transport;

import java.net.URI;

/** Where a gateway's URL leads. */
final class GatewayAddress {
  private GatewayAddress() {}

  static boolean isTls(URI gateway) {
    return gateway.getScheme().equals("https");
  }

  /** The host without the brackets of an IPv6 address. */
  static String hostOf(URI gateway) {
    return gateway.getHost().replaceAll("^\\[|]$", "");
  }

  static int portOf(URI gateway) {
    return gateway.getPort() >= 0 ? gateway.getPort() : isTls(gateway) ? 443 : 80;
  }
}
