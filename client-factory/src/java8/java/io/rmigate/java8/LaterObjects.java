package io.rmigate.java8;

/** Additions to {@link java.util.Objects}. */
public final class LaterObjects {
  private LaterObjects() {}

  public static int checkFromIndexSize(int from, int size, int length) {
    if ((length | from | size) < 0 || size > length - from) {
      throw new IndexOutOfBoundsException(
          "Range [" + from + ", " + from + " + " + size + ") out of bounds for length " + length);
    }
    return from;
  }
}
