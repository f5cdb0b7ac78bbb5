package io.rmigate.gateway.boxes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A file of a package of the operating system, wherever distributions put it.
 *
 * @param debian the package's name in Debian
 * @param path where it is, or would be
 */
record Installed(String debian, Path path) {
  /** The first of these places where it is. */
  static Installed of(String debian, String... places) {
    Path first = Path.of(places[0]);
    return new Installed(
        debian, Stream.of(places).map(Path::of).filter(Files::exists).findFirst().orElse(first));
  }

  /** Itself if it is not there, empty if it is. */
  Optional<Installed> missing() {
    return Files.exists(path) ? Optional.empty() : Optional.of(this);
  }

  /** What there is to say of one that is missing. */
  String notInstalled() {
    return "not installed: " + path + " (Debian's package " + debian + ")";
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
