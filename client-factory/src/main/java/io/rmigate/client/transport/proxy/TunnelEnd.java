package io.rmigate.client.transport.proxy;

import io.rmigate.client.transport.net.GatewayAddress;
import java.net.URI;

/**
 * To whom an HTTP proxy is asked to connect.
 *
 * @param what for messages: {@code the gateway}
 * @param alternative for messages, where that port is not let through
 * @param host without the brackets of an IPv6 address
 */
record TunnelEnd(String what, String alternative, String host, int port) {
  static TunnelEnd of(URI gateway) {
    return new TunnelEnd(
        "the gateway",
        "a gateway on port 443",
        GatewayAddress.hostOf(gateway),
        GatewayAddress.portOf(gateway));
  }

  /** {@code host:port}, an IPv6 address in brackets. */
  String authority() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
