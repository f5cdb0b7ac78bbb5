package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Measurements;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** All rounds on one JDK, pinned or not. */
record Series(String jdkVersion, boolean pinned, Measurements<Contestant> measurements) {
  private static final List<String> WARM_UP =
      List.of("latency 20000", "throughput 8 2000", "throughput 64 3000", "latency 8000");
  private static final int LATENCY_CALLS = 4_000;
  private static final int THROUGHPUT_MILLIS = 1_000;

  /** A command of each round, with the prefix of its metrics. */
  private record Load(String prefix, String command, boolean bytes) {}

  private static final List<Load> LOADS =
      List.of(
          new Load("t1.", "latency " + LATENCY_CALLS, true),
          new Load("t8.", "throughput 8 " + THROUGHPUT_MILLIS, false),
          new Load("t64.", "throughput 64 " + THROUGHPUT_MILLIS, false));

  static Series run(
      Comparison comparison,
      Path jdk,
      String jdkVersion,
      boolean pinned,
      int rounds,
      boolean profile,
      RunningSystem.Parts parts)
      throws IOException {
    if (comparison.equals(Comparison.COUNTS)) {
      return new Series(jdkVersion, pinned, Counts.measure(jdk, pinned, parts));
    }
    List<RunningSystem> systems = new ArrayList<>();
    try {
      for (Contestant contestant : comparison.contestants()) {
        systems.add(RunningSystem.start(contestant, parts, jdk, pinned));
      }
      for (RunningSystem system : systems) {
        for (String command : WARM_UP) {
          System.err.println(
              system.contestant().label()
                  + " warms up: "
                  + command
                  + ": "
                  + system.ask(command).line());
        }
      }
      Measurements<Contestant> measurements = new Measurements<>();
      for (int round = 1; round <= rounds; round++) {
        System.err.printf("%s: round %d of %d%n", describe(jdkVersion, pinned), round, rounds);
        for (Load load : LOADS) {
          for (RunningSystem system : systems) {
            Reading reading = system.measure(load.command(), load.bytes());
            measurements.addAll(load.prefix(), system.contestant(), reading.values());
          }
        }
        Collections.rotate(systems, 1); // rotates who is first
      }
      if (profile) {
        for (RunningSystem system : systems) {
          if (system.contestant() == comparison.profiled()) {
            profile(system, "latency 60000", jdk, parts.built().logs());
            profile(system, "throughput 64 8000", jdk, parts.built().logs());
          }
        }
      }
      return new Series(jdkVersion, pinned, measurements);
    } finally {
      systems.forEach(RunningSystem::close);
    }
  }

  /** Profiles one JVM after the other, because a profiler slows both. */
  private static void profile(RunningSystem system, String command, Path jdk, Path logs)
      throws IOException {
    for (String jvm : List.of("client", "gateway")) {
      Profile profile = Profile.begin(jdk, system.pid(jvm), logs.resolve(jvm + ".jfr"));
      system.ask(command);
      System.out.printf(
          "%nprofile of the %s of %s, %s%n%s",
          jvm, system.contestant().label(), command, profile.end());
    }
  }

  String describe() {
    return describe(jdkVersion, pinned);
  }

  private static String describe(String jdkVersion, boolean pinned) {
    return "JDK "
        + jdkVersion
        + (pinned ? ", pinned: client on core 0, everything else on core 1" : ", not pinned");
  }
}
