package io.rmigate.perf.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command with real JVMs, and Gatling in one; no times. Skipped where the gateway is not built.
 */
@Tag(Tier.FULL)
class GatlingIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path out;

  @Test
  void theWayThatFindsItselfHasNoFailureInAnyNetworkNorInSummaryAndReport() throws Exception {
    assumeTrue(
        Files.exists(ROOT.resolve("gateway-war/target/rmigate.war")), "gateway-war is not built");
    List<String> scenarios = List.of("drop", "proxy-basic", "no-upgrade", "buffering");
    List<String> arguments = new ArrayList<>(scenarios);
    arguments.addAll(List.of("--root", ROOT.toString(), "--out", out.toString()));
    arguments.addAll(List.of("--ways", "auto", "--users", "1", "--model", "closed"));
    arguments.addAll(List.of("--seconds", "1", "--warm-up", "0"));
    GatlingOptions options = GatlingOptions.parse(arguments.toArray(String[]::new));

    GatlingCommand.run(options, "perf/gatling " + String.join(" ", scenarios));

    JsonNode summary = new ObjectMapper().readTree(out.resolve("summary.json").toFile());
    assertThat(summary.get("asExpected").asBoolean()).as(summary.toPrettyString()).isTrue();
    assertThat(summary.get("scenarios")).hasSameSizeAs(scenarios);
    for (JsonNode scenario : summary.get("scenarios")) {
      String name = scenario.get("scenario").asText();
      JsonNode way = scenario.at("/ways/0");
      assertThat(way.get("way").asText()).isEqualTo("AUTO");
      long lookups = way.at("/outcomes/1/succeeded").asLong();
      assertThat(lookups).as(name).isPositive();
      assertThat(way.at("/outcomes/0/succeeded").asLong()).as(name).isEqualTo(8 * lookups);
      assertThat(way.at("/outcomes/0/failed").asLong()).as(name).isZero();
      assertThat(out.resolve(way.get("report").asText())).content().contains("Gatling");
      assertThat(out.resolve(name + ".svg")).exists();
    }
  }
}
