package io.rmigate.java8;

import java.time.Duration;

/** Additions to {@link Duration}. */
public final class LaterDuration {
  private LaterDuration() {}

  public static long toSeconds(Duration duration) {
    return duration.getSeconds();
  }
}
