package io.rmigate.gateway.scan;

import java.util.Arrays;

/**
 * Where codebases stand in a message that are dropped from the annotations of classes, and what
 * goes on in their place: for a string the empty one, so that it keeps its handle; for a reference
 * null; and for the array around a stream that becomes shorter so, its new length. All other bytes
 * stay as they are, in their order, so that a message may go on in pieces. Confined to one thread
 * at a time.
 *
 * <pre>
 *   74 0011 "http://a.example/"           →  74 0000
 *   7C 0000000000012345 "http://a…"       →  74 0000
 *   71 007E0003                           →  70
 *   75 … 0000001A ACED0005 74 0011 "h…"   →  75 … 00000007 ACED0005 74 0000
 * </pre>
 */
public final class DroppedCodebases {
  private static final byte TC_NULL = 0x70;
  private static final byte TC_STRING = 0x74;
  private static final byte[] EMPTY_STRING = {TC_STRING, 0, 0};
  private static final byte[] NULL = {TC_NULL};
  private static final int REFERENCE_BYTES = 5;
  private static final int FEW = 8;
  private static final int MANY = 64;
  private static final long[] NOWHERE = {};

  /** The empty result for a message without codebases; nothing is ever added to it. */
  public static final DroppedCodebases NONE = new DroppedCodebases();

  /** Set where a reference is replaced. */
  private static final long REFERENCE = Long.MIN_VALUE;

  /**
   * In the order of the message: in the upper half the index from which something is replaced, and
   * in the lower half the one up to which; for the length of an array the complement of the new
   * one.
   */
  private long[] places = NOWHERE;

  /** The first that has not gone on as a whole. */
  private int first;

  private int count;

  /** The places before this index are counted in {@link #saved}. */
  private int reached;

  /** How many bytes less go on in the places from {@link #first} up to {@link #reached}. */
  private int saved;

  /** Bytes of what stands in the place of the first that have gone on. */
  private int written;

  DroppedCodebases() {}

  /** A string, from its token up to its end. An empty one stays. */
  void string(int from, int to) {
    if (to - from > EMPTY_STRING.length) {
      add(from, to, 0);
    }
  }

  /** A reference, whose token stands there. */
  void reference(int from) {
    add(from, from + REFERENCE_BYTES, REFERENCE);
  }

  /**
   * An array of bytes begins in which something may be dropped.
   *
   * @param lengthAt where its length stands
   * @return for {@link #endArray}
   */
  int beginArray(int lengthAt) {
    add(lengthAt, ~0, 0);
    return count - 1;
  }

  /** The array that began at {@code begun} has ended; its length in bytes is known now. */
  void endArray(int begun, int length) {
    int shorter = 0;
    for (int i = begun + 1; i < count; i++) {
      shorter += savedAt(i);
    }
    if (shorter == 0) {
      count = begun;
    } else {
      places[begun] = ((long) from(begun) << Integer.SIZE) | (~(length - shorter) & 0xFFFFFFFFL);
    }
  }

  private void add(int from, int to, long kind) {
    if (count == places.length) {
      places = Arrays.copyOf(places, Math.max(FEW, count + (count >> 1)));
    }
    places[count++] = kind | ((long) from << Integer.SIZE) | (to & 0xFFFFFFFFL);
  }

  private int from(int i) {
    return (int) (places[i] >>> Integer.SIZE) & Integer.MAX_VALUE;
  }

  private int to(int i) {
    int to = (int) places[i];
    return to < 0 ? from(i) + Integer.BYTES : to;
  }

  private int savedAt(int i) {
    return to(i) - from(i) - replacement(i).length;
  }

  private byte[] replacement(int i) {
    if (places[i] < 0) {
      return NULL;
    }
    int length = ~(int) places[i];
    return length < 0
        ? EMPTY_STRING
        : new byte[] {
          (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length
        };
  }

  /** Whether there are none, or none any more. */
  public boolean isEmpty() {
    return first == count;
  }

  /** All of them stay where they are. */
  public void clear() {
    first = 0;
    count = 0;
    reached = 0;
    saved = 0;
    written = 0;
  }

  /**
   * By how many bytes what has not gone on becomes shorter, up to that index; which is never less
   * than it was, and in the middle of none.
   */
  public int saved(int upTo) {
    while (reached < count && to(reached) <= upTo) {
      saved += savedAt(reached++);
    }
    return saved;
  }

  /**
   * What goes on, as much as there is room for.
   *
   * @param message as it has come
   * @param from what stands before this index has gone on
   * @param with is filled
   * @return the next {@code from}
   */
  public int fill(byte[] message, int from, byte[] with) {
    int next = from;
    int filled = 0;
    while (filled < with.length) {
      int plain = with.length - filled;
      if (first < count) {
        plain = Math.min(plain, from(first) - next);
      }
      System.arraycopy(message, next, with, filled, plain);
      next += plain;
      filled += plain;
      if (filled < with.length) {
        byte[] instead = replacement(first);
        int part = Math.min(with.length - filled, instead.length - written);
        System.arraycopy(instead, written, with, filled, part);
        filled += part;
        next = wrote(part, instead.length, next);
      }
    }
    return next;
  }

  /** Counts the bytes of a replacement that have gone on. */
  private int wrote(int part, int all, int next) {
    written += part;
    saved += part; // for none of those that have come
    if (written < all) {
      return next;
    }
    int to = to(first);
    saved -= to - from(first);
    written = 0;
    first++;
    if (first == count) {
      clear();
    } else if (first >= MANY && first > count / 2) {
      System.arraycopy(places, first, places, 0, count - first);
      count -= first;
      reached -= first;
      first = 0;
    }
    return to;
  }

  /**
   * All of a message as it goes on; itself if nothing is dropped. Once.
   *
   * @param message as it has come
   */
  public byte[] without(byte[] message) {
    if (isEmpty()) {
      return message;
    }
    byte[] shorter = new byte[message.length - saved(message.length)];
    fill(message, 0, shorter);
    return shorter;
  }

  /** About as many bytes as they take. */
  long bytes() {
    return (long) places.length * Long.BYTES;
  }
}
