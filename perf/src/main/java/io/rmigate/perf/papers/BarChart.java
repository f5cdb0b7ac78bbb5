package io.rmigate.perf.papers;

import io.rmigate.perf.harness.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Groups of horizontal bars on one linear scale, as SVG. Colours follow the reader's light or dark
 * scheme; nothing outside of the file is needed.
 */
final class BarChart {
  private static final int WIDTH = 1_000;
  private static final int LEFT = 250;
  private static final int RIGHT = 190;
  private static final int TOP = 118;
  private static final int BAR = 13;
  private static final int GAP = 18;
  private static final int FOOT = 44;

  /** So many lines of the grid at least. */
  private static final int LEAST_LINES = 5;

  /** No CSS variables: what is no browser seldom knows them. */
  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
        .paper { fill: #ffffff; }
        .title { font-size: 18px; font-weight: 600; }
        .faint { fill: #59636e; }
        .small { font-size: 11.5px; }
        .value { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
        .grid { stroke: #d1d9e0; stroke-width: 1; }
        .spread { stroke: #1f2328; stroke-width: 1; }
        .series0 { fill: #9aa3ad; }
        .series1 { fill: #54a0e8; }
        .series2 { fill: #1a7f37; }
        @media (prefers-color-scheme: dark) {
          text { fill: #f0f6fc; }
          .paper { fill: #0d1117; }
          .faint { fill: #9198a1; }
          .grid { stroke: #3d444d; }
          .spread { stroke: #f0f6fc; }
          .value { stroke: #0d1117; }
          .series0 { fill: #7d8590; }
          .series1 { fill: #388bfd; }
          .series2 { fill: #3fb950; }
        }
      </style>
      """;

  /**
   * One bar.
   *
   * @param text behind it
   */
  record Bar(double value, double least, double greatest, String text) {}

  private record Group(String label, List<Bar> bars) {}

  private final String title;
  private final String subtitle;
  private final String unit;
  private final List<String> series;
  private final List<Group> groups = new ArrayList<>();

  /**
   * @param series what the first, second and third bar of each group are
   */
  BarChart(String title, String subtitle, String unit, List<String> series) {
    if (series.size() > 3) {
      throw new IllegalArgumentException("colours for three series, not for " + series.size());
    }
    this.title = title;
    this.subtitle = subtitle;
    this.unit = unit;
    this.series = List.copyOf(series);
  }

  void group(String label, List<Bar> bars) {
    groups.add(new Group(label, List.copyOf(bars)));
  }

  String svg() {
    int groupHeight = series.size() * BAR + GAP;
    int bottom = TOP + groups.size() * groupHeight;
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">",
        WIDTH,
        bottom + FOOT);
    add(svg, "<title>%s</title>", escaped(title));
    svg.append(STYLE);
    add(svg, "<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>");
    add(svg, "<text class=\"title\" x=\"20\" y=\"32\">%s</text>", escaped(title));
    add(svg, "<text class=\"faint\" x=\"20\" y=\"54\">%s</text>", escaped(subtitle));
    legend(svg);
    double step = step(greatest());
    double scale = (WIDTH - LEFT - RIGHT) / Math.max(step, greatest());
    for (double line = 0; line <= greatest() + 1e-9; line += step) {
      double x = LEFT + line * scale;
      add(
          svg,
          "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
          x,
          TOP - 6,
          x,
          bottom);
      add(
          svg,
          "<text class=\"faint small\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
          x,
          bottom + 18,
          Figures.decimal(line) + (line == 0 ? " " + unit : ""));
    }
    for (int i = 0; i < groups.size(); i++) {
      draw(svg, groups.get(i), TOP + i * groupHeight + GAP / 2, scale);
    }
    return svg.append("</svg>\n").toString();
  }

  private void legend(StringBuilder svg) {
    int x = 20;
    for (int i = 0; i < series.size(); i++) {
      add(
          svg,
          "<rect class=\"series%d\" x=\"%d\" y=\"74\" width=\"14\" height=\"14\" rx=\"2\"/>",
          i,
          x);
      add(svg, "<text x=\"%d\" y=\"86\">%s</text>", x + 20, escaped(series.get(i)));
      x += 50 + 8 * series.get(i).length();
    }
  }

  private void draw(StringBuilder svg, Group group, int top, double scale) {
    add(
        svg,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
        LEFT - 12,
        top + series.size() * BAR / 2 + 4,
        escaped(group.label));
    for (int i = 0; i < group.bars.size(); i++) {
      Bar bar = group.bars.get(i);
      if (Double.isNaN(bar.value)) {
        continue;
      }
      double y = top + i * BAR;
      add(
          svg,
          "<rect class=\"series%d\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"1.5\"/>",
          i,
          LEFT,
          y,
          Math.max(1, bar.value * scale),
          BAR - 2);
      if (bar.greatest > bar.least) {
        double middle = y + (BAR - 2) / 2.0;
        add(
            svg,
            "<line class=\"spread\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
            LEFT + bar.least * scale,
            middle,
            LEFT + bar.greatest * scale,
            middle);
      }
      add(
          svg,
          "<text class=\"small value\" x=\"%.1f\" y=\"%.1f\">%s</text>",
          LEFT + Math.max(bar.value, bar.greatest) * scale + 7,
          y + BAR - 3,
          escaped(bar.text));
    }
  }

  private double greatest() {
    return groups.stream()
        .flatMap(group -> group.bars.stream())
        .mapToDouble(bar -> Math.max(bar.value, bar.greatest))
        .filter(Double::isFinite)
        .max()
        .orElse(1);
  }

  /** 1, 2 or 5 times a power of ten. */
  private static double step(double greatest) {
    double power = Math.pow(10, Math.floor(Math.log10(greatest)));
    for (double factor : new double[] {1, 0.5, 0.2}) {
      if (greatest / (factor * power) >= LEAST_LINES) {
        return factor * power;
      }
    }
    return 0.1 * power;
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
