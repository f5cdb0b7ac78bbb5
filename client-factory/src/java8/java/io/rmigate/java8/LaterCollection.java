package io.rmigate.java8;

import java.util.Collection;
import java.util.function.IntFunction;

/** Additions to {@link Collection}. */
public final class LaterCollection {
  private LaterCollection() {}

  public static <T> T[] toArray(Collection<?> collection, IntFunction<T[]> array) {
    return collection.toArray(array.apply(0));
  }
}
