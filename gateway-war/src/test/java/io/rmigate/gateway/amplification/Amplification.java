package io.rmigate.gateway.amplification;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Measures the CPU time of each request: the program of {@code perf/amplification}. */
public final class Amplification {
  private static final int MISSED = 1;
  private static final int WRONG_USAGE = 2;

  /** Limit of a warm-up, in multiples of the CPU time it is meant to take. */
  private static final int LONGEST_WARM_UP = 20;

  private final AmplificationOptions options;
  private final PrintStream out;

  Amplification(AmplificationOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /** Exit code: 0 all are within the bound, 1 some are not, 2 wrong usage. */
  public static void main(String[] words) throws IOException {
    AmplificationOptions options;
    try {
      options = AmplificationOptions.parse(words);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(WRONG_USAGE);
      return;
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.exit(new Amplification(options, out).run() ? 0 : MISSED);
  }

  /** Measures all requests and prints the table; false: a ratio is beyond the bound. */
  boolean run() throws IOException {
    List<Cost> costs = new ArrayList<>();
    forEachRequest(request -> measure(request, costs));
    return report(costs, out);
  }

  /** Handles one request of all. */
  interface RequestAction {
    void run(Request request) throws IOException;
  }

  /** Makes one request after the other, for one gateway. */
  static void forEachRequest(RequestAction action) throws IOException {
    try (MeasuredGateway gateway = new MeasuredGateway();
        MeasuredServices services = new MeasuredServices()) {
      for (MeasuredGateway.Link link : MeasuredGateway.Link.values()) {
        for (Graph graph : Graph.values()) {
          action.run(new CallRequest(gateway, graph, link));
        }
      }
      for (Request request : LinkFrames.requests(gateway)) {
        action.run(request);
      }
      for (Request request : WebRequests.requests(services)) {
        action.run(request);
      }
    }
  }

  /** Prints the table and names the requests beyond the bound; false: there are such requests. */
  static boolean report(List<Cost> costs, PrintStream out) {
    out.printf("JDK %s%n%n", Runtime.version());
    out.printf(Cost.TITLES);
    costs.forEach(cost -> out.print(cost.row()));
    out.println();
    List<Cost> beyond = costs.stream().filter(cost -> !cost.isWithin()).toList();
    beyond.forEach(
        cost ->
            out.printf(
                Locale.ROOT,
                "beyond %d times its client's: %s (%.1fx)%n",
                Cost.TIMES,
                cost.request(),
                cost.ratio()));
    return beyond.isEmpty();
  }

  private void measure(Request measured, List<Cost> costs) throws IOException {
    try (Request request = measured) {
      if (!request.name().contains(options.only())) {
        return;
      }
      warmUp(request);
      List<Cost.Round> rounds = new ArrayList<>();
      for (int i = 0; i < options.rounds(); i++) {
        rounds.add(round(request, options.roundMillis()));
      }
      costs.add(Cost.of(request.name(), rounds));
    }
  }

  /** Repeats the request until both sides have worked long enough for its code to be compiled. */
  private void warmUp(Request request) throws IOException {
    Meter meter = Meter.begin(Meter.Resource.CPU_NANOS);
    long begin = System.nanoTime();
    long enough = TimeUnit.MILLISECONDS.toNanos(options.warmUpMillis());
    do {
      request.once(meter);
    } while (meter.played() < enough && System.nanoTime() - begin < LONGEST_WARM_UP * enough);
  }

  private static Cost.Round round(Request request, int millis) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    Meter meter = Meter.begin(Meter.Resource.CPU_NANOS);
    long bytes = 0;
    int count = 0;
    do {
      bytes += request.once(meter);
      count++;
    } while (System.nanoTime() < end);
    double each = count * 1e3;
    return new Cost.Round((double) bytes / count, meter.client() / each, meter.gateway() / each);
  }
}
