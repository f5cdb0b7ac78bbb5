package io.rmigate.gateway.scan;

import java.util.Arrays;

/**
 * How large objects are when every reference to one is counted as if it stood there once more: what
 * a walk through them costs that does not know where it has been, such as {@code hashCode} of a set
 * of sets. Thirty sets in each other twice are 700 bytes in a stream and a thousand million steps.
 * Cycles count once, since no such walk of the JDK's survives them. Confined to one thread.
 */
final class Unfolding {
  /** By handle; 0 for what is still open, or has nothing in it. Seven digits are enough here. */
  private float[] sizes = new float[0];

  private final int firstHandle;

  Unfolding(int firstHandle) {
    this.firstHandle = firstHandle;
  }

  /** An object is complete. */
  void put(int handle, long size) {
    if (size <= 1) {
      return;
    }
    int index = handle - firstHandle;
    if (index >= sizes.length) {
      sizes = Arrays.copyOf(sizes, Math.max(16, index + 1 + (index >> 1)));
    }
    sizes[index] = size;
  }

  /** The size of what a reference refers to. */
  long of(int handle) {
    int index = handle - firstHandle;
    return index < sizes.length ? Math.max(1, (long) sizes[index]) : 1;
  }

  /** The handles mean something else from now on. */
  void clear() {
    sizes = new float[0];
  }

  /** The sum, or {@link Long#MAX_VALUE}. */
  static long sum(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
