package io.rmigate.perf.amplification;

import io.rmigate.perf.harness.Figures;
import io.rmigate.perf.harness.Samples;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What one request takes: medians of rounds.
 *
 * @param bytes as it was sent, on average
 * @param clientMicros CPU time to make and send it
 * @param gatewayMicros CPU time until its end
 * @param ratio of the latter to the former, within a round
 */
record Cost(String request, double bytes, double clientMicros, double gatewayMicros, double ratio) {
  /** The bound. */
  static final int TIMES = 10;

  /** One round. */
  record Round(double bytes, double clientMicros, double gatewayMicros) {
    double ratio() {
      return gatewayMicros / clientMicros;
    }
  }

  static Cost of(String request, List<Round> rounds) {
    return new Cost(
        request,
        median(rounds, Round::bytes),
        median(rounds, Round::clientMicros),
        median(rounds, Round::gatewayMicros),
        median(rounds, Round::ratio));
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> what) {
    return Samples.median(rounds.stream().map(what::applyAsDouble).toList());
  }

  boolean isWithin() {
    return ratio <= TIMES;
  }

  String[] cells() {
    return new String[] {
      request,
      Figures.count(bytes),
      micros(clientMicros),
      micros(gatewayMicros),
      Figures.times(ratio)
    };
  }

  private static String micros(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }
}
