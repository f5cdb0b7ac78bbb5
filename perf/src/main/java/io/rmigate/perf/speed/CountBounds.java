package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Measurements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The highest counts that a build may have: the file {@code perf/count-bounds}.
 *
 * @param byMetric by the names of {@link Counts}
 */
record CountBounds(Map<String, Bound> byMetric) {
  /** A line of {@link #check} begins so if a count is beyond its bound. */
  static final String BEYOND = "BEYOND";

  /**
   * A bound.
   *
   * @param overPlain whether plain RMI's count is subtracted first
   */
  record Bound(double most, boolean overPlain) {}

  static CountBounds read(Path file) throws IOException {
    return parse(Files.readAllLines(file));
  }

  /** Parses lines of {@code metric bound}, or {@code metric bound over-plain}. */
  static CountBounds parse(List<String> lines) {
    Map<String, Bound> bounds = new TreeMap<>();
    for (String line : lines) {
      String[] words = line.strip().split(" +", -1);
      if (words.length >= 2 && !line.startsWith("#")) {
        bounds.put(words[0], new Bound(Double.parseDouble(words[1]), words.length > 2));
      }
    }
    return new CountBounds(bounds);
  }

  /** One line for each bound. */
  List<String> check(Measurements<Contestant> measured) {
    List<String> lines = new ArrayList<>();
    byMetric.forEach(
        (metric, bound) -> {
          double count = measured.median(metric, Contestant.RMIGATE);
          if (bound.overPlain()) {
            count -= measured.median(metric, Contestant.PLAIN);
          }
          String word =
              Double.isNaN(count) && metric.contains("syscalls")
                  ? "skipped"
                  : count <= bound.most() ? "within" : BEYOND;
          String over = bound.overPlain() ? " over plain RMI" : "";
          lines.add(
              String.format(
                  Locale.ROOT,
                  "%-8s %s%s: %.1f, at most %.1f",
                  word,
                  metric,
                  over,
                  count,
                  bound.most()));
        });
    return lines;
  }
}
