package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Measurements;
import java.util.List;
import java.util.Locale;

/**
 * What rmigate is meant to reach.
 *
 * @param atMost the limit is an upper one
 */
record Aim(String text, String metric, Contestant to, double limit, boolean atMost) {
  static final List<Aim> ALL =
      List.of(
          new Aim("getters p50", "t1.getters.p50", Contestant.PLAIN, 1.5, true),
          new Aim("getters p50", "t1.getters.p50", Contestant.RELAY, 1.1, true),
          new Aim("8 threads, calls/s", "t8.rate", Contestant.PLAIN, 0.6, false),
          new Aim("64 threads, calls/s", "t64.rate", Contestant.PLAIN, 0.6, false));

  boolean isMet(Measurements<Contestant> measurements) {
    double ratio = measurements.ratio(metric, Contestant.RMIGATE, to).median();
    return atMost ? ratio <= limit : ratio >= limit;
  }

  String line(Measurements<Contestant> measurements) {
    return String.format(
        Locale.ROOT,
        "%s  %-20s %s %.2f x %-6s measured %.2f",
        isMet(measurements) ? "pass" : "MISS",
        text,
        atMost ? "<=" : ">=",
        limit,
        to.label(),
        measurements.ratio(metric, Contestant.RMIGATE, to).median());
  }
}
