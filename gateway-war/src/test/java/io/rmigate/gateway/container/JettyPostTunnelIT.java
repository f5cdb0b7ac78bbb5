package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;
import org.junit.jupiter.api.Test;

/** The contract over POST in Jetty. */
class JettyPostTunnelIT extends PostTunnelContract {
  @Test
  void rmiByPostsIsRmi() throws Throwable {
    rmiByPostsIsRmi(GatewayKind.JETTY_12, false);
  }
}
