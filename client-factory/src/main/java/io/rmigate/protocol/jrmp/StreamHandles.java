package io.rmigate.protocol.jrmp;

import java.util.Arrays;

/**
 * What the handles of one stream stand for, as far as its grammar asks: a string, by the position
 * of its token; a class descriptor, by the complement of its index; or anything else. Of handles
 * that were there when texts were last forgotten only strings and descriptors are kept, so that a
 * stream of any number of objects takes no more memory than its descriptors do. For one thread.
 */
final class StreamHandles {
  /** Neither a string nor a class descriptor. */
  static final int OTHER_OBJECT = Integer.MIN_VALUE;

  /** The handles of a stream begin in the middle of the integers. */
  private static final int MOST = Integer.MAX_VALUE - StreamTokens.BASE_WIRE_HANDLE;

  private static final int FEW = 4;
  private static final int[] NONE = {};

  /** By handle, from {@link #first} on. */
  private int[] entries = new int[FEW];

  private int first;
  private int count;

  /** Those before {@link #first} that stand for strings or descriptors, in their order. */
  private int[] oldHandles = NONE;

  private int[] oldEntries = NONE;
  private int oldCount;

  /** How many there are; the next has this number. */
  int count() {
    return count;
  }

  /** Whether no more can be added. */
  boolean isFull() {
    return count - first >= MessageGrammar.MAX_HANDLES || count == MOST;
  }

  /** Adds one, and returns its number. */
  int add(int entry) {
    if (count - first == entries.length) {
      entries = Arrays.copyOf(entries, 2 * entries.length);
    }
    entries[count - first] = entry;
    return count++;
  }

  /** Those from this number on have not been; none of them is older than the latest forgetting. */
  void takeBack(int from) {
    count = from;
  }

  /** What the handle with that number stands for. */
  int entry(int handle) {
    if (handle >= first) {
      return entries[handle - first];
    }
    int at = Arrays.binarySearch(oldHandles, 0, oldCount, handle);
    return at < 0 ? OTHER_OBJECT : oldEntries[at];
  }

  /** Strings from that position on stand for nothing that the grammar asks for. */
  void forgetTextsFrom(int position) {
    for (int i = 0; i < count - first; i++) {
      int entry = entries[i];
      if (entry != OTHER_OBJECT && entry < position) {
        keep(first + i, entry);
      }
    }
    first = count;
    if (entries.length > MessageGrammar.MAX_CLASS_DESCRIPTORS) {
      entries = new int[FEW];
    }
  }

  private void keep(int handle, int entry) {
    if (oldCount == oldHandles.length) {
      oldHandles = Arrays.copyOf(oldHandles, Math.max(FEW, 2 * oldCount));
      oldEntries = Arrays.copyOf(oldEntries, oldHandles.length);
    }
    oldHandles[oldCount] = handle;
    oldEntries[oldCount++] = entry;
  }

  /** There are none any more. */
  void clear() {
    first = 0;
    count = 0;
    oldCount = 0;
  }

  /** Bytes that they take. */
  long bytes() {
    return 4L * (entries.length + oldHandles.length + oldEntries.length);
  }
}
