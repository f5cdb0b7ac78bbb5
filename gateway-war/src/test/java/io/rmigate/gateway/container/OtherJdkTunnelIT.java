package io.rmigate.gateway.container;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.OtherJdk;
import io.rmigate.testing.Tier;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The contract with all JVMs of another JDK than the one that runs the tests: 25 where 17 runs
 * them, 17 where a later one does. Skipped where there is no such JDK ({@link OtherJdk}).
 */
@Tag(Tier.FULL)
class OtherJdkTunnelIT extends TunnelContract {
  @Override
  GatewayKind kind() {
    return GatewayKind.STANDALONE;
  }

  @BeforeAll
  @Override
  void startServers() throws Exception {
    Optional<Path> jdk = OtherJdk.find();
    assumeThat(jdk).as("a JDK %s is needed: %s", OtherJdk.release(), OtherJdk.PLACES).isPresent();
    System.setProperty(ChildJvm.JDK, jdk.get().toString());
    super.startServers();
  }

  @AfterAll
  @Override
  void stopServers() throws Exception {
    System.clearProperty(ChildJvm.JDK);
    super.stopServers();
  }
}
