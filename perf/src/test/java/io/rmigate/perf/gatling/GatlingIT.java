package io.rmigate.perf.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command with real JVMs, and Gatling in one; no times. Skipped where the gateway is not built.
 */
class GatlingIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path out;

  @Test
  void aWayThatPassesWithoutUpgradesHasNoFailureInSummaryAndReport() throws Exception {
    assumeTrue(
        Files.exists(ROOT.resolve("gateway-war/target/rmigate.war")), "gateway-war is not built");
    GatlingOptions options =
        GatlingOptions.parse(
            "no-upgrade",
            "--root",
            ROOT.toString(),
            "--ways",
            "post",
            "--users",
            "1",
            "--model",
            "closed",
            "--seconds",
            "1",
            "--warm-up",
            "0",
            "--out",
            out.toString());

    GatlingCommand.run(options, "perf/gatling no-upgrade");

    JsonNode summary = new ObjectMapper().readTree(out.resolve("summary.json").toFile());
    assertThat(summary.get("asExpected").asBoolean()).isTrue();
    JsonNode way = summary.at("/scenarios/0/ways/0");
    assertThat(way.get("way").asText()).isEqualTo("POST");
    long lookups = way.at("/outcomes/1/succeeded").asLong();
    assertThat(lookups).isPositive();
    assertThat(way.at("/outcomes/0/succeeded").asLong()).isEqualTo(8 * lookups);
    assertThat(way.at("/outcomes/0/failed").asLong()).isZero();
    assertThat(out.resolve(way.get("report").asText())).content().contains("Gatling");
    assertThat(out.resolve("no-upgrade.svg")).exists();
  }
}
