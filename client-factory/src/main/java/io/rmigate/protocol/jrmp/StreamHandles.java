package io.rmigate.protocol.jrmp;

import java.util.Arrays;

/**
 * What the handles of one stream stand for, as far as its grammar asks: a string, by the position
 * of its token; a class descriptor, by the complement of its index; or anything else. Only strings
 * and descriptors take room, in pages of which those of a long stream are made one by one: so an
 * object costs no more than being counted, and nothing is ever copied to a larger table. Of handles
 * that were there when texts were last forgotten only strings and descriptors are kept, so that a
 * stream of any number of objects takes no more memory than its descriptors do. For one thread.
 */
final class StreamHandles {
  /** Neither a string nor a class descriptor. No string begins where its stream does. */
  static final int OTHER_OBJECT = 0;

  /** The handles of a stream begin in the middle of the integers. */
  private static final int MOST = Integer.MAX_VALUE - StreamTokens.BASE_WIRE_HANDLE;

  private static final int PAGE_BITS = 8;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final int FEW = 8;
  private static final int FEW_PAGES = 64;
  private static final int[] NONE = {};
  private static final int[][] NO_PAGES = {};

  /** Entries by handle, from {@link #first} on; grows up to a page. */
  private int[] page = new int[FEW];

  /**
   * Pages of the handles behind the first; null where all are other objects. The first is not here.
   */
  private int[][] pages = NO_PAGES;

  private int pageCount;
  private int first;
  private int count;

  /** The number of handles from which on there is no room. */
  private int full = MessageGrammar.MAX_HANDLES;

  /** Handles before {@link #first} that stand for strings or descriptors, in their order. */
  private int[] oldHandles = NONE;

  private int[] oldEntries = NONE;
  private int oldCount;

  /** The number of handles; the next handle has this number. */
  int count() {
    return count;
  }

  /** Whether no more can be added. */
  boolean isFull() {
    return count == full;
  }

  /** Adds one that stands for another object, and returns its number. */
  int addObject() {
    return count++;
  }

  /** Adds one that stands for a string or a descriptor, and returns its number. */
  int add(int entry) {
    int at = count - first;
    if (at < page.length) {
      page[at] = entry;
    } else {
      room(at)[at & PAGE - 1] = entry;
    }
    return count++;
  }

  private int[] room(int at) {
    if (at < PAGE) {
      page = Arrays.copyOf(page, Math.min(PAGE, Math.max(2 * page.length, at + FEW)));
      return page;
    }
    int number = at >>> PAGE_BITS;
    if (number >= pages.length) {
      pages = Arrays.copyOf(pages, number + 1 + (number >> 1));
    }
    if (pages[number] == null) {
      pages[number] = new int[PAGE];
      pageCount++;
    }
    return pages[number];
  }

  /** Removes the handles from this number on; none is older than the latest forgetting. */
  void takeBack(int from) {
    for (int handle = from; handle < count; handle++) {
      if (entry(handle) != OTHER_OBJECT) {
        int at = handle - first;
        (at < PAGE ? page : pages[at >>> PAGE_BITS])[at & PAGE - 1] = OTHER_OBJECT;
      }
    }
    count = from;
  }

  /** The entry of the handle with that number. */
  int entry(int handle) {
    if (handle >= first) {
      return entryAt(handle - first);
    }
    int at = Arrays.binarySearch(oldHandles, 0, oldCount, handle);
    return at < 0 ? OTHER_OBJECT : oldEntries[at];
  }

  private int entryAt(int at) {
    if (at < PAGE) {
      return at < page.length ? page[at] : OTHER_OBJECT;
    }
    int number = at >>> PAGE_BITS;
    boolean none = number >= pages.length || pages[number] == null;
    return none ? OTHER_OBJECT : pages[number][at & PAGE - 1];
  }

  /** Strings from that position on stand for nothing that the grammar asks for. */
  void forgetTextsFrom(int position) {
    for (int handle = first; handle < count; handle++) {
      int entry = entry(handle);
      if (entry != OTHER_OBJECT && entry < position) {
        keep(handle, entry);
      }
    }
    clearPages();
    first = count;
    full = first + Math.min(MessageGrammar.MAX_HANDLES, MOST - first);
  }

  private void keep(int handle, int entry) {
    if (oldCount == oldHandles.length) {
      oldHandles = Arrays.copyOf(oldHandles, Math.max(FEW, 2 * oldCount));
      oldEntries = Arrays.copyOf(oldEntries, oldHandles.length);
    }
    oldHandles[oldCount] = handle;
    oldEntries[oldCount++] = entry;
  }

  /** Removes all handles. */
  void clear() {
    clearPages();
    first = 0;
    count = 0;
    full = MessageGrammar.MAX_HANDLES;
    oldCount = 0;
  }

  /** Some pages stay, as they were made: streams may be many, and shorter than what they take. */
  private void clearPages() {
    int used = count - first;
    Arrays.fill(page, 0, Math.min(page.length, used), OTHER_OBJECT);
    if (pages.length > FEW_PAGES) {
      pages = NO_PAGES;
      pageCount = 0;
    }
    int end = Math.min(pages.length, (used + PAGE - 1) >>> PAGE_BITS);
    for (int number = 1; number < end; number++) {
      if (pages[number] != null) {
        Arrays.fill(pages[number], OTHER_OBJECT);
      }
    }
  }

  /** About as many bytes as they take. */
  long bytes() {
    int single = page.length + pages.length + oldHandles.length + oldEntries.length;
    return 4L * (single + PAGE * pageCount);
  }
}
