package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.testing.Tier;
import org.junit.jupiter.api.Tag;

/** The contract with the WAR in a stock Jetty 12. */
@Tag(Tier.FULL)
class Jetty12TunnelIT extends TunnelContract {
  @Override
  GatewayKind kind() {
    return GatewayKind.JETTY_12;
  }
}
