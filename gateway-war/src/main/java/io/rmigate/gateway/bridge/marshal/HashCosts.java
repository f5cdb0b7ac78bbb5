package io.rmigate.gateway.bridge.marshal;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The cost of hash codes of collections within collections. A few kilobytes of sets that share
 * their elements can be hashed for years, and reading the set around them does hash them. A
 * collection that costs much more than one hash of each object is refused before it is put into
 * another one. Only for classes of the JDK; confined to the thread that reads.
 */
final class HashCosts {
  /** Beyond one for each object of the answer. */
  private static final long ALLOWANCE = 1 << 18;

  /** Known costs of collections that hold collections; others cost their size. */
  private final IdentityHashMap<Object, Long> known = new IdentityHashMap<>();

  private long objects;

  /** An object has been read; whether it may be hashed. */
  boolean mayHash(Object object) {
    objects++;
    if (object == null || object.getClass().getClassLoader() != null) {
      return true;
    }
    long cost;
    if (object instanceof Collection<?> collection) {
      cost = of(collection);
    } else if (object instanceof Map<?, ?> map) {
      cost = of(map.keySet()) + of(map.values());
    } else {
      return true;
    }
    if (cost > sizeOf(object)) {
      known.put(object, cost);
    }
    return cost <= objects + ALLOWANCE;
  }

  private long of(Collection<?> elements) {
    long cost = 1;
    for (Object element : elements) {
      cost += of(element);
    }
    return cost;
  }

  private long of(Object element) {
    if (!(element instanceof Collection || element instanceof Map)) {
      return 1;
    }
    Long nested = known.get(element);
    return nested == null ? sizeOf(element) : nested;
  }

  private static long sizeOf(Object object) {
    if (object.getClass().getClassLoader() != null) {
      return 1;
    }
    return object instanceof Collection<?> collection
        ? 1 + collection.size()
        : 2 + 2L * ((Map<?, ?>) object).size();
  }
}
