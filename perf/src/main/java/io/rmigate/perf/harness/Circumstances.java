package io.rmigate.perf.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** Date, commit, machine and command of a result. */
public final class Circumstances {
  private Circumstances() {}

  /**
   * The circumstances by name, in the order of reports.
   *
   * @param command as the user gave it
   */
  public static Map<String, String> of(String commit, String command) throws IOException {
    Map<String, String> circumstances = new LinkedHashMap<>();
    circumstances.put(
        "date", ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS).toString());
    circumstances.put("commit", commit);
    circumstances.put("host", hostName() + ", " + machine());
    circumstances.put("command", command);
    return circumstances;
  }

  /** Version and vendor of the JDK with that home. */
  public static String jdkVersion(Path jdk) throws IOException {
    Properties release = new Properties();
    try (var in = Files.newInputStream(jdk.resolve("release"))) {
      release.load(in);
    }
    return (release.getProperty("JAVA_VERSION") + " " + release.getProperty("IMPLEMENTOR", ""))
        .replace("\"", "")
        .strip();
  }

  /** Asks the kernel, because the JDK would look in the hosts file of the measurement. */
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
