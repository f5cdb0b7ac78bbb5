package io.rmigate.perf.papers;

import io.rmigate.perf.harness.Measurements;
import io.rmigate.perf.link.Traffic;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the runs have shown. Metrics are called {@code workload.phase.quantity}; quantities are
 * {@code seconds}, {@code trips} (exchanges, and connections opened), {@code connections}, {@code
 * up} and {@code down} (bytes), {@code tcp} (bytes that real TCP would add) and {@code slow-start}
 * (seconds too). Not thread-safe.
 */
final class Results {
  private final Measurements<Contestant> measurements = new Measurements<>();
  private final Map<Workload, Map<Contestant, Run>> last = new EnumMap<>(Workload.class);

  void add(Run run) {
    for (Run.Part part : run.parts()) {
      add(run, part.phase().name(), part.phase().seconds(), part.traffic());
    }
    switch (run.workload()) {
      case HELLO -> addSum(run, "total", List.of("lookup", "call"));
      case BYTES -> addSum(run, "first", List.of("lookup", "call", "after"));
      default -> {
        // Its phases stand for themselves.
      }
    }
    last.computeIfAbsent(run.workload(), unused -> new EnumMap<>(Contestant.class))
        .put(run.contestant(), run);
  }

  private void addSum(Run run, String name, List<String> phases) {
    double seconds = 0;
    Traffic traffic = Traffic.NONE;
    for (Run.Part part : run.parts()) {
      if (phases.contains(part.phase().name())) {
        seconds += part.phase().seconds();
        traffic = traffic.plus(part.traffic());
      }
    }
    add(run, name, seconds, traffic);
  }

  private void add(Run run, String phase, double seconds, Traffic traffic) {
    measurements.addAll(
        run.workload().label() + "." + phase + ".",
        run.contestant(),
        Map.of(
            "seconds", seconds,
            "trips", (double) traffic.roundTrips(),
            "connections", (double) traffic.connections(),
            "up", (double) traffic.upBytes(),
            "down", (double) traffic.downBytes(),
            "tcp", (double) traffic.tcp().bytes(),
            "slow-start", traffic.tcp().slowStart().toNanos() / 1e9));
  }

  /** The median over the rounds; NaN where there is nothing. */
  double median(String metric, Contestant contestant) {
    return measurements.median(metric, contestant);
  }

  /** By round. */
  List<Double> values(String metric, Contestant contestant) {
    return measurements.values(metric, contestant);
  }

  /** How many times faster than plain RMI, round by round. */
  Measurements.Ratio speedUp(String metric, Contestant contestant) {
    return measurements.ratio(metric + ".seconds", Contestant.PLAIN, contestant);
  }

  /** The latest run of that kind. */
  Run last(Workload workload, Contestant contestant) {
    return last.get(workload).get(contestant);
  }

  Map<String, Map<Contestant, List<Double>>> all() {
    return measurements.all();
  }
}
