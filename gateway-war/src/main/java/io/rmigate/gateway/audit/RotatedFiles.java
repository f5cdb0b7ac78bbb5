package io.rmigate.gateway.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files beside the one that is written. Each is called like that one, with the number of its
 * last line behind it: their order does not depend on any clock.
 */
final class RotatedFiles {
  private final Path path;
  private final Pattern name;

  RotatedFiles(Path path) {
    this.path = path;
    this.name = Pattern.compile(Pattern.quote(path.getFileName().toString()) + "\\.\\d{15,19}");
  }

  /** Moves the file away in which that line is the last. */
  void add(long lastNumber) throws IOException {
    Files.move(
        path,
        path.resolveSibling(path.getFileName() + String.format(Locale.ROOT, ".%015d", lastNumber)),
        StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes the oldest files beyond {@code keep}. */
  void prune(int keep) throws IOException {
    List<Path> files = list();
    for (Path old : files.subList(0, Math.max(0, files.size() - keep))) {
      Files.deleteIfExists(old);
    }
  }

  Optional<Path> newest() throws IOException {
    List<Path> files = list();
    return files.isEmpty() ? Optional.empty() : Optional.of(files.get(files.size() - 1));
  }

  /** The oldest first. */
  List<Path> list() throws IOException {
    try (Stream<Path> files = Files.list(path.toAbsolutePath().getParent())) {
      return files
          .filter(file -> name.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }
}
