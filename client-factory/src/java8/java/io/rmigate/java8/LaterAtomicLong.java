package io.rmigate.java8;

import java.util.concurrent.atomic.AtomicLong;

/** Additions to {@link AtomicLong}. */
public final class LaterAtomicLong {
  private LaterAtomicLong() {}

  public static long getOpaque(AtomicLong value) {
    return value.get();
  }

  public static long getPlain(AtomicLong value) {
    return value.get();
  }

  public static void setOpaque(AtomicLong value, long to) {
    value.lazySet(to);
  }
}
