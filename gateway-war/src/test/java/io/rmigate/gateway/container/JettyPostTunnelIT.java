package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.testing.Tier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract over POST in Jetty. */
@Tag(Tier.FULL)
class JettyPostTunnelIT extends PostTunnelContract {
  @Test
  void rmiByPostsIsRmi() throws Throwable {
    rmiByPostsIsRmi(GatewayKind.JETTY_12, false);
  }
}
