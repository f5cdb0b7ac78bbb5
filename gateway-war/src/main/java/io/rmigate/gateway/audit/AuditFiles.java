package io.rmigate.gateway.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files of an audit. */
public final class AuditFiles {

  /**
   * The file with the newest lines and those that were rotated, the oldest first.
   *
   * @param path as in the configuration; without such a file, only the rotated files are returned
   */
  public static List<Path> of(Path path) throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    List<Path> files = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      files.addAll(new RotatedFiles(path).list());
    }
    if (Files.exists(path)) {
      files.add(path);
    }
    return files;
  }

  private AuditFiles() {}
}
