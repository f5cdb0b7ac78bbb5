package io.rmigate.gateway.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The JDK of the releases 17 and 25 that does not run the tests. */
public final class OtherJdk {
  /** Where it is looked for, for messages. */
  public static final String PLACES = "JAVA25_HOME, JAVA17_HOME or a directory of /usr/lib/jvm";

  private static final Path INSTALLED = Path.of("/usr/lib/jvm");

  private OtherJdk() {}

  /** Its feature release. */
  public static int release() {
    return Runtime.version().feature() == 17 ? 25 : 17;
  }

  /** Its home; empty if it is not installed. */
  public static Optional<Path> find() throws IOException {
    String named = System.getenv("JAVA" + release() + "_HOME");
    if (named != null) {
      return Optional.of(Path.of(named)).filter(OtherJdk::isIt);
    }
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(INSTALLED)) {
      return homes.filter(OtherJdk::isIt).sorted().findFirst();
    }
  }

  /** By the file that each JDK has in its home. */
  private static boolean isIt(Path home) {
    try {
      return Files.isExecutable(home.resolve("bin/jstack"))
          && Files.readString(home.resolve("release"))
              .contains("JAVA_VERSION=\"" + release() + ".");
    } catch (IOException e) {
      return false;
    }
  }
}
