package io.rmigate.gateway;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of this repository, without what builds, tools and tests make beside them. */
final class RepositoryFiles {
  /** The directory of all modules. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Set<String> MADE = Set.of("target", "node_modules");

  private RepositoryFiles() {}

  /** Those whose names end in one of these. */
  static List<Path> endingIn(String... endings) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            boolean skipped =
                !directory.equals(ROOT) && (name.startsWith(".") || MADE.contains(name));
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()
                && Stream.of(endings).anyMatch(file.toString()::endsWith)) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
