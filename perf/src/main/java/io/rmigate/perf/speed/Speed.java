package io.rmigate.perf.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/** The speed command's driver; started by {@code perf/speed}. */
public final class Speed {
  private Speed() {}

  /** Exit codes: 0 measured, 1 something failed, 2 wrong usage. Missed aims are no failure. */
  public static void main(String[] args) throws Exception {
    SpeedOptions options;
    try {
      options = SpeedOptions.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("speed: " + e.getMessage() + "; see --help");
      System.exit(2);
      return;
    }
    try {
      run(options, args);
    } catch (IOException | RuntimeException e) {
      System.err.println("speed: " + e);
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }

  private static void run(SpeedOptions options, String[] args) throws IOException {
    boolean canPin = canPin();
    if (!canPin) {
      System.out.println("No taskset here, or one processor only: nothing is pinned.");
    }
    RunningSystem.Parts parts = parts(options);
    Map<String, String> circumstances = circumstances(options, args);
    List<Series> series = new ArrayList<>();
    for (Path jdk : options.jdks()) {
      String version = version(jdk);
      for (boolean pinned : canPin ? options.pinned() : List.of(false)) {
        series.add(Series.run(jdk, version, pinned, options.rounds(), options.profile(), parts));
        Report report = new Report(circumstances, series);
        System.out.print(report.text(series.size() - 1));
        if (options.json().isPresent()) {
          report.write(options.json().get());
        }
      }
    }
  }

  private static boolean canPin() {
    return Runtime.getRuntime().availableProcessors() > 1
        && Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "taskset")));
  }

  private static RunningSystem.Parts parts(SpeedOptions options) throws IOException {
    Path root = options.root();
    Path target = root.resolve("perf/target");
    List<Path> libraries = new ArrayList<>();
    libraries.add(target.resolve("rmigate-perf.jar"));
    try (Stream<Path> files = Files.list(target.resolve("lib"))) {
      files.sorted().forEach(libraries::add);
    }
    Path logs = target.resolve("speed");
    Files.createDirectories(logs);
    Path hosts = Files.writeString(logs.resolve("hosts"), "127.0.0.1 inside.example localhost\n");
    return new RunningSystem.Parts(
        libraries,
        copy(root.resolve("gateway-war/target/rmigate.war"), logs.resolve("gateway.war")),
        copy(root.resolve("client-factory/target/rmigate-client.jar"), logs.resolve("agent.jar")),
        root.resolve("deploy/sample/target/rmigate-sample.jar"),
        hosts,
        logs,
        options.send());
  }

  /** What is measured stays what it was, even if somebody builds meanwhile. */
  private static Path copy(Path from, Path to) throws IOException {
    return Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String version(Path jdk) throws IOException {
    Properties release = new Properties();
    try (var in = Files.newInputStream(jdk.resolve("release"))) {
      release.load(in);
    }
    return (release.getProperty("JAVA_VERSION") + " " + release.getProperty("IMPLEMENTOR", ""))
        .replace("\"", "")
        .strip();
  }

  private static Map<String, String> circumstances(SpeedOptions options, String[] args)
      throws IOException {
    Map<String, String> circumstances = new LinkedHashMap<>();
    circumstances.put(
        "date", ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS).toString());
    circumstances.put("commit", options.commit());
    circumstances.put("host", hostName() + ", " + machine());
    circumstances.put("command", "perf/speed " + shown(args));
    return circumstances;
  }

  /** The arguments as they were given to the script, which adds two of its own in front. */
  private static String shown(String[] args) {
    return String.join(" ", List.of(args).subList(Math.min(4, args.length), args.length));
  }

  /** From the kernel: the JDK would look for it in the hosts file of the measurement. */
  private static String hostName() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  private static String machine() throws IOException {
    String model =
        Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse(System.getProperty("os.arch"));
    return String.join(
        ", ",
        model,
        Runtime.getRuntime().availableProcessors() + " processors",
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        "load " + Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0] + " at the start");
  }
}
