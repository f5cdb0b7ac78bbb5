package io.rmigate.gateway.scan;

import java.util.Arrays;

/**
 * The cost for a receiver to tell apart the keys of the hashed containers of one message, in
 * comparisons where that is known, and else by the number of keys ({@link KeyPairs}). Keys that
 * meet at one place of a table are compared with each other, each with all: {@code HashMap}, and
 * what is made of it, keeps those of one hash code as a tree, but only if their class itself says
 * that it is {@code Comparable} with itself; the chains of a {@code Hashtable} are of no order, and
 * an immutable set or map looks at one place after the other until one is free.
 *
 * <p>Where a key comes to stand is computed for strings and whole numbers. The methods of other
 * classes of keys are not known here. Confined to the scanning thread.
 */
final class KeyChains {
  /** Kinds of keys, by their class. */
  enum Keys {
    INT,
    LONG,

    /** A small number, the last two bytes of which are its hash code. */
    SHORT,

    /** Their class is {@code Comparable} with itself; their hash codes are not known. */
    ORDERED,

    /** No sender chooses their hash codes: constants of enums, and arrays. */
    IDENTITY,
    UNKNOWN;

    /** Whether the hash code is computed here. */
    boolean isComputed() {
      return this == INT || this == LONG || this == SHORT;
    }
  }

  /** How a container finds its keys. */
  private enum Search {
    CHAINS,

    /** At the next free place. */
    PROBES,

    /** In trees, where a container makes them where it comes to that. */
    TREES
  }

  /** The kind of all keys whose places are computed. */
  private static final Object COMPUTED = new Object();

  /** The kind of strings in trees. */
  static final Object STRINGS = new Object();

  /** Keys of one container that are not counted, because they cost little. */
  private static final int FREE = 32;

  private static final int CELLS = 1 << 12;

  /** Places of one cell of a table that is probed. */
  private static final int PROBED_PLACES = 64;

  /** Bytes of a text that are read again for each reference to it. */
  private static final int SHORT_TEXT = 64;

  /** Far above all limits: more need not be counted. */
  private static final long ENOUGH = 1L << 32;

  private static final int TC_STRING = 0x74;
  private static final int IMMUTABLE_SET = 2;
  private static final int IMMUTABLE_MAP = 3;
  private static final float LEAST_LOAD = 0.25f;
  private static final float MOST_LOAD = 4f;

  /** One container that is being read. Kept for the next one at its depth. */
  static final class Table {
    private SerialDataLayout kind;
    private Search search;

    /** Its first field: a load factor, or which immutable collection it is. */
    private int field;

    /** Which write how many there are for how long the table is. */
    private boolean isProperties;

    /** Where keys may come to stand. */
    private int places;

    private int known;

    /** Another one has used the cells meanwhile. */
    private boolean lost;

    private final KeyPairs.Table pairs = new KeyPairs.Table();

    /** For a Hashtable, the bits of its load factor. */
    int field() {
      return field;
    }
  }

  /** How many keys stand at some places, of the latest large table; null until there is one. */
  private char[] cells;

  private final KeyPairs pairs = new KeyPairs();
  private Table owner;
  private int placesOfCell;
  private long comparisons;

  /** The number of comparisons, or a larger one. */
  long comparisons() {
    return comparisons;
  }

  /** The number of keys in one table, of unknown places, that take as long to compare. */
  long keys() {
    return pairs.keys();
  }

  /** A locale has been told. */
  void locale() {
    pairs.addLocale();
  }

  /**
   * A container begins.
   *
   * @param field its first primitive field; 0 if it has none
   * @param isProperties whether it is that of a {@link java.util.Properties}
   * @return whether its keys are counted; not where nothing is hashed: then this table means
   *     nothing
   */
  boolean begin(Table table, SerialDataLayout kind, int field, boolean isProperties) {
    if (kind == SerialDataLayout.COLL_SER && !isHashed(field & 0xFF)) {
      return false;
    }
    if (owner == table) {
      owner = null;
    }
    table.kind = kind;
    table.field = field;
    table.isProperties = isProperties;
    table.search =
        switch (kind) {
          case HASHTABLE -> Search.CHAINS;
          case COLL_SER -> Search.PROBES;
          default -> Search.TREES;
        };
    table.pairs.begin(table.search == Search.TREES);
    table.places = 1;
    table.known = 0;
    table.lost = false;
    return true;
  }

