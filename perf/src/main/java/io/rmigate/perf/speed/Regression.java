package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Measurements;
import io.rmigate.perf.harness.Samples;
import java.util.List;
import java.util.Locale;

/**
 * How one metric of a build compares with the metric of an earlier build in the rounds of one run.
 *
 * @param ratio the later build over the earlier one, by round
 * @param isCost whether a smaller value is better
 */
record Regression(String label, List<Double> ratio, boolean isCost) {
  /** A metric may be worse by this share. */
  private static final double TOLERANCE = 0.05;

  private record Metric(String name, String label, boolean isCost) {}

  private static final List<Metric> METRICS =
      List.of(
          new Metric("t1.getters.p50", "getters p50", true),
          new Metric("t1.ping.p50", "ping p50", true),
          new Metric("t8.rate", "8 threads, calls/s", false),
          new Metric("t64.rate", "64 threads, calls/s", false),
          new Metric("t1.bytes.gateway", "bytes/call, gateway", true),
          new Metric("t1.bytes.client", "bytes/call, client", true),
          new Metric("t64.cpu.gateway", "64 thr. CPU/call, gateway", true));

  static List<Regression> of(Measurements<Contestant> measurements) {
    return METRICS.stream()
        .map(
            metric ->
                new Regression(
                    metric.label(),
                    measurements.ratios(
                        metric.name(), Contestant.RMIGATE, List.of(Contestant.BEFORE)),
                    metric.isCost()))
        .toList();
  }

  static boolean isAny(Measurements<Contestant> measurements) {
    return of(measurements).stream().anyMatch(Regression::isWorse);
  }

  /** Whether the later build is worse beyond tolerance and noise, or was not measured. */
  boolean isWorse() {
    if (ratio.isEmpty()) {
      return true;
    }
    Samples.Interval median = Samples.ofMedian(ratio);
    return isCost ? median.low() > 1 + TOLERANCE : median.high() < 1 - TOLERANCE;
  }

  String line() {
    if (ratio.isEmpty()) {
      return "WORSE  " + label + ": not measured";
    }
    Samples.Interval median = Samples.ofMedian(ratio);
    return String.format(
        Locale.ROOT,
        "%s  %-26s %.3f of before (%.3f-%.3f), may be %.2f",
        isWorse() ? "WORSE" : "pass ",
        label,
        Samples.median(ratio),
        median.low(),
        median.high(),
        isCost ? 1 + TOLERANCE : 1 - TOLERANCE);
  }
}
