package io.rmigate.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** Access modes of files that hold a password or a key. */
public final class FileModes {
  private FileModes() {}

  /**
   * The mode of a file, such as {@code rw-r--r--}, if users other than its owner and group may read
   * or change it, or its group may change it; empty if not, and where files have no such modes.
   */
  public static Optional<String> openToOthers(Path file) {
    try {
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
      boolean open =
          mode.contains(PosixFilePermission.OTHERS_READ)
              || mode.contains(PosixFilePermission.OTHERS_WRITE)
              || mode.contains(PosixFilePermission.GROUP_WRITE);
      return open ? Optional.of(PosixFilePermissions.toString(mode)) : Optional.empty();
    } catch (IOException | UnsupportedOperationException none) {
      return Optional.empty(); // the reader of the file reports that it is not there
    }
  }
}
