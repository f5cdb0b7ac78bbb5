package io.rmigate.perf.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.perf.ways.Approach;
import io.rmigate.perf.ways.Way;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.prefs.Preferences;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** The parts that need neither Gatling's engine nor another JVM. */
class GatlingTest {
  @Test
  void planComesBackFromItsProperty() {
    Approach approach =
        new Approach(
            Way.POST,
            "inside.example",
            1099,
            Optional.of(URI.create("http://gateway.example:8080/rmigate")),
            Optional.of(URI.create("http://anna@localhost:3128")),
            Optional.of("/some/file"),
            Optional.of(Duration.ofSeconds(2)));
    Plan plan =
        new Plan(
            approach,
            new Load(
                List.of(new Level(Level.Model.CLOSED, 16), new Level(Level.Model.OPEN, 0.25)),
                Duration.ofSeconds(10),
                Duration.ZERO),
            Duration.ofSeconds(35),
            true,
            Path.of("/some/outcome.json"));
    assertThat(Plan.parse(plan.text())).isEqualTo(plan);
  }

  @Test
  void noWayIsExpectedBothToPassAndToBeRefused() {
    for (Scenario scenario : Scenario.all()) {
      assertThat(scenario.passing()).as(scenario.name()).noneMatch(scenario.refused()::contains);
      assertThat(GatlingOptions.ALL).containsAll(scenario.passing());
      assertThat(scenario.passing())
          .as("auto gets through each path that lets any way through")
          .contains(Way.AUTO);
    }
    assertThat(Scenario.all()).extracting(Scenario::name).doesNotHaveDuplicates();
  }

  @Test
  void slowLinksHaveFewerUsers() {
    List<Level> wanted =
        List.of(
            new Level(Level.Model.CLOSED, 1),
            new Level(Level.Model.CLOSED, 64),
            new Level(Level.Model.CLOSED, 256),
            new Level(Level.Model.OPEN, 16));
    assertThat(Scenario.named("open").users().levels(wanted)).isEqualTo(wanted);
    assertThat(Scenario.named("link-gsm").users().levels(wanted))
        .extracting(Level::label)
        .containsExactly("closed-1", "closed-16", "open-0.096");
  }

  @Test
  void optionsAreChecked() {
    GatlingOptions options =
        GatlingOptions.parse("--short", "--ways", "post,json", "--model", "open");
    assertThat(options.anySpeed()).isTrue();
    assertThat(GatlingOptions.parse("open").anySpeed()).isFalse();
    assertThat(GatlingOptions.parse("open", "--any-speed").anySpeed()).isTrue();
    assertThat(options.scenarios()).hasSize(6);
    assertThat(options.load().levels())
        .extracting(Level::label)
        .containsExactly("open-1", "open-16");
    assertThatThrownBy(() -> GatlingOptions.parse()).hasMessageContaining("a scenario");
    assertThatThrownBy(() -> GatlingOptions.parse("moon"))
        .hasMessageContaining("no scenario \"moon\"");
    assertThatThrownBy(() -> GatlingOptions.parse("open", "--users", "1000"))
        .hasMessageContaining("1 to 256 users");
    assertThatThrownBy(() -> GatlingOptions.parse("open", "--ways", "servlet"))
        .hasMessageContaining("servlet");
  }

  @Test
  void tallyCountsAndTakesQuantilesInNanoseconds() {
    Tally tally = new Tally();
    for (int i = 1; i <= 2_000; i++) {
      tally.succeeded("closed-1", "getter", 0, i * 1_000L);
    }
    tally.failed("closed-1", "getter", 0, 9_000_000, new IOException("gone"));
    tally.failed("closed-1", "getter", 0, 1_000, new IOException("gone again"));

    Outcome outcome = tally.outcomes(Duration.ofSeconds(1)).get(0);

    assertThat(outcome.succeeded()).isEqualTo(2_000);
    assertThat(outcome.times().p50()).isEqualTo(1_000);
    assertThat(outcome.times().max()).isEqualTo(2_000);
    assertThat(outcome.perSecond()).isEqualTo(2_000);
    assertThat(outcome.failed()).isEqualTo(2);
    assertThat(outcome.failures().first()).contains("gone").doesNotContain("again");
    assertThat(outcome.failures().longestMicros()).isEqualTo(9_000);
  }

  @Test
  void summaryComparesMediansAndOneBrokenExpectationIsEnough() throws Exception {
    WayRun direct = way(Way.DIRECT, true, 100);
    WayRun webSocket = way(Way.WEBSOCKET, true, 140);
    Summary good = summary(direct, webSocket);
    assertThat(good.isAsExpected()).isTrue();
    assertThat(good.text())
        .contains("pass: rmigate WebSocket / plain RMI at most 1.50, measured 1.40")
        .contains("[HTML](open-websocket/index.html)");

    Summary bad = summary(direct, way(Way.WEBSOCKET, false, 200));
    assertThat(bad.isAsExpected()).isFalse();
    assertThat(bad.text())
        .contains("**NOT so**")
        .contains("MISS: rmigate WebSocket / plain RMI at most 1.50, measured 2.00");
  }

  @Test
  void aWayFarSlowerThanPlainRmiIsTooSlowUnlessNothingIsKnownOfPlainRmi() {
    Summary within = summary(way(Way.DIRECT, true, 100), way(Way.WEBSOCKET, true, 399));
    assertThat(within.tooSlow()).isEmpty();

    Summary beyond =
        summary(
            way(Way.DIRECT, true, 100), way(Way.WEBSOCKET, true, 401), way(Way.SOAP, true, 401));
    assertThat(beyond.tooSlow())
        .containsExactly(
            "open: rmigate WebSocket takes 4.01 times as long as plain RMI, more than 4.0");
    assertThat(beyond.text()).contains("## Too slow");

    assertThat(summary(way(Way.WEBSOCKET, true, 401)).tooSlow()).isEmpty();
  }

  private static Summary summary(WayRun... ways) {
    Scenario open = Scenario.named("open");
    List<Level> levels = List.of(new Level(Level.Model.CLOSED, 1));
    return new Summary(
        Map.of("jdk", "17"), List.of(new Summary.ScenarioRun(open, levels, List.of(ways))));
  }

  private static WayRun way(Way way, boolean asExpected, double micros) {
    Outcome getters =
        new Outcome(
            "closed-1",
            "getter",
            8,
            0,
            1,
            new Outcome.Times(micros, micros, micros, micros, micros),
            new Outcome.Failures(0, ""));
    return new WayRun(
        way, true, asExpected, "open-" + way.label() + "/index.html", List.of(getters));
  }

  @Test
  void plotIsWellFormedWithALineForEachWayThatPassed() throws Exception {
    String svg =
        summary(way(Way.DIRECT, true, 100), way(Way.POST, true, 150)).runs().get(0).plot().svg();
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(2);
    assertThat(svg).contains(">plain RMI<").contains(">rmigate POST<").doesNotContain("NaN");
  }

  @Test
  void gatlingFindsThatItHasLookedForANewerRelease() {
    Preferences node = new QuietPreferences.Factory().userRoot().node("/io/gatling/latestVersion");
    assertThat(node.getBoolean("lastCheckSuccess", false)).isTrue();
    assertThat(System.currentTimeMillis() - node.getLong("lastCheckTimestamp", 0))
        .isLessThan(86_400);
  }
}
