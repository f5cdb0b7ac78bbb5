package io.rmigate.perf.speed;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The readings of all rounds; values of one index belong to one round. Not thread-safe. */
final class Measurements {
  private final Map<String, Map<Contestant, List<Double>>> byMetric = new TreeMap<>();

  /** A contestant's value over another's, round by round. */
  record Ratio(double median, double least, double greatest) {}

  void add(String metric, Contestant contestant, double value) {
    byMetric
        .computeIfAbsent(metric, unused -> new EnumMap<>(Contestant.class))
        .computeIfAbsent(contestant, unused -> new ArrayList<>())
        .add(value);
  }

  void addAll(String prefix, Contestant contestant, Reading reading) {
    reading.values().forEach((name, value) -> add(prefix + name, contestant, value));
  }

  /** All values, by round; empty where the contestant has none. */
  List<Double> values(String metric, Contestant contestant) {
    return byMetric.getOrDefault(metric, Map.of()).getOrDefault(contestant, List.of());
  }

  /** NaN where there is nothing. */
  double median(String metric, Contestant contestant) {
    return Samples.median(values(metric, contestant));
  }

  /** The median is of the ratios, not a ratio of medians: rounds share what disturbs them. */
  Ratio ratio(String metric, Contestant contestant, Contestant to) {
    List<Double> over = values(metric, contestant);
    List<Double> under = values(metric, to);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(over.size(), under.size()); i++) {
      ratios.add(over.get(i) / under.get(i));
    }
    return new Ratio(
        Samples.median(ratios),
        ratios.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN),
        ratios.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN));
  }

  Map<String, Map<Contestant, List<Double>>> all() {
    return byMetric;
  }
}
