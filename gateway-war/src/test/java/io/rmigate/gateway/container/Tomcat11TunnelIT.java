package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;

/** The contract with the WAR in a stock Tomcat 11. */
class Tomcat11TunnelIT extends TunnelContract {
  @Override
  GatewayKind kind() {
    return GatewayKind.TOMCAT_11;
  }
}
