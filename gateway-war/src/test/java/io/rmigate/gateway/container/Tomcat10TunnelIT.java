package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;

/** The contract with the WAR in a stock Tomcat 10. */
class Tomcat10TunnelIT extends TunnelContract {
  @Override
  GatewayKind kind() {
    return GatewayKind.TOMCAT_10;
  }
}
