package io.rmigate.perf.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The readings of all rounds; values of one index belong to one round. Not thread-safe.
 *
 * @param <C> who is compared
 */
public final class Measurements<C extends Enum<C>> {
  private final Map<String, Map<C, List<Double>>> byMetric = new TreeMap<>();

  /** A contestant's value over another's, round by round. */
  public record Ratio(double median, double least, double greatest) {}

  /** One more round's value. */
  public void add(String metric, C contestant, double value) {
    byMetric
        .computeIfAbsent(metric, unused -> new TreeMap<>())
        .computeIfAbsent(contestant, unused -> new ArrayList<>())
        .add(value);
  }

  /** Values by the end of their metric's name. */
  public void addAll(String prefix, C contestant, Map<String, Double> values) {
    values.forEach((name, value) -> add(prefix + name, contestant, value));
  }

  /** All values, by round; empty where the contestant has none. */
  public List<Double> values(String metric, C contestant) {
    return byMetric.getOrDefault(metric, Map.of()).getOrDefault(contestant, List.of());
  }

  /** NaN where there is nothing. */
  public double median(String metric, C contestant) {
    return Samples.median(values(metric, contestant));
  }

  /** The median is of the ratios, not a ratio of medians: rounds share what disturbs them. */
  public Ratio ratio(String metric, C contestant, C to) {
    return ratio(metric, contestant, List.of(to));
  }

  /** The ratio over the sum of the others' values. */
  public Ratio ratio(String metric, C contestant, List<C> to) {
    List<Double> ratios = ratios(metric, contestant, to);
    return new Ratio(
        Samples.median(ratios),
        ratios.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN),
        ratios.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN));
  }

  /** The ratio of each round; empty where a contestant has no values. */
  public List<Double> ratios(String metric, C contestant, List<C> to) {
    List<Double> over = values(metric, contestant);
    int rounds = over.size();
    for (C each : to) {
      rounds = Math.min(rounds, values(metric, each).size());
    }
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      double sum = 0;
      for (C each : to) {
        sum += values(metric, each).get(i);
      }
      ratios.add(over.get(i) / sum);
    }
    return ratios;
  }

  /** By metric and contestant. */
  public Map<String, Map<C, List<Double>>> all() {
    return byMetric;
  }
}
