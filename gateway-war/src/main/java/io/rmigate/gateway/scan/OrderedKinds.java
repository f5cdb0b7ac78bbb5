package io.rmigate.gateway.scan;

import java.util.BitSet;

/**
 * Which objects of one stream are of classes that are {@code Comparable} with themselves, by their
 * handles: a key may be a reference to one. Of the first million objects, and of the four kinds
 * that come first; of others nothing is known. Confined to the scanning thread.
 */
final class OrderedKinds {
  private static final int KINDS = 4;
  private static final int MOST = 1 << 20;

  /** The codes of {@code java.time.Ser} for classes that have an order, as {@code HashMap} asks. */
  private static final int ORDERED_TIMES =
      1 << 1 // Duration
          | 1 << 2 // Instant
          | 1 << 4 // LocalTime
          | 1 << 8 // ZoneOffset
          | 1 << 9 // OffsetTime
          | 1 << 10 // OffsetDateTime
          | 1 << 11 // Year
          | 1 << 12 // YearMonth
          | 1 << 13; // MonthDay

  // Null until there is one.
  private Object[] kinds;
  private BitSet[] handles;

  /** The kind of a value of java.time with that code; null if its class has no order. */
  static Object ofTime(byte code) {
    boolean known = code >= 0 && code < Integer.SIZE;
    return known && (ORDERED_TIMES >>> code & 1) != 0 ? Byte.valueOf(code) : null;
  }

  void add(int handle, Object kind) {
    if (handle >= MOST) {
      return;
    }
    if (kinds == null) {
      kinds = new Object[KINDS];
      handles = new BitSet[KINDS];
    }
    for (int i = 0; i < KINDS; i++) {
      if (kinds[i] == null) {
        kinds[i] = kind;
        handles[i] = new BitSet();
      }
      if (kinds[i] == kind) {
        handles[i].set(handle);
        return;
      }
    }
  }

  /** Null if that is not known. */
  Object kindOf(int handle) {
    for (int i = 0; kinds != null && i < KINDS && kinds[i] != null; i++) {
      if (handles[i].get(handle)) {
        return kinds[i];
      }
    }
    return null;
  }

  /** Handles mean something else from now on. */
  void clear() {
    kinds = null;
    handles = null;
  }

  /** About as many bytes as it takes. */
  long bytes() {
    long bits = 0;
    for (int i = 0; kinds != null && i < KINDS && kinds[i] != null; i++) {
      bits += handles[i].size();
    }
    return bits / Byte.SIZE;
  }
}
