package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;

/** The contract with the WAR in a stock Jetty 12. */
class Jetty12TunnelIT extends TunnelContract {
  @Override
  GatewayKind kind() {
    return GatewayKind.JETTY_12;
  }
}
