package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file into which a fuzz target writes one input after the other. */
public final class FuzzFile {
  private FuzzFile() {}

  /** An empty one whose name ends so; it goes with this JVM. */
  public static Path ending(String suffix) {
    try {
      Path file = Files.createTempFile("fuzz", suffix);
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
