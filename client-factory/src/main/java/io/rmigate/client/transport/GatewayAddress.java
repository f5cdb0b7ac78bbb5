package io.rmigate.client.transport;

import io.rmigate.client.config.Authority;
import java.net.URI;

/** Where a gateway's URL leads. */
final class GatewayAddress {
  private GatewayAddress() {}

  static boolean isTls(URI gateway) {
    return gateway.getScheme().equals("https");
  }

  /** The host without the brackets of an IPv6 address. */
  static String hostOf(URI gateway) {
    return Authority.required(gateway).bareHost();
  }

  static int portOf(URI gateway) {
    int port = Authority.required(gateway).port();
    return port >= 0 ? port : isTls(gateway) ? 443 : 80;
  }
}
