package io.rmigate.perf.speed;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Named numbers of one run. As a line, {@code reading name=number …}, it goes from the client to
 * the driver. Times are in microseconds, rates in calls per second, the rest per call. Not
 * thread-safe.
 */
final class Reading {
  private static final String START = "reading";

  private final Map<String, Double> values = new TreeMap<>();

  void put(String name, double value) {
    values.put(name, value);
  }

  double get(String name) {
    Double value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name + " in " + line());
    }
    return value;
  }

  Map<String, Double> values() {
    return Map.copyOf(values);
  }

  String line() {
    StringBuilder line = new StringBuilder(START);
    values.forEach(
        (name, value) -> line.append(String.format(Locale.ROOT, " %s=%.3f", name, value)));
    return line.toString();
  }

  /**
   * The opposite of {@link #line}.
   *
   * @throws IllegalArgumentException it is not such a line; the message holds it
   */
  static Reading parse(String line) {
    String[] words = line.strip().split(" +", -1);
    if (!words[0].equals(START)) {
      throw new IllegalArgumentException("expected a reading, got: " + line);
    }
    Reading reading = new Reading();
    for (int i = 1; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException("expected name=number, got " + words[i] + ": " + line);
      }
      reading.put(
          words[i].substring(0, equals), Double.parseDouble(words[i].substring(equals + 1)));
    }
    return reading;
  }
}
