package io.rmigate.perf.juric;

import io.rmigate.perf.harness.Measurements;
import io.rmigate.perf.report.Figures;
import io.rmigate.perf.report.TextTable;
import io.rmigate.perf.ways.Way;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was found, for people and for programs.
 *
 * @param measured microseconds, by operation and way, a value for each run
 */
record JuricReport(Map<String, String> circumstances, List<Way> ways, Measurements<Way> measured) {
  private static final String PRIMITIVES = "seven primitive getters, mean";

  JuricReport {
    for (Way way : ways) { // derived, so that it has its runs and ratios as the others
      int runs = measured.values(Operation.GET_INT.label(), way).size();
      for (int run = measured.values(PRIMITIVES, way).size(); run < runs; run++) {
        int index = run;
        measured.add(
            PRIMITIVES,
            way,
            Operation.primitiveGetters().stream()
                .mapToDouble(getter -> measured.values(getter.label(), way).get(index))
                .average()
                .orElseThrow());
      }
    }
  }

  /**
   * One line of the publication's comparison.
   *
   * @param metric of {@link #measured}
   */
  private record Line(String label, String metric, Published published) {
    static final List<Line> ALL =
        List.of(
            new Line("lookup / instantiation", Operation.LOOKUP.label(), Published.LOOKUP),
            new Line(PRIMITIVES, PRIMITIVES, Published.PRIMITIVE_GETTERS),
            new Line("String getter", Operation.GET_STRING.label(), Published.STRING_GETTER));
  }

  /** An upper limit of a way's factor over plain RMI, for the primitive getters. */
  record Aim(Way way, double limit) {
    static final List<Aim> ALL = List.of(new Aim(Way.POST, 1.9), new Aim(Way.WEBSOCKET, 1.5));
  }

  /** Over plain RMI in the same run. */
  Measurements.Ratio factor(String metric, Way way) {
    return measured.ratio(metric, way, Way.DIRECT);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  /** Standard deviation of the runs (of a sample) over their mean, percent; NaN of one run. */
  static double variation(List<Double> values) {
    double mean = mean(values);
    double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    return 100 * Math.sqrt(squares / (values.size() - 1)) / mean;
  }

  /** Markdown. */
  String text() {
    StringBuilder text = new StringBuilder();
    circumstances.forEach((name, value) -> text.append("- ").append(line(name, value)));
    text.append("\nFactor over plain RMI in the same run: median (least-greatest); published\n\n");
    text.append(factors());
    text.append("\nMicroseconds: mean of runs, coefficient of variation\n\n");
    text.append(times());
    text.append("\nAims, for the primitive getters\n\n");
    for (Aim aim : Aim.ALL) {
      if (ways.contains(aim.way())) {
        text.append("- ").append(line(aim));
      }
    }
    return text.toString();
  }

  private static String line(String name, String value) {
    return name + ": " + value + "\n";
  }

  private String line(Aim aim) {
    return String.format(
        Locale.ROOT,
        "%s: %s at most %.1f times plain RMI, measured %.2f%n",
        isMet(aim) ? "pass" : "MISS",
        aim.way().title(),
        aim.limit(),
        factor(PRIMITIVES, aim.way()).median());
  }

  private boolean isMet(Aim aim) {
    return factor(PRIMITIVES, aim.way()).median() <= aim.limit();
  }

  private TextTable factors() {
    List<String> titles = new ArrayList<>(List.of(""));
    for (Line line : Line.ALL) {
      titles.addAll(List.of(line.label(), "published"));
    }
    TextTable table = new TextTable(titles.toArray(String[]::new));
    for (Way way : ways) {
      List<String> cells = new ArrayList<>(List.of(way.title()));
      for (Line line : Line.ALL) {
        cells.add(ratio(factor(line.metric(), way)));
        cells.add(Figures.times(line.published().factor(way)));
      }
      table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  private static String ratio(Measurements.Ratio ratio) {
    if (Double.isNaN(ratio.median())) {
      return "-";
    }
    return ratio.least() == ratio.greatest()
        ? String.format(Locale.ROOT, "%.2f", ratio.median())
        : String.format(
            Locale.ROOT, "%.2f (%.2f-%.2f)", ratio.median(), ratio.least(), ratio.greatest());
  }

  private TextTable times() {
    List<String> titles = new ArrayList<>(List.of(""));
    ways.forEach(way -> titles.add(way.title()));
    TextTable table = new TextTable(titles.toArray(String[]::new));
    List<String> metrics =
        new ArrayList<>(Arrays.stream(Operation.values()).map(Operation::label).toList());
    metrics.add(PRIMITIVES);
    for (String metric : metrics) {
      List<String> cells = new ArrayList<>(List.of(metric));
      for (Way way : ways) {
        cells.add(time(measured.values(metric, way)));
      }
      table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  private static String time(List<Double> values) {
    return switch (values.size()) {
      case 0 -> "-";
      case 1 -> String.format(Locale.ROOT, "%.1f", mean(values));
      default -> String.format(Locale.ROOT, "%.1f, %.1f %%", mean(values), variation(values));
    };
  }

  /** For JSON. */
  Map<String, Object> values() {
    Map<String, Object> root = new LinkedHashMap<>(circumstances);
    root.put("micros", measured.all());
    Map<String, Object> lines = new LinkedHashMap<>();
    for (Line line : Line.ALL) {
      Map<String, Object> byWay = new LinkedHashMap<>();
      for (Way way : ways) {
        Map<String, Object> of = new LinkedHashMap<>();
        List<Double> values = measured.values(line.metric(), way);
        if (!values.isEmpty()) {
          of.put("factor", factor(line.metric(), way));
        }
        if (values.size() > 1) {
          of.put("variationPercent", variation(values));
        }
        line.published().factor(way).ifPresent(value -> of.put("published", value));
        byWay.put(way.label(), of);
      }
      lines.put(line.label(), byWay);
    }
    root.put("factors", lines);
    Map<String, Object> aims = new LinkedHashMap<>();
    for (Aim aim : Aim.ALL) {
      if (ways.contains(aim.way())) {
        aims.put(aim.way().label(), Map.of("atMost", aim.limit(), "met", isMet(aim)));
      }
    }
    root.put("aims", aims);
    return root;
  }
}
