package io.rmigate.soap.type;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * What it costs to tell the keys of one request's hashed containers apart. Keys whose hash codes
 * are equal are compared with each other, each with all: a client that knows how the codes come
 * about could have a few megabytes compared for hours, here and, unmarshalling, in the server.
 * Confined to the request's thread.
 *
 * <p>The JDK's containers keep keys of one hash code as a tree if the class itself says that it is
 * {@code Comparable} with itself, as {@code String} and numbers do: those cost nothing. The chains
 * of a {@link Hashtable} have no order for any keys.
 */
public final class KeyCosts {
  /** Comparisons, each as long as the key: about as many as a processor makes in a second. */
  private static final long MOST = 20_000_000;

  /** Comparisons that every request may make: a processor makes them in some milliseconds. */
  private static final long FREE = 500_000;

  /**
   * More comparisons for each value, so that the cost of a request is in proportion to its length.
   */
  private static final long FOR_EACH_VALUE = 64;

  /** Characters that are compared as fast as one value. */
  private static final int CHARS = 64;

  /** Steps along a chain that are as fast as one comparison. */
  private static final int STEPS = 16;

  private final long free;
  private final long forEachValue;

  /** One for all: they tell no elements apart. */
  private final Keys ofArrays = new Keys(Object[].class, false, Object.class);

  private long read;
  private long spent;

  public KeyCosts() {
    this(FREE, FOR_EACH_VALUE);
  }

  KeyCosts(long free, long forEachValue) {
    this.free = free;
    this.forEachValue = forEachValue;
  }

  private long most() {
    return Math.min(MOST, free + forEachValue * read);
  }

  /** Counts a value that was read. */
  public void onRead(int chars) {
    read += 1 + chars / CHARS;
  }

  /** How much has been read so far; two such figures tell how large what is between them is. */
  public long read() {
    return read;
  }

  /** Costs of the elements of one collection. */
  public Keys of(Sequence sequence) {
    return sequence.javaType().isArray()
        ? ofArrays
        : new Keys(sequence.javaType(), sequence.unique(), sequence.element().javaType());
  }

  /** Costs of the keys of one map. */
  public Keys of(Dictionary dictionary) {
    return new Keys(dictionary.javaType(), true, dictionary.key().javaType());
  }

  /** Costs of the keys of one container. */
  public final class Keys {
    /** The number of keys for each hash code; null if it is not needed. */
    private final Map<Integer, Integer> alike;

    private final boolean chained;

    /** Each element costs a look at all, or a copy of them. */
    private final boolean copied;

    private long size;

    private Keys(Class<?> container, boolean unique, Class<?> key) {
      chained = Hashtable.class.isAssignableFrom(container);
      copied =
          CopyOnWriteArraySet.class.isAssignableFrom(container)
              || CopyOnWriteArrayList.class.isAssignableFrom(container);
      boolean hashed =
          unique
              && !SortedSet.class.isAssignableFrom(container)
              && !SortedMap.class.isAssignableFrom(container);
      alike = hashed && (chained || !isOrdered(key)) ? new HashMap<>() : null;
    }

    /**
     * Charges for a key that is about to be put in.
     *
     * @param since {@link #read()} before the key was read
     * @throws ConstructionException those of this request cost too much
     */
    public void add(Object key, long since) throws ConstructionException {
      if (alike != null) {
        int others = alike.merge(key == null ? 0 : key.hashCode(), 1, Integer::sum) - 1;
        spent += others * (1 + read - since);
      }
      if (chained || copied) {
        spent += size++ / STEPS;
      }
      if (spent > most()) {
        throw new ConstructionException(
            copied
                ? "has too many elements for what is copied with each"
                : "has too many keys whose hash codes are equal");
      }
    }
  }

  /** As {@link HashMap} finds out. A constant has no like. */
  private static boolean isOrdered(Class<?> key) {
    if (key.isEnum() || key.isPrimitive()) {
      return true;
    }
    if (key.getClassLoader() != null) {
      return false;
    }
    for (Type type : key.getGenericInterfaces()) {
      if (type instanceof ParameterizedType parameterized
          && parameterized.getRawType() == Comparable.class
          && parameterized.getActualTypeArguments()[0] == key) {
        return true;
      }
    }
    return false;
  }
}
