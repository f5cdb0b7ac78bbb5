package io.rmigate.perf.papers;

import io.rmigate.perf.report.Figures;
import java.util.Locale;

/**
 * Something that was to be reached.
 *
 * @param limit of {@code measured}
 * @param atMost the limit is an upper one
 */
record Aim(String text, String unit, double measured, double limit, boolean atMost) {

  static Aim timesFaster(String text, double measured, double limit) {
    return new Aim(text, "times", measured, limit, false);
  }

  /** Without a measurement it is not. */
  boolean isMet() {
    return atMost ? measured <= limit : measured >= limit;
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%s  %-52s %s %s %s: %.1f",
        isMet() ? "pass" : "MISS",
        text,
        atMost ? "at most" : "at least",
        Figures.decimal(limit),
        unit,
        measured);
  }
}
