package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Measurements;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What one contestant is meant to reach, measured by another, or by the sum of several.
 *
 * @param atMost the limit is an upper one
 */
record Aim(
    String text, String metric, Contestant of, double limit, List<Contestant> to, boolean atMost) {

  static Aim atMost(String text, String metric, Contestant of, double limit, Contestant... to) {
    return new Aim(text, metric, of, limit, Arrays.asList(to), true);
  }

  static Aim atLeast(String text, String metric, Contestant of, double limit, Contestant... to) {
    return new Aim(text, metric, of, limit, Arrays.asList(to), false);
  }

  private double measured(Measurements<Contestant> measurements) {
    return measurements.ratio(metric, of, to).median();
  }

  boolean isMet(Measurements<Contestant> measurements) {
    double ratio = measured(measurements);
    return atMost ? ratio <= limit : ratio >= limit;
  }

  private String measure() {
    return to.stream().map(Contestant::label).collect(Collectors.joining(" + "));
  }

  /** The name of the aim: its contestant, its text and its measure. */
  String name() {
    return of.label() + ": " + text + " / " + measure();
  }

  String line(Measurements<Contestant> measurements) {
    return String.format(
        Locale.ROOT,
        "%s  %-7s  %-20s %s %.2f x %-13s measured %.2f",
        isMet(measurements) ? "pass" : "MISS",
        of.label(),
        text,
        atMost ? "<=" : ">=",
        limit,
        measure(),
        measured(measurements));
  }
}