  private static boolean isHashed(int immutable) {
    return immutable == IMMUTABLE_SET || immutable == IMMUTABLE_MAP;
  }

  /**
   * The length of the table that a Hashtable takes at once, as JDK 8 computes it: with a load
   * factor that is close to 0 as long as the written one, even if it holds little.
   */
  static int placesBeforeJdk9(int field, int length, int size) {
    float load = Float.intBitsToFloat(field);
    if (!(load > 0) || size < 0) {
      return 0; // refused
    }
    int most = Math.max(length, (int) (size / load) + 1);
    int places = (int) ((size + size / 20) / load) + 3;
    if (places > size && (places & 1) == 0) {
      places--;
    }
    places = Math.min(places, most);
    return places < 0 ? most : places;
  }

  /**
   * Sets the claimed size of a table.
   *
   * @param length of the written table; of other kinds than Hashtable of no meaning
   * @param size as it is claimed
   */
  void size(Table table, int length, int size) {
    if (size <= 0 || table.search == Search.TREES) {
      return;
    }
    if (table.search == Search.CHAINS) {
      table.places = places(table, length, size);
    } else {
      boolean map = (table.field & 0xFF) == IMMUTABLE_MAP;
      table.places = Math.max(1, map ? size : (int) Math.min(Integer.MAX_VALUE, 2L * size));
    }
  }

  /**
   * The length of a table as {@code Hashtable.readHashtable} of JDK 17 computes it. A table with a
   * length or load factor that no Hashtable writes, and that older JDKs believe, has all keys at
   * one place.
   */
  private static int places(Table table, int length, int size) {
    float load = Float.intBitsToFloat(table.field);
    if (table.isProperties && load == 0) {
      load = 0.75f;
    }
    boolean honestLoad = load >= LEAST_LOAD && load <= MOST_LOAD;
    if (!honestLoad || length < (table.isProperties ? size : (int) (size / load))) {
      return 1;
    }
    int most = Math.max(length, (int) (size / load) + 1);
    int places = (int) ((size + size / 20) / load) + 3;
    if (places > size && (places & 1) == 0) {
      places--;
    }
    return Math.max(1, Math.min(places, most));
  }

  /** Whether the object with that number, from 0, is a key. */
  boolean isKey(Table table, int number) {
    boolean map = table.kind == SerialDataLayout.COLL_SER && (table.field & 0xFF) == IMMUTABLE_MAP;
    return !map || (number & 1) == 0;
  }

  /**
   * A key is a string, all of which is there.
   *
   * @param size its unfolded size
   */
  void text(Table table, byte[] buf, int at, int length, long size) {
    if (beginText(table, size)) {
      add(table, hash(0, buf, at, length));
    }
  }

  /**
   * A key is a string, not all of which is there.
   *
   * @param size its unfolded size
   * @return whether it matters where it comes to stand: then it is to be added by its {@link #hash}
   */
  boolean beginText(Table table, long size) {
    boolean computed = table.search != Search.TREES;
    pairs.add(table.pairs, computed ? COMPUTED : STRINGS, size);
    return computed && countsPlace(table);
  }

  /**
   * A key is what stands before.
   *
   * @param stringAt where its token stands, if it is a string that is known still; else 0
   * @param kind of objects in an order, or {@link #STRINGS}; null if that is not known
   * @param size its unfolded size
   */
  void reference(Table table, byte[] buf, int stringAt, Object kind, long size) {
    boolean computed = false;
    if (table.search != Search.TREES && stringAt > 0 && buf[stringAt] == TC_STRING) {
      int length = (buf[stringAt + 1] & 0xFF) << 8 | (buf[stringAt + 2] & 0xFF);
      computed = length <= SHORT_TEXT;
      if (computed && countsPlace(table)) {
        add(table, hash(0, buf, stringAt + 3, length));
      }
    }
    Object known = stringAt > 0 ? STRINGS : kind;
    pairs.add(table.pairs, table.search == Search.TREES ? known : computed ? COMPUTED : null, size);
  }

