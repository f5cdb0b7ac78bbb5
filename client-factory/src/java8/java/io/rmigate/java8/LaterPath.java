package io.rmigate.java8;

import java.net.URI;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Additions to {@link Path}. */
public final class LaterPath {
  private LaterPath() {}

  public static Path of(String first, String... more) {
    return Paths.get(first, more);
  }

  public static Path of(URI uri) {
    return Paths.get(uri);
  }
}
