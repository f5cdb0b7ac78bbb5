package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Measurements;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The count form of the comparison: bytes allocated, thread switches and system calls for each
 * call, and classes loaded by the first calls. One system runs at a time.
 */
final class Counts {
  private static final List<String> WARM_UP = List.of("latency 20000", "latency 12000");
  private static final String MEASURED = "latency 8000";
  private static final String TRACED = "latency 2000";

  private Counts() {}

  static Measurements<Contestant> measure(Path jdk, boolean pinned, RunningSystem.Parts parts)
      throws IOException {
    Measurements<Contestant> measurements = new Measurements<>();
    for (Contestant contestant : Comparison.COUNTS.contestants()) {
      try (RunningSystem system = RunningSystem.start(contestant, parts, jdk, pinned)) {
        measurements.addAll("", contestant, system.loadedClasses());
        for (String command : WARM_UP) {
          System.err.println(contestant.label() + " warms up: " + system.ask(command).line());
        }
        Map<String, Double> values = new TreeMap<>(system.measure(MEASURED, true).values());
        values.keySet().removeIf(metric -> !metric.matches("(bytes|switches)\\..*"));
        measurements.addAll("t1.", contestant, values);
        for (String jvm : system.jvms()) {
          Path summary = parts.built().logs().resolve(contestant.label() + "-" + jvm + ".strace");
          try (SystemCalls calls = SystemCalls.begin(system.pid(jvm), summary)) {
            double made = system.ask(TRACED).get("calls");
            measurements.add("t1.syscalls." + jvm, contestant, calls.end() / made);
          } catch (IOException unavailable) {
            System.err.println("system calls are left out: " + unavailable.getMessage());
          }
        }
      }
    }
    return measurements;
  }
}