  /**
   * A key is another object.
   *
   * @param kind the same for objects of one order; null for what has none
   * @param primitivesAt where its value stands, if it is a whole number
   * @param size its unfolded size
   */
  void object(Table table, Keys keys, Object kind, byte[] buf, int primitivesAt, long size) {
    if (keys == Keys.IDENTITY) {
      return;
    }
    boolean computed = table.search != Search.TREES && keys.isComputed();
    if (computed && countsPlace(table)) {
      add(table, hash(keys, buf, primitivesAt));
    }
    pairs.add(table.pairs, table.search == Search.TREES ? kind : computed ? COMPUTED : null, size);
  }

  /** Counts a key; whether it matters where that comes to stand. */
  private static boolean countsPlace(Table table) {
    return ++table.known > FREE;
  }

  /** A key with that hash code comes to stand. */
  void add(Table table, int hash) {
    if (owner != table && !owns(table)) {
      spend(table.known);
      return;
    }
    if (table.search == Search.CHAINS) {
      int place = (hash & Integer.MAX_VALUE) % table.places;
      int chain = count(place % CELLS);
      // Twice as many as are at a place of an honest table that is not too large.
      int honest = FREE + 2 * (table.known / CELLS);
      spend(Math.max(0, chain - honest));
    } else {
      probe(table, Math.floorMod(hash, table.places));
    }
  }

  /** Past all cells that are full. */
  private void probe(Table table, int place) {
    int count = (table.places - 1) / placesOfCell + 1;
    int cell = place / placesOfCell;
    for (int i = 0; i < count && cells[cell] >= placesOfCell && comparisons < ENOUGH; i++) {
      spend(placesOfCell);
      cell = cell + 1 == count ? 0 : cell + 1;
    }
    count(cell);
  }

  /** How many keys stand there with one more; of far too many the last is not counted. */
  private int count(int cell) {
    if (cells[cell] < Character.MAX_VALUE) {
      cells[cell]++;
    }
    return cells[cell];
  }

  /** Gives the cells to a table, unless another one has had them since. */
  private boolean owns(Table table) {
    if (table.lost) {
      return false;
    }
    if (owner != null) {
      owner.lost = true;
    }
    placesOfCell = Math.max(PROBED_PLACES, (table.places - 1) / CELLS + 1);
    if (cells == null) {
      cells = new char[CELLS];
    } else {
      Arrays.fill(cells, 0, Math.min(CELLS, table.places), (char) 0);
    }
    owner = table;
    return true;
  }

  /** A container of another kind compares so often. */
  void spend(long more) {
    comparisons = Math.min(ENOUGH, comparisons + more);
  }

  private static int hash(Keys keys, byte[] buf, int at) {
    int value = (buf[at] & 0xFF) << 8 | (buf[at + 1] & 0xFF);
    if (keys == Keys.SHORT) {
      return (short) value;
    }
    int high = int32(buf, at);
    return keys == Keys.INT ? high : high ^ int32(buf, at + Integer.BYTES);
  }

  private static int int32(byte[] buf, int at) {
    return buf[at] << 24
        | (buf[at + 1] & 0xFF) << 16
        | (buf[at + 2] & 0xFF) << 8
        | (buf[at + 3] & 0xFF);
  }

  /**
   * As of {@link String}, from modified UTF-8; damaged ones have some hash code.
   *
   * @param before of what stands before; 0 if nothing does
   */
  static int hash(int before, byte[] buf, int at, int length) {
    int hash = before;
    int end = at + length;
    for (int i = at; i < end; i++) {
      int c = buf[i];
      if (c < 0) {
        boolean two = (c & 0xE0) == 0xC0;
        int more = Math.min(two ? 1 : 2, end - 1 - i);
        c &= two ? 0x1F : 0x0F;
        for (; more > 0; more--) {
          c = c << 6 | (buf[++i] & 0x3F);
        }
      }
      hash = 31 * hash + c;
    }
    return hash;
  }
}
