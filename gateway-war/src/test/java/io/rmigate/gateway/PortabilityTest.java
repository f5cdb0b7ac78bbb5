package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The product's own code runs on any operating system: it names no files and no programs of Unix.
 */
class PortabilityTest {
  private static final List<String> MODULES =
      List.of("client-factory", "gateway-war", "soap-bridge");

  /**
   * Directories of Unix at the beginning of a text, programs of Unix as a whole text, and starts of
   * programs other than the JVM.
   */
  private static final Pattern UNIX =
      Pattern.compile(
          "\"/(?:proc|etc|dev|tmp|usr|var|bin|sys|opt)(?:/|\")"
              + "|\"(?:sh|bash|taskset|kill|ps|lsof|uname|nice)\""
              + "|new ProcessBuilder|Runtime\\.getRuntime\\(\\)\\.exec");

  /** Starts the gateway once, by the JVM that it runs in. */
  private static final Path STARTS_A_JVM = Path.of("standalone", "InstallCommand.java");

  @Test
  void theProductNamesNothingOfUnix() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : RepositoryFiles.endingIn(".java")) {
      Path path = RepositoryFiles.ROOT.relativize(file);
      if (isOfProduct(path)) {
        Files.readAllLines(file).stream()
            .filter(line -> !line.strip().startsWith("*") && UNIX.matcher(line).find())
            .filter(line -> !path.endsWith(STARTS_A_JVM))
            .forEach(line -> found.add(path + ": " + line.strip()));
      }
    }
    assertThat(found).isEmpty();
  }

  private static boolean isOfProduct(Path path) {
    return path.getNameCount() > 3
        && MODULES.contains(path.getName(0).toString())
        && path.getName(1).toString().equals("src")
        && !path.getName(2).toString().equals("test");
  }

  @Test
  void findsWhatItLooksFor() {
    assertThat("Path.of(\"/proc/self\")").containsPattern(UNIX);
    assertThat("run(\"taskset\", mask)").containsPattern(UNIX);
    assertThat("path(\"/processes\")").doesNotContainPattern(UNIX);
  }
}
