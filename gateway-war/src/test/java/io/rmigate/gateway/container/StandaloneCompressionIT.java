package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.testing.Tier;
import org.junit.jupiter.api.Tag;

/** The contract with {@code java -jar rmigate.war} and everything compressed. */
@Tag(Tier.FULL)
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
