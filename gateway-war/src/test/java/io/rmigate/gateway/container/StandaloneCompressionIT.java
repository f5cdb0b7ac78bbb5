package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;

/** The contract with {@code java -jar rmigate.war} and everything compressed. */
class StandaloneCompressionIT extends TunnelContract {
  @Override
  GatewayKind kind() {
    return GatewayKind.STANDALONE;
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
