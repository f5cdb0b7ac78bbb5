package io.rmigate.gateway.container.ordinary;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.OtherJdk;
import io.rmigate.testing.Tier;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The ordinary program and its gateway on another JDK: 25 where 17 runs the tests. */
@Tag(Tier.FULL)
class OrdinaryProgramOnOtherJdkIT extends OrdinaryProgramIT {
  @BeforeAll
  @Override
  void startServer() throws Exception {
    Optional<Path> jdk = OtherJdk.find();
    assumeThat(jdk).as("a JDK %s is needed: %s", OtherJdk.release(), OtherJdk.PLACES).isPresent();
    System.setProperty(ChildJvm.JDK, jdk.get().toString());
    super.startServer();
  }

  @AfterAll
  @Override
  void stopEverything() {
    System.clearProperty(ChildJvm.JDK);
    super.stopEverything();
  }
}
