package io.rmigate.perf.report;

import io.rmigate.perf.harness.Measurements;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** How numbers are written. */
public final class Figures {
  private Figures() {}

  /** As few digits as it needs; "-" for what is not known. */
  public static String seconds(double value) {
    return Double.isNaN(value)
        ? "-"
        : format(value < 0.1 ? "%.3f" : value < 10 ? "%.2f" : "%.1f", value);
  }

  /** The median, with least and greatest. */
  public static String seconds(double median, List<Double> values) {
    return values.size() < 2
        ? seconds(median)
        : format(
            "%s (%s-%s)",
            seconds(median),
            seconds(values.stream().mapToDouble(Double::doubleValue).min().getAsDouble()),
            seconds(values.stream().mapToDouble(Double::doubleValue).max().getAsDouble()));
  }

  /** Published ones have one digit. */
  public static String seconds(OptionalDouble value) {
    return value.isPresent() ? format("%.1f", value.getAsDouble()) : "-";
  }

  /** How many times as much; "-" for what is not known. */
  public static String times(double value) {
    return Double.isFinite(value) ? format(value < 100 ? "%.1fx" : "%.0fx", value) : "-";
  }

  /** How many times as much; "-" for what is not known. */
  public static String times(OptionalDouble value) {
    return times(value.orElse(Double.NaN));
  }

  /** The median, with least and greatest if they differ. */
  public static String times(Measurements.Ratio ratio) {
    String least = times(ratio.least());
    String greatest = times(ratio.greatest());
    return least.equals(greatest)
        ? times(ratio.median())
        : format("%s (%s-%s)", times(ratio.median()), least, greatest);
  }

  /** With spaces between thousands. */
  public static String count(long value) {
    return count((double) value);
  }

  /** With spaces between thousands; "-" for what is not known. */
  public static String count(double value) {
    return Double.isNaN(value) ? "-" : format("%,.0f", value).replace(',', ' ');
  }

  /** With a digit behind the point where there is need of one. */
  public static String decimal(double value) {
    return Double.isNaN(value) ? "-" : format(value == Math.rint(value) ? "%.0f" : "%.1f", value);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
