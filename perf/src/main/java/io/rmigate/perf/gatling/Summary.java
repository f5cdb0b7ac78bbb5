package io.rmigate.perf.gatling;

import io.rmigate.perf.report.Figures;
import io.rmigate.perf.report.LinePlot;
import io.rmigate.perf.report.TextTable;
import io.rmigate.perf.ways.Way;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The results of all runs, as Markdown and as JSON. */
record Summary(Map<String, String> circumstances, List<ScenarioRun> runs) {

  /**
   * A scenario's.
   *
   * @param levels that the passing ways had
   */
  record ScenarioRun(Scenario scenario, List<Level> levels, List<WayRun> ways) {
    private Optional<WayRun> of(Way way) {
      return ways.stream().filter(run -> run.way() == way && run.expectedToPass()).findFirst();
    }

    /** The median of a way's getters, in microseconds. */
    private Optional<Double> median(Way way, Level level) {
      return of(way)
          .flatMap(run -> run.outcome(level.label(), TesterSimulation.GETTER))
          .filter(outcome -> outcome.succeeded() > 0)
          .map(outcome -> outcome.times().p50());
    }

    private Optional<Double> ratio(Way way, Way to, Level level) {
      return median(way, level).flatMap(over -> median(to, level).map(under -> over / under));
    }

    /** Response time against users, of a closed model, or of an open one if there is no closed. */
    LinePlot plot() {
      boolean closed = levels.stream().anyMatch(level -> level.model() == Level.Model.CLOSED);
      Level.Model model = closed ? Level.Model.CLOSED : Level.Model.OPEN;
      LinePlot plot =
          new LinePlot(
              "Response time against users: " + scenario.name(),
              scenario.description() + "; median of getters",
              closed ? "users at a time" : "users each second",
              "ms");
      for (WayRun run : ways) {
        if (run.expectedToPass()) {
          List<LinePlot.Point> points = new ArrayList<>();
          for (Level level : levels) {
            if (level.model() == model) {
              median(run.way(), level)
                  .ifPresent(micros -> points.add(new LinePlot.Point(level.users(), micros / 1e3)));
            }
          }
          plot.line(run.way().title(), points);
        }
      }
      return plot;
    }
  }

  /** One way's median over another's at one user, where both get through. */
  private record Aim(Way way, Way to, double limit) {
    static final List<Aim> ALL =
        List.of(
            new Aim(Way.WEBSOCKET, Way.DIRECT, 1.5),
            new Aim(Way.POST, Way.DIRECT, 1.9),
            new Aim(Way.POST, Way.WEBSOCKET, 1.25));

    String name() {
      return way.title() + " / " + to.title();
    }
  }

  /**
   * How many times plain RMI's a way's median may be at one user before something is wrong with it:
   * twice and more what is measured on a quiet machine ({@code docs/perf/users.md}), so that a busy
   * one does not exceed it by itself.
   */
  private static final Map<Way, Double> BOUNDS =
      Map.of(
          Way.CONNECT, 4.0,
          Way.WEBSOCKET, 4.0,
          Way.POST, 5.0,
          Way.AUTO, 5.0,
          Way.SOAP, 12.0,
          Way.JSON, 10.0);

  private static final Level ONE_USER = new Level(Level.Model.CLOSED, 1);

  /** Whether every way did what it was expected to do. */
  boolean isAsExpected() {
    return runs.stream().flatMap(run -> run.ways().stream()).allMatch(WayRun::asExpected);
  }

  /** Ways that exceed their bound somewhere, one line each. */
  List<String> tooSlow() {
    List<String> tooSlow = new ArrayList<>();
    for (ScenarioRun run : runs) {
      for (WayRun each : run.ways()) {
        Way way = each.way();
        run.ratio(way, Way.DIRECT, ONE_USER)
            .filter(ratio -> ratio > BOUNDS.getOrDefault(way, Double.MAX_VALUE))
            .ifPresent(
                ratio ->
                    tooSlow.add(
                        String.format(
                            Locale.ROOT,
                            "%s: %s takes %.2f times as long as plain RMI, more than %.1f",
                            run.scenario().name(),
                            way.title(),
                            ratio,
                            BOUNDS.get(way))));
      }
    }
    return tooSlow;
  }

