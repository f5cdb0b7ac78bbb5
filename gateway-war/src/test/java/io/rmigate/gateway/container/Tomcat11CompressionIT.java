package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;

/** The contract with the WAR in a stock Tomcat 11 and everything compressed. */
class Tomcat11CompressionIT extends TunnelContract {
  @Override
  GatewayKind kind() {
    return GatewayKind.TOMCAT_11;
  }

  @Override
  String compression() {
    return "on";
  }

  @Override
  int connects() {
    return 500;
  }
}
