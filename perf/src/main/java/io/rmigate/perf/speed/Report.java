package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Measurements;
import io.rmigate.perf.harness.ResultFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of a comparison, as text and as JSON. */
record Report(Comparison comparison, Map<String, String> circumstances, List<Series> series) {
  private static final String[][] ROWS = {
    {"t1.getters.p50", "getters p50, µs"},
    {"t1.getters.p99", "getters p99, µs"},
    {"t1.ping.p50", "ping p50, µs"},
    {"t1.ping.p99", "ping p99, µs"},
    {"t8.rate", "8 threads, calls/s"},
    {"t64.rate", "64 threads, calls/s"},
    {"t1.bytes.caller", "bytes/call, calling thread"},
    {"t1.bytes.client", "bytes/call, client"},
    {"t1.bytes.gateway", "bytes/call, gateway"},
    {"t1.bytes.server", "bytes/call, server"},
    {"t1.switches.client", "switches/call, client"},
    {"t1.switches.gateway", "switches/call, gateway"},
    {"t1.switches.server", "switches/call, server"},
    {"t1.cpu.client", "CPU µs/call, client"},
    {"t1.cpu.gateway", "CPU µs/call, gateway"},
    {"t1.cpu.server", "CPU µs/call, server"},
    {"t8.switches.client", "8 thr. switches/call, client"},
    {"t8.switches.gateway", "8 thr. switches/call, gateway"},
    {"t8.switches.server", "8 thr. switches/call, server"},
    {"classes.client", "classes loaded, client"},
    {"classes.gateway", "classes loaded, gateway"},
    {"t1.syscalls.client", "system calls/call, client"},
    {"t1.syscalls.gateway", "system calls/call, gateway"},
    {"t64.switches.client", "64 thr. switches/call, client"},
    {"t64.switches.gateway", "64 thr. switches/call, gateway"},
    {"t64.switches.server", "64 thr. switches/call, server"},
    {"t64.cpu.client", "64 thr. CPU µs/call, client"},
    {"t64.cpu.gateway", "64 thr. CPU µs/call, gateway"},
    {"t64.cpu.server", "64 thr. CPU µs/call, server"},
  };

  private static final String LABEL = "%-31s";
  private static final String VALUE = "  %9s";
  private static final String RATIO = " %-18s";

  /** The series from {@code first} on, under the circumstances if that is the first of all. */
  String text(int first) {
    StringBuilder text = new StringBuilder();
    if (first == 0) {
      circumstances.forEach((name, value) -> line(text, "%-8s %s", name, value));
    }
    for (Series one : series.subList(first, series.size())) {
      line(text, "");
      line(
          text,
          "%s (%d rounds)",
          one.describe(),
          one.measurements().values("t1.bytes.client", Contestant.PLAIN).size());
      line(text, "");
      header(text);
      for (String[] row : ROWS) {
        if (!one.measurements().values(row[0], comparison.profiled()).isEmpty()) {
          row(text, one.measurements(), row[0], row[1]);
        }
      }
      line(text, "");
      comparison.aims().forEach(aim -> line(text, "%s", aim.line(one.measurements())));
      if (comparison.equals(Comparison.BUILDS)) {
        Regression.of(one.measurements()).forEach(metric -> line(text, "%s", metric.line()));
      }
    }
    return text.toString();
  }

  private void header(StringBuilder text) {
    StringBuilder header = new StringBuilder(String.format(LABEL, "median of rounds"));
    for (Contestant contestant : comparison.contestants()) {
      header.append(String.format(VALUE, contestant.label()));
      for (Comparison.RatioColumn column : ratiosOf(contestant)) {
        header.append(String.format(RATIO, "  / " + column.to().label()));
      }
    }
    line(text, "%s", header);
  }

  private List<Comparison.RatioColumn> ratiosOf(Contestant contestant) {
    return comparison.ratios().stream().filter(column -> column.of() == contestant).toList();
  }

  private void row(StringBuilder text, Measurements<Contestant> m, String metric, String label) {
    StringBuilder row = new StringBuilder(String.format(LABEL, label));
    for (Contestant contestant : comparison.contestants()) {
      row.append(String.format(VALUE, number(m.median(metric, contestant))));
      for (Comparison.RatioColumn column : ratiosOf(contestant)) {
        row.append(String.format(RATIO, ratio(m.ratio(metric, contestant, column.to()))));
      }
    }
    line(text, "%s", row);
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 1000 ? "%.1f" : "%.0f", value);
  }

  private static String ratio(Measurements.Ratio ratio) {
    return Double.isFinite(ratio.median())
        ? String.format(
            Locale.ROOT, "%.2f (%.2f-%.2f)", ratio.median(), ratio.least(), ratio.greatest())
        : "-";
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }

  void write(Path json) throws IOException {
    Map<String, Object> root = new LinkedHashMap<>(circumstances);
    List<Object> all = new ArrayList<>();
    for (Series one : series) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("jdk", one.jdkVersion());
      entry.put("pinned", one.pinned());
      entry.put("values", one.measurements().all());
      Map<String, Object> ratios = new LinkedHashMap<>();
      for (String[] row : ROWS) {
        Map<String, Object> ofRow = new LinkedHashMap<>();
        comparison.ratios().forEach(column -> put(ofRow, column, one, row[0]));
        ratios.put(row[0], ofRow);
      }
      entry.put("ratios", ratios);
      Map<String, Boolean> aims = new LinkedHashMap<>();
      comparison.aims().forEach(aim -> aims.put(aim.name(), aim.isMet(one.measurements())));
      entry.put("aims", aims);
      all.add(entry);
    }
    root.put("series", all);
    ResultFiles.writeJson(json, root);
  }

  private static void put(
      Map<String, Object> into, Comparison.RatioColumn column, Series series, String metric) {
    Measurements.Ratio ratio = series.measurements().ratio(metric, column.of(), column.to());
    if (Double.isFinite(ratio.median())) {
      into.put(column.name(), ratio);
    }
  }
}
