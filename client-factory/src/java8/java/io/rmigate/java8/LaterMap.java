package io.rmigate.java8;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Additions to {@link Map}. */
public final class LaterMap {
  private LaterMap() {}

  public static <K, V> Map<K, V> copyOf(Map<? extends K, ? extends V> map) {
    Map<K, V> copy = new LinkedHashMap<>();
    map.forEach(
        (key, value) -> copy.put(Objects.requireNonNull(key), Objects.requireNonNull(value)));
    return Collections.unmodifiableMap(copy);
  }

  public static <K, V> Map.Entry<K, V> entry(K key, V value) {
    return new AbstractMap.SimpleImmutableEntry<>(
        Objects.requireNonNull(key), Objects.requireNonNull(value));
  }

  @SafeVarargs
  public static <K, V> Map<K, V> ofEntries(Map.Entry<? extends K, ? extends V>... entries) {
    Map<K, V> map = new LinkedHashMap<>();
    for (Map.Entry<? extends K, ? extends V> entry : entries) {
      map.put(Objects.requireNonNull(entry.getKey()), Objects.requireNonNull(entry.getValue()));
    }
    return Collections.unmodifiableMap(map);
  }

  public static <K, V> Map<K, V> of() {
    return pairs();
  }

  public static <K, V> Map<K, V> of(K k1, V v1) {
    return pairs(k1, v1);
  }

  public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2) {
    return pairs(k1, v1, k2, v2);
  }

  public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3) {
    return pairs(k1, v1, k2, v2, k3, v3);
  }

  public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4) {
    return pairs(k1, v1, k2, v2, k3, v3, k4, v4);
  }

  public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4, K k5, V v5) {
    return pairs(k1, v1, k2, v2, k3, v3, k4, v4, k5, v5);
  }

  public static <K, V> Map<K, V> of(
      K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4, K k5, V v5, K k6, V v6) {
    return pairs(k1, v1, k2, v2, k3, v3, k4, v4, k5, v5, k6, v6);
  }

  @SuppressWarnings("unchecked")
  private static <K, V> Map<K, V> pairs(Object... keysAndValues) {
    Map<K, V> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put(
          (K) Objects.requireNonNull(keysAndValues[i]),
          (V) Objects.requireNonNull(keysAndValues[i + 1]));
    }
    return Collections.unmodifiableMap(map);
  }
}
