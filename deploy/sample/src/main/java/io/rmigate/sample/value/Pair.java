package io.rmigate.sample.value;

import java.io.Serializable;

/** Two values; either may be null. */
public record Pair<A extends Serializable, B extends Serializable>(A first, B second)
    implements Serializable {

  /** The other way round. */
  public Pair<B, A> swapped() {
    return new Pair<>(second, first);
  }
}
