package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory for files that all tests of this JVM share; a new one for each JVM, because JVMs
 * test at the same time and process ids are used again. The build keeps the directory, as all files
 * of tests, for the analysis of failures.
 */
final class WorkOfThisJvm {
  static final Path DIRECTORY = create();

  private WorkOfThisJvm() {}

  private static Path create() {
    try {
      return Files.createTempDirectory(Files.createDirectories(BuiltArtefacts.work()), "shared-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
