package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.testing.Tier;
import org.junit.jupiter.api.Tag;

/** The contract with the WAR in a stock Tomcat 10. */
@Tag(Tier.FULL)
class Tomcat10TunnelIT extends TunnelContract {
  @Override
  GatewayKind kind() {
    return GatewayKind.TOMCAT_10;
  }
}
