package io.rmigate.java8;

import java.util.concurrent.atomic.AtomicReference;

/** Additions to {@link AtomicReference}. */
public final class LaterAtomicReference {
  private LaterAtomicReference() {}

  public static <V> V compareAndExchange(AtomicReference<V> reference, V expected, V to) {
    while (true) {
      V found = reference.get();
      if (found != expected || reference.compareAndSet(expected, to)) {
        return found;
      }
    }
  }
}
