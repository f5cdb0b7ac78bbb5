package io.rmigate.client.transport.net;

import io.rmigate.client.config.Authority;
import java.net.URI;

/** Where a gateway's URL leads. */
public final class GatewayAddress {
  private GatewayAddress() {}

  public static boolean isTls(URI gateway) {
    return gateway.getScheme().equals("https");
  }

  /** The host without the brackets of an IPv6 address. */
  public static String hostOf(URI gateway) {
    return Authority.required(gateway).bareHost();
  }

  public static int portOf(URI gateway) {
    int port = Authority.required(gateway).port();
    return port >= 0 ? port : isTls(gateway) ? 443 : 80;
  }
}
