package io.rmigate.gateway.container.leases;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.LoopbackPort;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Nothing collected early, nothing leaked. Servers grant three seconds and collect garbage several
 * times a second.
 */
@ExtendWith(LeftoverCheck.class)
abstract class LeaseScenario {
  static final long LEASE_MILLIS = 3_000;

  /** Renewals at a third of the lease: what was not renewed has ended by then. */
  static final int MORE_THAN_ONE = 4;

  /** Of the keeper that clients look up. */
  final int port = LoopbackPort.free();

  LeaseBed bed;

  final void bed(TestInfo test, String... settings) throws Exception {
    bed = new LeaseBed(directory(test), settings);
  }

  /** As {@link LeaseBed#ofAnyObjects}. */
  final void bedOfAnyObjects(TestInfo test, String... settings) throws Exception {
    bed = LeaseBed.ofAnyObjects(directory(test), settings);
  }

  private Path directory(TestInfo test) throws Exception {
    return Files.createDirectories(
        BuiltArtefacts.workDirectory(getClass())
            .resolve(test.getTestMethod().orElseThrow().getName())
            .resolve(Long.toString(System.nanoTime()))); // not where an earlier run has been
  }

  @AfterEach
  void stopEverything() throws Exception {
    if (bed != null) {
      bed.close();
    }
  }
}
