package io.rmigate.gateway.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories that start empty and stay, so that a failed test can be examined. */
public final class WorkDirectory {
  private WorkDirectory() {}

  /** Removes what a former run left there, and creates it. */
  public static Path empty(Path directory) throws IOException {
    if (Files.exists(directory)) {
      List<Path> deepestFirst;
      try (Stream<Path> files = Files.walk(directory)) {
        deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    }
    return Files.createDirectories(directory);
  }
}