  /** Markdown. */
  String text() {
    StringBuilder text = new StringBuilder();
    circumstances.forEach(
        (name, value) -> text.append("- ").append(name).append(": ").append(value).append('\n'));
    for (ScenarioRun run : runs) {
      text.append("\n## ").append(run.scenario().name()).append("\n\n");
      text.append(run.scenario().description()).append(".\n\n").append(verdicts(run));
      text.append("\nMilliseconds; getters' p50 over plain RMI's at the same level\n\n");
      text.append(times(run));
      String aims = aims(run);
      if (!aims.isEmpty()) {
        text.append("\nAims, getters' p50 with one user\n\n").append(aims);
      }
    }
    List<String> tooSlow = tooSlow();
    if (!tooSlow.isEmpty()) {
      text.append("\n## Too slow\n\n");
      tooSlow.forEach(line -> text.append("- ").append(line).append('\n'));
    }
    return text.toString();
  }

  private static TextTable verdicts(ScenarioRun run) {
    TextTable table = new TextTable("way", "expected", "came", "failed", "first failure", "report");
    for (WayRun way : run.ways()) {
      long failed = way.outcomes().stream().mapToLong(Outcome::failed).sum();
      table.row(
          way.way().title(),
          way.expectedToPass() ? "passes" : "is refused",
          way.asExpected() ? "as expected" : "**NOT so**",
          Long.toString(failed),
          way.outcomes().stream()
              .map(outcome -> outcome.failures().first())
              .filter(failure -> !failure.isEmpty())
              .findFirst()
              .map(Summary::inCell)
              .orElse("-"),
          "[HTML](" + way.report() + ")");
    }
    return table;
  }

  /** No line ends, no bars, and not too long. */
  private static String inCell(String text) {
    String line = text.replace('\n', ' ').replace('|', '/');
    return line.length() <= 160 ? line : line.substring(0, 159) + "…";
  }

  private static TextTable times(ScenarioRun run) {
    TextTable table =
        new TextTable(
            "level", "way", "lookup p50", "getter p50", "p95", "p99", "calls/s", "/ plain RMI");
    for (Level level : run.levels()) {
      for (WayRun way : run.ways()) {
        Optional<Outcome> getters = way.outcome(level.label(), TesterSimulation.GETTER);
        if (way.expectedToPass() && getters.isPresent()) {
          table.row(
              level.label(),
              way.way().title(),
              way.outcome(level.label(), TesterSimulation.LOOKUP)
                  .map(lookup -> millis(lookup.times().p50()))
                  .orElse("-"),
              millis(getters.get().times().p50()),
              millis(getters.get().times().p95()),
              millis(getters.get().times().p99()),
              Figures.count(getters.get().perSecond()),
              run.ratio(way.way(), Way.DIRECT, level).map(Summary::times).orElse("-"));
        }
      }
    }
    return table;
  }

  private static String millis(double micros) {
    return String.format(Locale.ROOT, micros < 100_000 ? "%.3f" : "%.0f", micros / 1e3);
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }

  private static String aims(ScenarioRun run) {
    StringBuilder text = new StringBuilder();
    for (Aim aim : Aim.ALL) {
      run.ratio(aim.way(), aim.to(), ONE_USER)
          .ifPresent(
              ratio ->
                  text.append(
                      String.format(
                          Locale.ROOT,
                          "- %s: %s at most %.2f, measured %.2f%n",
                          ratio <= aim.limit() ? "pass" : "MISS",
                          aim.name(),
                          aim.limit(),
                          ratio)));
    }
    return text.toString();
  }

  /** For JSON. */
  Map<String, Object> values() {
    Map<String, Object> root = new LinkedHashMap<>(circumstances);
    List<Object> scenarios = new ArrayList<>();
    for (ScenarioRun run : runs) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("scenario", run.scenario().name());
      entry.put("description", run.scenario().description());
      entry.put("ways", run.ways());
      Map<String, Object> ratios = new LinkedHashMap<>();
      for (Aim aim : Aim.ALL) {
        run.ratio(aim.way(), aim.to(), ONE_USER)
            .ifPresent(
                ratio ->
                    ratios.put(
                        aim.name(),
                        Map.of(
                            "measured",
                            ratio,
                            "atMost",
                            aim.limit(),
                            "met",
                            ratio <= aim.limit())));
      }
      entry.put("aims", ratios);
      scenarios.add(entry);
    }
    root.put("scenarios", scenarios);
    root.put("asExpected", isAsExpected());
    root.put("tooSlow", tooSlow());
    return root;
  }
}
