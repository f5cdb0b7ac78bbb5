package io.rmigate.gateway.amplification;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The cost of one request: medians of rounds.
 *
 * @param bytes sent for one request, on average
 * @param clientMicros CPU time of the client, to make and send the request
 * @param gatewayMicros CPU time of the gateway, until the request has ended
 * @param ratio median of the ratios of gateway to client within each round
 */
record Cost(String request, double bytes, double clientMicros, double gatewayMicros, double ratio) {
  /** The bound of the ratio. */
  static final int TIMES = 10;

  /** The head of the table that {@link #row} continues, for {@code printf}. */
  static final String TITLES =
      """
      | request | bytes | client µs | gateway µs | ratio |%n|---|--:|--:|--:|--:|%n""";

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

  private static double median(List<Round> rounds, ToDoubleFunction<Round> value) {
    double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  boolean isWithin() {
    return ratio <= TIMES;
  }

  /** A row of the table, as Markdown. */
  String row() {
    return String.format(
        Locale.ROOT,
        "| %-52s | %9.0f | %9.1f | %10.1f | %5.1fx |%n",
        request,
        bytes,
        clientMicros,
        gatewayMicros,
        ratio);
  }
}
