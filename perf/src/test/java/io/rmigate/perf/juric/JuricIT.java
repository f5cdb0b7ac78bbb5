package io.rmigate.perf.juric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rmigate.perf.ways.Way;
import io.rmigate.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command with real JVMs and few calls; no times. Skipped where the gateway is not built. */
@Tag(Tier.FULL)
class JuricIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void eachRunHasAValueForEachOperationOfEachWay() throws Exception {
    assumeTrue(
        Files.exists(ROOT.resolve("gateway-war/target/rmigate.war")), "gateway-war is not built");
    JuricOptions options =
        JuricOptions.parse(
            "--root",
            ROOT.toString(),
            "--rounds",
            "2",
            "--calls",
            "3",
            "--warm-up",
            "2",
            "--shared");

    JuricReport report = Juric.run(options, "perf/papers juric");

    assertThat(options.ways()).hasSize(7);
    for (Way way : options.ways()) {
      for (Operation operation : Operation.values()) {
        assertThat(report.measured().values(operation.label(), way))
            .as("%s by %s", operation, way)
            .hasSize(operation.isPartOf(way) ? 2 : 0)
            .allMatch(micros -> micros > 0);
      }
    }
  }
}
