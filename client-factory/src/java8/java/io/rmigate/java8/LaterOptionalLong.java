package io.rmigate.java8;

import java.util.OptionalLong;

/** Additions to {@link OptionalLong}. */
public final class LaterOptionalLong {
  private LaterOptionalLong() {}

  public static boolean isEmpty(OptionalLong optional) {
    return !optional.isPresent();
  }
}
