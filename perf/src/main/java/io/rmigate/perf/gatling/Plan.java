package io.rmigate.perf.gatling;

import io.rmigate.perf.ways.Approach;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one run of Gatling does.
 *
 * @param levels one after the other
 * @param duration of each
 * @param warmUp before the first
 * @param pause of each user between its lookup and its calls
 * @param passes whether the way is expected to get through; else each lookup must fail
 * @param outcome the file to write what was measured to
 */
public record Plan(
    Approach approach,
    List<Level> levels,
    Duration duration,
    Duration warmUp,
    Duration pause,
    boolean passes,
    Path outcome) {
  /** The system property with which the simulation, which Gatling makes, gets its plan. */
  static final String PROPERTY = "rmigate.plan";

  private static final String SEPARATOR = "\n";

  /** For {@link #PROPERTY}. */
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(String.join(",", levels.stream().map(Level::label).toList()));
    lines.add(duration.toString());
    lines.add(warmUp.toString());
    lines.add(pause.toString());
    lines.add(Boolean.toString(passes));
    lines.add(outcome.toString());
    lines.addAll(approach.arguments());
    return String.join(SEPARATOR, lines);
  }

  /** Takes back what {@link #text} has made. */
  static Plan parse(String text) {
    List<String> lines = List.of(text.split(SEPARATOR, -1));
    return new Plan(
        Approach.parse(lines.subList(6, lines.size())),
        Arrays.stream(lines.get(0).split(",", -1)).map(Level::parse).toList(),
        Duration.parse(lines.get(1)),
        Duration.parse(lines.get(2)),
        Duration.parse(lines.get(3)),
        Boolean.parseBoolean(lines.get(4)),
        Path.of(lines.get(5)));
  }
}
