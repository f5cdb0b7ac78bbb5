package io.rmigate.perf.speed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.perf.harness.Samples;
import io.rmigate.perf.report.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes the page of results from the files of {@code perf/speed --json}; {@code perf/table}. */
public final class ResultsPage {
  private static final String HEAD =
      """
      # Results of perf/speed

      `perf/table` writes this page from the files in `perf/results`, which are outputs of `perf/speed --json`. The
      columns of times and rates are rmigate's ratios to plain RMI in the same run. Bytes, switches and system calls are
      the gateway's for each call of one thread; classes are those that the client had loaded after its first calls. [A
      call](call-cost.md) explains the measurement.

      """;

  /** Metric, title, and whether its ratio to plain RMI is shown. */
  private record Column(String metric, String title, boolean isRatio) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("t1.getters.p50", "getters", true),
          new Column("t1.ping.p50", "ping", true),
          new Column("t8.rate", "8 thr.", true),
          new Column("t64.rate", "64 thr.", true),
          new Column("t1.bytes.gateway", "bytes", false),
          new Column("t1.switches.gateway", "switches", false),
          new Column("t1.syscalls.gateway", "sys. calls", false),
          new Column("classes.client", "classes", false));

  private ResultsPage() {}

  /**
   * Writes the page.
   *
   * @param args directory of results, page
   */
  public static void main(String[] args) throws IOException {
    Files.writeString(Path.of(args[1]), text(Path.of(args[0])));
  }

  static String text(Path results) throws IOException {
    String[] titles =
        Stream.concat(Stream.of("result", "JDK"), COLUMNS.stream().map(Column::title))
            .toArray(String[]::new);
    TextTable table = new TextTable(titles);
    StringBuilder sources = new StringBuilder();
    for (Path file : files(results)) {
      JsonNode result = new ObjectMapper().readTree(file.toFile());
      String name = file.getFileName().toString().replace(".json", "");
      for (JsonNode series : result.get("series")) {
        String jdk = series.get("jdk").asText().split(" ", 2)[0];
        table.row(
            Stream.concat(
                    Stream.of(name, jdk + (series.get("pinned").asBoolean() ? " pinned" : "")),
                    COLUMNS.stream().map(column -> cell(series, column)))
                .toArray(String[]::new));
      }
      sources.append("\n## ").append(name).append("\n\n");
      for (String circumstance : List.of("commit", "date", "host", "rules", "command")) {
        sources
            .append("- ")
            .append(circumstance)
            .append(": ")
            .append(result.path(circumstance).asText())
            .append('\n');
      }
    }
    return HEAD + table + sources;
  }

  private static List<Path> files(Path results) throws IOException {
    try (Stream<Path> files = Files.list(results)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  private static String cell(JsonNode series, Column column) {
    if (column.isRatio()) {
      JsonNode ratio =
          series.path("ratios").path(column.metric()).path("rmigate/plain").path("median");
      return ratio.isMissingNode() ? "-" : String.format(Locale.ROOT, "%.2f", ratio.asDouble());
    }
    List<Double> values = new ArrayList<>();
    series
        .path("values")
        .path(column.metric())
        .path("RMIGATE")
        .forEach(n -> values.add(n.asDouble()));
    if (values.isEmpty()) {
      return "-";
    }
    double median = Samples.median(values);
    return String.format(Locale.ROOT, median < 100 ? "%.1f" : "%.0f", median);
  }
}
