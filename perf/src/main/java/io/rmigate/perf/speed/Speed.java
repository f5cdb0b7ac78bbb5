package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.Circumstances;
import io.rmigate.perf.harness.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The speed command's driver; started by {@code perf/speed}. */
public final class Speed {
  private Speed() {}

  /**
   * Exit codes: 0 measured; 1 a step failed, a count is beyond its bound, or a build is worse than
   * the earlier one; 2 wrong usage. Missed aims are no failure.
   */
  public static void main(String[] args) {
    Program.main("speed", args, SpeedOptions::parse, Speed::run);
  }

  /** Whether all counts are within their bounds, and no build is worse than the earlier one. */
  private static boolean run(SpeedOptions options, String shown) throws IOException {
    boolean canPin = canPin();
    if (!canPin) {
      System.out.println("No taskset here, or one processor only: nothing is pinned.");
    }
    RunningSystem.Parts parts = parts(options);
    Map<String, String> circumstances = Circumstances.of(options.tree().commit(), shown);
    circumstances.put("rules", "enforced, with the jars of the interfaces");
    List<Series> series = new ArrayList<>();
    for (Path jdk : options.jdks()) {
      String version = Circumstances.jdkVersion(jdk);
      for (boolean pinned : canPin ? options.passes().pinned() : List.of(false)) {
        series.add(
            Series.run(
                options.comparison(),
                jdk,
                version,
                pinned,
                options.passes().rounds(),
                options.passes().profile(),
                parts));
        Report report = new Report(options.comparison(), circumstances, series);
        System.out.print(report.text(series.size() - 1));
        if (options.json().isPresent()) {
          report.write(options.json().get());
        }
      }
    }
    if (options.comparison().equals(Comparison.COUNTS)) {
      CountBounds bounds = CountBounds.read(options.tree().root().resolve("perf/count-bounds"));
      List<String> lines =
          series.stream().flatMap(one -> bounds.check(one.measurements()).stream()).toList();
      lines.forEach(System.out::println);
      return lines.stream().noneMatch(line -> line.startsWith(CountBounds.BEYOND));
    }
    return options.before().isEmpty()
        || series.stream().noneMatch(one -> Regression.isAny(one.measurements()));
  }

  private static boolean canPin() {
    return Runtime.getRuntime().availableProcessors() > 1
        && Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "taskset")));
  }

  private static RunningSystem.Parts parts(SpeedOptions options) throws IOException {
    Artefacts built = Artefacts.of(options.tree().root(), "speed");
    Path hosts =
        Files.writeString(built.logs().resolve("hosts"), "127.0.0.1 inside.example localhost\n");
    Optional<Artefacts> before =
        options.before().isPresent()
            ? Optional.of(built.builtIn(options.before().get(), "before"))
            : Optional.empty();
    return new RunningSystem.Parts(
        built, before, hosts, options.send(), options.comparison().equals(Comparison.COUNTS));
  }
}
