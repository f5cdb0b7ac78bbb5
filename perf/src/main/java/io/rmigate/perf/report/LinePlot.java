package io.rmigate.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** A picture of lines on two logarithmic scales. */
public final class LinePlot {
  private static final int WIDTH = 1_000;
  private static final int HEIGHT = 620;
  private static final int LEFT = 90;
  private static final int RIGHT = 220;
  private static final int TOP = 90;
  private static final int BOTTOM = 70;

  /** Number of colours. */
  private static final int MOST_LINES = 8;

  private static final String STYLE =
      """
        .line { fill: none; stroke-width: 2; }
        .line0 { stroke: #6e7781; } .line1 { stroke: #bf8700; } .line2 { stroke: #1a7f37; }
        .line3 { stroke: #0969da; } .line4 { stroke: #8250df; } .line5 { stroke: #cf222e; }
        .line6 { stroke: #bc4c00; } .line7 { stroke: #1b7c83; }
        .dot { stroke: #ffffff; stroke-width: 1; }
        .dot0 { fill: #6e7781; } .dot1 { fill: #bf8700; } .dot2 { fill: #1a7f37; }
        .dot3 { fill: #0969da; } .dot4 { fill: #8250df; } .dot5 { fill: #cf222e; }
        .dot6 { fill: #bc4c00; } .dot7 { fill: #1b7c83; }
        @media (prefers-color-scheme: dark) {
          .dot { stroke: #0d1117; }
        }
      """;

  /** A point of a line; both values are greater than 0. */
  public record Point(double x, double y) {}

  private record Line(String label, List<Point> points) {}

  private final String title;
  private final String subtitle;
  private final String xLabel;
  private final String yUnit;
  private final List<Line> lines = new ArrayList<>();

  /** A picture without lines yet. */
  public LinePlot(String title, String subtitle, String xLabel, String yUnit) {
    this.title = title;
    this.subtitle = subtitle;
    this.xLabel = xLabel;
    this.yUnit = yUnit;
  }

  /** Adds a line, unless it has no points. */
  public void line(String label, List<Point> points) {
    if (points.isEmpty()) {
      return;
    }
    if (lines.size() == MOST_LINES) {
      throw new IllegalStateException("colours for " + MOST_LINES + " lines");
    }
    lines.add(new Line(label, List.copyOf(points)));
  }

  /** A logarithmic scale from a power of a base to another one. */
  private record Scale(double least, double greatest, double from, double to) {
    static Scale of(DoubleStream values, double base, double from, double to) {
      double[] all = values.toArray();
      double least = DoubleStream.of(all).min().orElse(1);
      double greatest = DoubleStream.of(all).max().orElse(1);
      double low = Math.pow(base, Math.floor(log(least, base) + 1e-9));
      double high = Math.pow(base, Math.ceil(log(greatest, base) - 1e-9));
      return new Scale(low, high > low ? high : low * base, from, to);
    }

    private static double log(double value, double base) {
      return Math.log(value) / Math.log(base);
    }

    double at(double value) {
      return from + (to - from) * Math.log(value / least) / Math.log(greatest / least);
    }
  }

  /** The picture as SVG. */
  public String svg() {
    Scale x = Scale.of(all(Point::x), 2, LEFT, WIDTH - RIGHT);
    Scale y = Scale.of(all(Point::y), 10, HEIGHT - BOTTOM, TOP);
    Svg svg = new Svg(WIDTH, HEIGHT, title, subtitle, STYLE);
    grid(svg, x, y);
    for (int i = 0; i < lines.size(); i++) {
      draw(svg, i, x, y);
    }
    return svg.toString();
  }

  private DoubleStream all(ToDoubleFunction<Point> of) {
    return lines.stream().flatMap(line -> line.points().stream()).mapToDouble(of);
  }

  private void grid(Svg svg, Scale x, Scale y) {
    for (double value = y.least(); value <= y.greatest() * 1.001; value *= 10) {
      svg.add(
          "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>",
          LEFT, y.at(value), WIDTH - RIGHT, y.at(value));
      svg.add(
          "<text class=\"faint\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s %s</text>",
          LEFT - 8, y.at(value) + 4, number(value), Svg.escaped(yUnit));
    }
    double[] ticks = all(Point::x).distinct().sorted().toArray();
    for (double value : ticks) {
      svg.add(
          "<text class=\"faint\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
          x.at(value), HEIGHT - BOTTOM + 22, number(value));
    }
    svg.add(
        "<text class=\"faint\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 20, Svg.escaped(xLabel));
  }

  private void draw(Svg svg, int index, Scale x, Scale y) {
    Line line = lines.get(index);
    StringBuilder path = new StringBuilder();
    for (Point point : line.points()) {
      path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x.at(point.x()), y.at(point.y())));
    }
    svg.add(
        "<polyline class=\"line line%d\" points=\"%s\"/>", index, path.toString().stripTrailing());
    for (Point point : line.points()) {
      svg.add(
          "<circle class=\"dot dot%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\">"
              + "<title>%s: %s %s</title></circle>",
          index,
          x.at(point.x()),
          y.at(point.y()),
          Svg.escaped(line.label()),
          number(point.y()),
          Svg.escaped(yUnit));
    }
    int top = TOP + 10 + index * 24; // the legend, since ends of lines lie close together
    svg.add(
        "<circle class=\"dot dot%d\" cx=\"%d\" cy=\"%d\" r=\"6\"/>",
        index, WIDTH - RIGHT + 30, top);
    svg.add(
        "<text x=\"%d\" y=\"%d\">%s</text>",
        WIDTH - RIGHT + 44, top + 5, Svg.escaped(line.label()));
  }

  private static String number(double value) {
    return value >= 100 || value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.3g", value).replaceAll("0+$", "");
  }
}
