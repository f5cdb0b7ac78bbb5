package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.testing.Tier;
import org.junit.jupiter.api.Tag;

/** The contract with the WAR in a stock Tomcat 11 and everything compressed. */
@Tag(Tier.FULL)
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
