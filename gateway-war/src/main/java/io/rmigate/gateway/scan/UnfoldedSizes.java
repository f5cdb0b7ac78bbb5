package io.rmigate.gateway.scan;

import java.util.Arrays;
import java.util.BitSet;

/**
 * How large objects are when every reference to one is counted as if it stood there once more: what
 * a walk through them costs that does not know where it has been, such as {@code hashCode} of a set
 * of sets. A null counts, too: a list of them is walked through like any other. Thirty sets in each
 * other twice are 700 bytes in a stream and a thousand million steps. Cycles count once, since no
 * such walk of the JDK's survives them. Of the latest million objects, or fewer, the size of each
 * is kept; of those before only the largest of some neighbours, and of some millions which have
 * nothing in them, so that a stream of any length takes little memory. Confined to one thread.
 */
final class UnfoldedSizes {
  private static final int PAGE_BITS = 8;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final int MANY_PAGES = 1 << 12;
  private static final int FEW_PAGES = 1 << 10;

  /** In bits no more than the sizes of the latest take in floats. */
  private static final int MOST_MARKED = 1 << 23;

  /** Bytes of an array, or of a long text, that take as long to hash as an object. */
  private static final int BYTES_OF_A_STEP = 32;

  /** A long text counts by its bytes, because JDK 8 does not keep a hash code that is 0. */
  private static final int LONG_TEXT = 256;

  private static final float[][] NONE = {};
  private static final float[] NO_SIZES = {};

  private int mostExact = MANY_PAGES;

  /**
   * By handle; 0 for what is still open, or has nothing in it. Seven digits are enough here. Null
   * where there is no such page, or not any more.
   */
  private float[][] pages = NONE;

  /** By page: the largest size that is not kept by itself. */
  private float[] largest = NO_SIZES;

  /** Pages before this one are not kept. */
  private int firstExact;

  /**
   * The objects larger than 1, of the first millions whose sizes are not kept by themselves.
   * Strings that all rows of a table share stand beside its first row. Null as long as none are.
   */
  private BitSet larger;

  private int exactPages;
  private long bytes;

  /** The number of sizes up to the last one that was put; those behind it are absent or 0. */
  private int used;

  private final int firstHandle;

  UnfoldedSizes(int firstHandle) {
    this.firstHandle = firstHandle;
  }

  /** The stream may be long: no more than two megabytes are kept of it. */
  void keepLess() {
    mostExact = FEW_PAGES;
  }

  /** An object is complete. */
  void put(int handle, long size) {
    if (size <= 1) {
      return;
    }
    int index = handle - firstHandle;
    int page = index >>> PAGE_BITS;
    if (page < firstExact) {
      coarsen(index, (float) size);
      return;
    }
    int at = index & (PAGE - 1);
    float[] sizes = page < pages.length ? pages[page] : null;
    if (sizes == null || at >= sizes.length) {
      sizes = room(page, at);
    }
    sizes[at] = size;
    used = Math.max(used, index + 1);
    while (exactPages > mostExact) {
      coarsen();
    }
  }

  private float[] room(int page, int at) {
    if (page >= pages.length) {
      pages = Arrays.copyOf(pages, page + 1 + (page >> 1));
      largest = Arrays.copyOf(largest, pages.length);
    }
    float[] sizes = pages[page];
    if (sizes == null) {
      exactPages++;
      sizes = NO_SIZES;
    }
    bytes -= 4L * sizes.length;
    sizes = Arrays.copyOf(sizes, page == 0 ? Math.min(PAGE, Math.max(16, 2 * (at + 1))) : PAGE);
    bytes += 4L * sizes.length;
    pages[page] = sizes;
    return sizes;
  }

  private void coarsen() {
    float[] sizes = pages[firstExact];
    if (sizes != null) {
      for (int i = 0; i < sizes.length; i++) {
        coarsen((firstExact << PAGE_BITS) + i, sizes[i]);
      }
      pages[firstExact] = null;
      exactPages--;
      bytes -= 4L * sizes.length;
    }
    firstExact++;
  }

  private void coarsen(int index, float size) {
    if (size > 1) {
      int page = index >>> PAGE_BITS;
      largest[page] = Math.max(largest[page], size);
      if (index < MOST_MARKED) {
        larger = larger == null ? new BitSet() : larger;
        larger.set(index);
      }
    }
  }

  /** The size of what a reference refers to, or more. */
  long of(int handle) {
    int index = handle - firstHandle;
    int page = index >>> PAGE_BITS;
    if (page < firstExact) {
      return index < MOST_MARKED && !isMarked(index) ? 1 : Math.max(1, (long) largest[page]);
    }
    float[] sizes = page < pages.length ? pages[page] : null;
    int at = index & (PAGE - 1);
    return sizes != null && at < sizes.length && sizes[at] > 1 ? (long) sizes[at] : 1;
  }

  private boolean isMarked(int index) {
    return larger != null && larger.get(index);
  }

  /** Whether the size of that one is not known any more, but only one that is not smaller. */
  boolean isVague(int handle) {
    return ((handle - firstHandle) >>> PAGE_BITS) < firstExact;
  }

  /**
   * The handles mean something else from now on. The first page stays: streams, and parts of them
   * that are reset, may be many, and so short that they take less than it does.
   */
  void clear() {
    if (pages.length > 1) {
      pages = NONE;
      largest = NO_SIZES;
      firstExact = 0;
      exactPages = 0;
      bytes = 0;
      larger = null;
    } else if (used > 0) {
      Arrays.fill(pages[0], 0, used, 0);
    }
    used = 0;
  }

  /** The approximate number of bytes that the sizes take. */
  long bytes() {
    return bytes + 12L * pages.length + (larger == null ? 0 : larger.length() / Byte.SIZE);
  }

  /**
   * The size of an array of primitives. The hash code of a container goes through all elements.
   *
   * @param name of its class
   */
  static long ofArray(String name, int length) {
    int width =
        switch (name.charAt(1)) {
          case 'J', 'D' -> Long.BYTES;
          case 'I', 'F' -> Integer.BYTES;
          case 'C', 'S' -> Short.BYTES;
          default -> 1;
        };
    return 1 + (long) length * width / BYTES_OF_A_STEP;
  }

  /** The size of a text, by its bytes. */
  static long ofText(int length) {
    return length < LONG_TEXT ? 1 : length / BYTES_OF_A_STEP;
  }

  /** The product of two that are not negative, or {@link Long#MAX_VALUE}. */
  static long product(long one, long other) {
    return one > 0 && other > Long.MAX_VALUE / one ? Long.MAX_VALUE : one * other;
  }

  /** The sum, or {@link Long#MAX_VALUE}. */
  static long sum(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
