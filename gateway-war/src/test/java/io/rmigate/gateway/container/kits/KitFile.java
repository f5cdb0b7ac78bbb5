package io.rmigate.gateway.container.kits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of {@code deploy/}, to be put where a test needs it. */
final class KitFile {
  private final Path file;
  private String text;

  private KitFile(Path file, String text) {
    this.file = file;
    this.text = text;
  }

  /** Reads it; {@code path} is relative to {@code deploy/}. */
  static KitFile of(String path) throws IOException {
    Path file = path(path);
    return new KitFile(file, Files.readString(file));
  }

  /** Where it lies. */
  static Path path(String path) {
    return Path.of("../deploy").resolve(path).toAbsolutePath().normalize();
  }

  /**
   * Puts something in the place of what must be there.
   *
   * @throws AssertionError it is not there: the kit has changed
   */
  KitFile with(String what, Object instead) {
    if (!text.contains(what)) {
      throw new AssertionError(file + " does not contain " + what);
    }
    text = text.replace(what, instead.toString());
    return this;
  }

  String text() {
    return text;
  }

  /** Writes it there, under the name that it has. */
  Path to(Path directory) throws IOException {
    return Files.writeString(Files.createDirectories(directory).resolve(file.getFileName()), text);
  }
}
