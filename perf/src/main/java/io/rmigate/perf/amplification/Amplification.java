package io.rmigate.perf.amplification;

import io.rmigate.perf.harness.Figures;
import io.rmigate.perf.harness.TextTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code perf/amplification}. */
public final class Amplification {
  private static final int MISSED = 1;
  private static final int WRONG_USAGE = 2;

  /** Times as long as if nothing waited. */
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

  /** Measures all, and says so; false: some are beyond the bound. */
  boolean run() throws IOException {
    List<Cost> costs = new ArrayList<>();
    try (InnerGateway gateway = new InnerGateway();
        InnerServices services = new InnerServices()) {
      for (InnerGateway.Link link : InnerGateway.Link.values()) {
        for (Graph graph : Graph.values()) {
          measure(new CallRequest(gateway, graph, link), costs);
        }
      }
      for (Request request : LinkFrames.requests(gateway)) {
        measure(request, costs);
      }
      for (Request request : WebRequests.requests(services)) {
        measure(request, costs);
      }
    }
    return report(costs, out);
  }

  /** Prints the table, and names what is beyond the bound; false: something is. */
  static boolean report(List<Cost> costs, PrintStream out) {
    TextTable table = new TextTable("request", "bytes", "client µs", "gateway µs", "ratio");
    costs.forEach(cost -> table.row(cost.cells()));
    out.printf("JDK %s%n%n%s%n", Runtime.version(), table);
    List<Cost> beyond = costs.stream().filter(cost -> !cost.isWithin()).toList();
    beyond.forEach(
        cost ->
            out.printf(
                "beyond %d times its client's: %s (%s)%n",
                Cost.TIMES, cost.request(), Figures.times(cost.ratio())));
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

  /** Until so much has been worked: what waits more than it works takes longer to be compiled. */
  private void warmUp(Request request) throws IOException {
    Meter meter = Meter.begin();
    long begin = System.nanoTime();
    long enough = TimeUnit.MILLISECONDS.toNanos(options.warmUpMillis());
    do {
      request.once(meter);
    } while (meter.playedNanos() < enough && System.nanoTime() - begin < LONGEST_WARM_UP * enough);
  }

  private static Cost.Round round(Request request, int millis) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    Meter meter = Meter.begin();
    long bytes = 0;
    int count = 0;
    do {
      bytes += request.once(meter);
      count++;
    } while (System.nanoTime() < end);
    double each = count * 1e3;
    return new Cost.Round(
        (double) bytes / count, meter.clientNanos() / each, meter.gatewayNanos() / each);
  }
}
