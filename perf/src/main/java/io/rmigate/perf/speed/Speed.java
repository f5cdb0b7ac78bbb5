package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.Circumstances;
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
   * Exit codes: 0 measured; 1 something failed, or a build is worse than the earlier one; 2 wrong
   * usage. Missed aims are no failure.
   */
  public static void main(String[] args) throws Exception {
    SpeedOptions options;
    try {
      options = SpeedOptions.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("speed: " + e.getMessage() + "; see --help");
      System.exit(2);
      return;
    }
    boolean slower = false;
    try {
      slower = run(options, args);
    } catch (IOException | RuntimeException e) {
      System.err.println("speed: " + e);
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(slower ? 1 : 0);
  }

  /** Whether it is a comparison of two builds and the later one is worse. */
  private static boolean run(SpeedOptions options, String[] args) throws IOException {
    boolean canPin = canPin();
    if (!canPin) {
      System.out.println("No taskset here, or one processor only: nothing is pinned.");
    }
    RunningSystem.Parts parts = parts(options);
    Map<String, String> circumstances =
        Circumstances.of(options.commit(), "perf/speed " + shown(args));
    List<Series> series = new ArrayList<>();
    for (Path jdk : options.jdks()) {
      String version = Circumstances.jdkVersion(jdk);
      for (boolean pinned : canPin ? options.pinned() : List.of(false)) {
        series.add(
            Series.run(
                options.comparison(),
                jdk,
                version,
                pinned,
                options.rounds(),
                options.profile(),
                parts));
        Report report = new Report(options.comparison(), circumstances, series);
        System.out.print(report.text(series.size() - 1));
        if (options.json().isPresent()) {
          report.write(options.json().get());
        }
      }
    }
    return options.before().isPresent()
        && series.stream().anyMatch(one -> Regression.isAny(one.measurements()));
  }

  private static boolean canPin() {
    return Runtime.getRuntime().availableProcessors() > 1
        && Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "taskset")));
  }

  private static RunningSystem.Parts parts(SpeedOptions options) throws IOException {
    Artefacts built = Artefacts.of(options.root(), "speed");
    Path hosts =
        Files.writeString(built.logs().resolve("hosts"), "127.0.0.1 inside.example localhost\n");
    Optional<Artefacts> before =
        options.before().isPresent()
            ? Optional.of(built.builtIn(options.before().get(), "before"))
            : Optional.empty();
    return new RunningSystem.Parts(built, before, hosts, options.send());
  }

  /** The arguments as they were given to the script, which adds two of its own in front. */
  private static String shown(String[] args) {
    return String.join(" ", List.of(args).subList(Math.min(4, args.length), args.length));
  }
}
