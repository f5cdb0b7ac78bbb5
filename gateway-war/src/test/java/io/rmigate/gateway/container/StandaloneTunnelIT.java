package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;

/**
 * The contract with {@code java -jar rmigate.war}, the long version; {@code
 * -Drmigate.test.jmx-seconds=60} for longer still.
 */
class StandaloneTunnelIT extends TunnelContract {
  @Override
  GatewayKind kind() {
    return GatewayKind.STANDALONE;
  }

  @Override
  int connects() {
    return 10_000;
  }

  @Override
  int jmxSeconds() {
    return Integer.getInteger("rmigate.test.jmx-seconds", 10);
  }
}
