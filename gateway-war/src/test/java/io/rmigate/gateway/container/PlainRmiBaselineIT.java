package io.rmigate.gateway.container;

import io.rmigate.gateway.container.probe.Inside;
import io.rmigate.gateway.container.probe.Way;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract without a tunnel: what the others expect is what stock RMI does. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class PlainRmiBaselineIT {
  private InsideServers servers;
  private ProbeRun probe;

  @BeforeAll
  void start() throws Exception {
    Path directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    InsideHosts hosts = InsideHosts.ofAllTests();
    servers = InsideServers.start(directory, hosts);
    Inside inside = ProbeRun.inside(servers, 2_000, 1);
    probe =
        new ProbeRun(
            "plain", directory, List.of(hosts.insideOption()), inside, Duration.ofSeconds(60));
  }

  @AfterAll
  void stop() throws Exception {
    try {
      if (probe != null) {
        probe.close();
      }
    } finally {
      if (servers != null) {
        servers.close();
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> plainRmi() {
    return probe.tests(Way.PLAIN_RMI, servers.sample());
  }
}
