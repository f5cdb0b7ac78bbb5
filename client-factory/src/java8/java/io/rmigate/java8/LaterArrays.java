package io.rmigate.java8;

/** Additions to {@link java.util.Arrays}. */
public final class LaterArrays {
  private LaterArrays() {}

  public static boolean equals(byte[] a, int aFrom, int aTo, byte[] b, int bFrom, int bTo) {
    int length = aTo - aFrom;
    if (length != bTo - bFrom) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (a[aFrom + i] != b[bFrom + i]) {
        return false;
      }
    }
    return true;
  }
}
