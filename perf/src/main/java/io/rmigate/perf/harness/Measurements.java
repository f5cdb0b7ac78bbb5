package io.rmigate.perf.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The values of all rounds; values with the same index belong to one round. Not thread-safe.
 *
 * @param <C> the compared systems
 */
public final class Measurements<C extends Enum<C>> {
  private final Map<String, Map<C, List<Double>>> byMetric = new TreeMap<>();

  /** The ratios of two systems' values, round by round. */
  public record Ratio(double median, double least, double greatest) {}

  /** Adds the value of one more round. */
  public void add(String metric, C contestant, double value) {
    byMetric
        .computeIfAbsent(metric, unused -> new TreeMap<>())
        .computeIfAbsent(contestant, unused -> new ArrayList<>())
        .add(value);
  }

  /** Adds values by the names of their metrics, to which the prefix belongs. */
  public void addAll(String prefix, C contestant, Map<String, Double> values) {
    values.forEach((name, value) -> add(prefix + name, contestant, value));
  }

  /** All values by round; empty if the contestant has none. */
  public List<Double> values(String metric, C contestant) {
    return byMetric.getOrDefault(metric, Map.of()).getOrDefault(contestant, List.of());
  }

  /** The median of all rounds; NaN without values. */
  public double median(String metric, C contestant) {
    return Samples.median(values(metric, contestant));
  }

  /**
   * The median of the ratios of each round, because a disturbance affects both values of a round.
   */
  public Ratio ratio(String metric, C contestant, C to) {
    return ratio(metric, contestant, List.of(to));
  }

  /** The ratio to the sum of the others' values. */
  public Ratio ratio(String metric, C contestant, List<C> to) {
    List<Double> ratios = ratios(metric, contestant, to);
    return new Ratio(
        Samples.median(ratios),
        ratios.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN),
        ratios.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN));
  }

  /** The ratio of each round; empty if a contestant has no values. */
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

  /** All values, by metric and contestant. */
  public Map<String, Map<C, List<Double>>> all() {
    return byMetric;
  }
}
