package io.rmigate.perf.gatling;

import io.rmigate.perf.ways.Approach;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One run of Gatling.
 *
 * @param pause of each user between its lookup and its calls
 * @param passes whether the way is expected to get through; else each lookup must fail
 * @param outcome the file for the results
 */
public record Plan(Approach approach, Load load, Duration pause, boolean passes, Path outcome) {
  /** The system property with which the simulation, which Gatling makes, gets its plan. */
  static final String PROPERTY = "rmigate.plan";

  private static final String SEPARATOR = "\n";

  /** For {@link #PROPERTY}. */
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(String.join(",", load.levels().stream().map(Level::label).toList()));
    lines.add(load.duration().toString());
    lines.add(load.warmUp().toString());
    lines.add(pause.toString());
    lines.add(Boolean.toString(passes));
    lines.add(outcome.toString());
    lines.addAll(approach.arguments());
    return String.join(SEPARATOR, lines);
  }

  /** Parses the result of {@link #text}. */
  static Plan parse(String text) {
    List<String> lines = List.of(text.split(SEPARATOR, -1));
    return new Plan(
        Approach.parse(lines.subList(6, lines.size())),
        new Load(
            Arrays.stream(lines.get(0).split(",", -1)).map(Level::parse).toList(),
            Duration.parse(lines.get(1)),
            Duration.parse(lines.get(2))),
        Duration.parse(lines.get(3)),
        Boolean.parseBoolean(lines.get(4)),
        Path.of(lines.get(5)));
  }
}
