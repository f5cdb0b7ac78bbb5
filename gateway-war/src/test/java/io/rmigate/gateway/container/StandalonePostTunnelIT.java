package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;
import org.junit.jupiter.api.Test;

/** The contract over POST with {@code java -jar rmigate.war}, over TLS. */
class StandalonePostTunnelIT extends PostTunnelContract {
  @Test
  void rmiByPostsIsRmi() throws Throwable {
    rmiByPostsIsRmi(GatewayKind.STANDALONE, true);
  }
}
