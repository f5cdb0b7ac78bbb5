package io.rmigate.java8;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Additions to {@link Stream}. */
public final class LaterStream {
  private LaterStream() {}

  public static <T> List<T> toList(Stream<T> stream) {
    return Collections.unmodifiableList(stream.collect(Collectors.<T>toList()));
  }
}
