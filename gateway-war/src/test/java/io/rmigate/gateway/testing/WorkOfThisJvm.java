package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The directory for files that all tests of this JVM share; a new one for each JVM, because JVMs
 * test at the same time and process ids are used again. Every user of this machine can read it,
 * because squid runs as a user of its own where the tests run as root. The build keeps the
 * directory, as all files of tests, for the analysis of failures.
 */
final class WorkOfThisJvm {
  static final Path DIRECTORY = create();

  private WorkOfThisJvm() {}

  private static Path create() {
    try {
      return Files.createTempDirectory(
          Files.createDirectories(BuiltArtefacts.work()),
          "shared-",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
