package io.rmigate.client.jvm;

import java.util.function.LongSupplier;

/** The clock {@link System#nanoTime}. A class, because a method reference costs a start more. */
public final class NanoClock implements LongSupplier {
  /** The only one. */
  public static final LongSupplier SYSTEM = new NanoClock();

  private NanoClock() {}

  @Override
  public long getAsLong() {
    return System.nanoTime();
  }
}
