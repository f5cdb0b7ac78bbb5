package io.rmigate.perf.jmh;

import io.rmigate.perf.harness.Samples;
import io.rmigate.perf.jmh.ScannerBenchmark.Graph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * {@code perf/scanner}: runs both benchmarks, the scanner and the reader of a graph in turns, each
 * in a JVM of its own, and compares them within a round: machines get slower and faster again
 * within minutes. Exits with 1 where an aim is missed.
 */
public final class ScannerReport {
  private static final int ROUNDS = 5;
  private static final double TIMES_AS_FAST = 5;
  private static final double PERCENT_OF_A_CALL = 6;

  private final CommandLineOptions options;
  private boolean missed;

  private ScannerReport(CommandLineOptions options) {
    this.options = options;
  }

  /**
   * Takes JMH's own options; {@code -f} is how many rounds there are. With {@code -p graph=} it is
   * these graphs only, without the small call.
   */
  public static void main(String[] arguments) throws Exception {
    CommandLineOptions options = new CommandLineOptions(arguments);
    ScannerReport report = new ScannerReport(options);
    List<String> lines = new ArrayList<>(report.graphs());
    if (!options.getParameter("graph").hasValue()) {
      lines.add(report.smallCall());
    }
    System.out.printf("%nJDK %s%n", Runtime.version());
    lines.forEach(System.out::println);
    System.exit(report.missed ? 1 : 0);
  }

  private List<String> graphs() throws RunnerException {
    Collection<String> graphs =
        options.getParameter("graph").orElse(Stream.of(Graph.values()).map(Graph::name).toList());
    int rounds = options.getForkCount().orElse(ROUNDS);
    List<String> lines = new ArrayList<>();
    for (String graph : graphs) {
      List<Double> scanner = new ArrayList<>();
      List<Double> reader = new ArrayList<>();
      List<Double> times = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        Map<String, Double> nanos =
            medians(builder(ScannerBenchmark.class).param("graph", graph).build());
        scanner.add(nanos.get("scanner"));
        reader.add(nanos.get("reader"));
        times.add(nanos.get("reader") / nanos.get("scanner"));
      }
      times.sort(null);
      lines.add(
          String.format(
              "%-10s scanner %,10.0f ns  reader %,10.0f ns  %5.1f times (%.1f to %.1f)%s",
              graph,
              Samples.median(scanner),
              Samples.median(reader),
              Samples.median(times),
              times.get(0),
              times.get(times.size() - 1),
              verdict(Samples.median(times) >= TIMES_AS_FAST, "at least 5")));
    }
    return lines;
  }

  private String smallCall() throws RunnerException {
    Map<String, Double> nanos = medians(builder(JudgeBenchmark.class).build());
    double percent = 100 * nanos.get("judge") / nanos.get("plainCall");
    return String.format(
        "a small call: judged in %,.0f ns, by plain RMI %,.0f ns (p50), %.1f %%%s",
        nanos.get("judge"),
        nanos.get("plainCall"),
        percent,
        verdict(percent <= PERCENT_OF_A_CALL, "at most 6 %"));
  }

  private String verdict(boolean reached, String aim) {
    missed |= !reached;
    return reached ? "" : "  the aim, " + aim + ", is missed";
  }

  private OptionsBuilder builder(Class<?> benchmark) {
    OptionsBuilder builder = new OptionsBuilder();
    builder.parent(options).include(benchmark.getSimpleName()).forks(1).shouldFailOnError(true);
    return builder;
  }

  /** By name: of several iterations, or of all calls where each is timed. */
  private static Map<String, Double> medians(Options its) throws RunnerException {
    return new Runner(its)
        .run().stream()
            .collect(
                Collectors.toMap(
                    result -> result.getPrimaryResult().getLabel(), ScannerReport::median));
  }

  private static double median(RunResult result) {
    return result.getPrimaryResult().getStatistics().getPercentile(50);
  }
}
