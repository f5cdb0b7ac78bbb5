package io.rmigate.gateway.container.ordinary.api;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;

/** Is written as something else. */
@SuppressWarnings("serial")
public final class Range implements Serializable {
  private final int from;
  private final int to;

  public Range(int from, int to) {
    this.from = from;
    this.to = to;
  }

  private Object writeReplace() {
    return new Written(from, to);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw new InvalidObjectException("a stand-in is needed");
  }

  @Override
  public String toString() {
    return from + " to " + to;
  }

  /** What is written of it. */
  private static final class Written implements Serializable {
    private final int from;
    private final int to;

    Written(int from, int to) {
      this.from = from;
      this.to = to;
    }

    private Object readResolve() {
      return new Range(from, to);
    }
  }
}
