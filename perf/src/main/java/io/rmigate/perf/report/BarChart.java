package io.rmigate.perf.report;

import java.util.ArrayList;
import java.util.List;

/** A picture of groups of horizontal bars on one linear scale. */
public final class BarChart {
  private static final int WIDTH = 1_000;
  private static final int LEFT = 250;
  private static final int RIGHT = 190;
  private static final int TOP = 118;
  private static final int BAR = 13;
  private static final int GAP = 18;
  private static final int FOOT = 44;

  /** The grid has at least that many lines. */
  private static final int LEAST_LINES = 5;

  private static final String STYLE =
      """
        .small { font-size: 11.5px; }
        .value { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
        .spread { stroke: #1f2328; stroke-width: 1; }
        .series0 { fill: #9aa3ad; }
        .series1 { fill: #54a0e8; }
        .series2 { fill: #1a7f37; }
        @media (prefers-color-scheme: dark) {
          .spread { stroke: #f0f6fc; }
          .value { stroke: #0d1117; }
          .series0 { fill: #7d8590; }
          .series1 { fill: #388bfd; }
          .series2 { fill: #3fb950; }
        }
      """;

  /**
   * A bar.
   *
   * @param text shown at its end
   */
  public record Bar(double value, double least, double greatest, String text) {}

  private record Group(String label, List<Bar> bars) {}

  private final String title;
  private final String subtitle;
  private final String unit;
  private final List<String> series;
  private final List<Group> groups = new ArrayList<>();

  /**
   * A picture without groups yet.
   *
   * @param series labels of the first, second and third bar of each group
   */
  public BarChart(String title, String subtitle, String unit, List<String> series) {
    if (series.size() > 3) {
      throw new IllegalArgumentException("colours for three series, not for " + series.size());
    }
    this.title = title;
    this.subtitle = subtitle;
    this.unit = unit;
    this.series = List.copyOf(series);
  }

  /** Adds a group of bars, one for each series. */
  public void group(String label, List<Bar> bars) {
    groups.add(new Group(label, List.copyOf(bars)));
  }

  /** The picture as SVG. */
  public String svg() {
    int groupHeight = series.size() * BAR + GAP;
    int bottom = TOP + groups.size() * groupHeight;
    Svg svg = new Svg(WIDTH, bottom + FOOT, title, subtitle, STYLE);
    legend(svg);
    double step = step(greatest());
    double scale = (WIDTH - LEFT - RIGHT) / Math.max(step, greatest());
    for (double line = 0; line <= greatest() + 1e-9; line += step) {
      double x = LEFT + line * scale;
      svg.add(
          "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
          x, TOP - 6, x, bottom);
      svg.add(
          "<text class=\"faint small\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
          x, bottom + 18, Figures.decimal(line) + (line == 0 ? " " + unit : ""));
    }
    for (int i = 0; i < groups.size(); i++) {
      draw(svg, groups.get(i), TOP + i * groupHeight + GAP / 2, scale);
    }
    return svg.toString();
  }

  private void legend(Svg svg) {
    int x = 20;
    for (int i = 0; i < series.size(); i++) {
      svg.add(
          "<rect class=\"series%d\" x=\"%d\" y=\"74\" width=\"14\" height=\"14\" rx=\"2\"/>", i, x);
      svg.add("<text x=\"%d\" y=\"86\">%s</text>", x + 20, Svg.escaped(series.get(i)));
      x += 50 + 8 * series.get(i).length();
    }
  }

  private void draw(Svg svg, Group group, int top, double scale) {
    svg.add(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
        LEFT - 12, top + series.size() * BAR / 2 + 4, Svg.escaped(group.label));
    for (int i = 0; i < group.bars.size(); i++) {
      Bar bar = group.bars.get(i);
      if (Double.isNaN(bar.value)) {
        continue;
      }
      double y = top + i * BAR;
      svg.add(
          "<rect class=\"series%d\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"1.5\"/>",
          i, LEFT, y, Math.max(1, bar.value * scale), BAR - 2);
      if (bar.greatest > bar.least) {
        double middle = y + (BAR - 2) / 2.0;
        svg.add(
            "<line class=\"spread\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
            LEFT + bar.least * scale, middle, LEFT + bar.greatest * scale, middle);
      }
      svg.add(
          "<text class=\"small value\" x=\"%.1f\" y=\"%.1f\">%s</text>",
          LEFT + Math.max(bar.value, bar.greatest) * scale + 7, y + BAR - 3, Svg.escaped(bar.text));
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

  /** Distance of grid lines: 1, 2 or 5 times a power of ten. */
  private static double step(double greatest) {
    double power = Math.pow(10, Math.floor(Math.log10(greatest)));
    for (double factor : new double[] {1, 0.5, 0.2}) {
      if (greatest / (factor * power) >= LEAST_LINES) {
        return factor * power;
      }
    }
    return 0.1 * power;
  }
}
