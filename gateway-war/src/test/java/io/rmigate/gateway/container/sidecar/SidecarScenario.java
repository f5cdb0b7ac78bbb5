package io.rmigate.gateway.container.sidecar;

import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.LoopbackPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** A gateway of its own for each test, which starts what else it needs. */
@ExtendWith(LeftoverCheck.class)
abstract class SidecarScenario {
  /** Of a lease that servers grant, in milliseconds. */
  static final long TWO_SECONDS = 2_000;

  /** Of the keeper that clients look up. */
  final int port = LoopbackPort.free();

  SidecarBed bed;

  @BeforeEach
  void start(TestInfo test) throws Exception {
    bed = SidecarBed.of(test);
    bed.gateway();
  }

  @AfterEach
  void stopEverything() {
    if (bed != null) {
      bed.close();
    }
  }
}
