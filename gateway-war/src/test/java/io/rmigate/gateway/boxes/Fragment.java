package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of {@code deploy/} with the changes of an installation: ports, addresses, paths. What is
 * to be changed must be there, or a test would go on by itself while the file has become another
 * one.
 */
final class Fragment {
  private static final Path DEPLOY =
      Path.of(System.getProperty("rmigate.test.deploy", "../deploy"));

  private final String path;
  private final String text;

  private Fragment(String path, String text) {
    this.path = path;
    this.text = text;
  }

  /**
   * As it is.
   *
   * @param path within {@code deploy/}
   */
  static Fragment of(String path) throws IOException {
    return new Fragment(path, Files.readString(DEPLOY.resolve(path)));
  }

  /** With {@code after} wherever {@code before} stands. */
  Fragment with(String before, Object after) {
    if (!text.contains(before)) {
      throw new AssertionError("deploy/" + path + " has no '" + before + "'");
    }
    return new Fragment(path, text.replace(before, after.toString()));
  }

  /** Without the lines in which that stands. */
  Fragment without(String part) {
    return new Fragment(
        path, with(part, part).text.replaceAll("(?m)^.*\\Q" + part + "\\E.*\\R", ""));
  }

  /** With the comment signs taken from the line that begins so behind them. */
  Fragment uncommented(String line) {
    return with("# " + line, line);
  }

  /** Writes it there. */
  Path writeTo(Path directory) throws IOException {
    return Files.writeString(directory.resolve(Path.of(path).getFileName()), text);
  }
}
