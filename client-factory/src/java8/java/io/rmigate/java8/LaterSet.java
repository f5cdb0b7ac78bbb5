package io.rmigate.java8;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/** Additions to {@link Set}. */
public final class LaterSet {
  private LaterSet() {}

  public static <E> Set<E> copyOf(Collection<? extends E> elements) {
    return Collections.unmodifiableSet(new LinkedHashSet<E>(LaterList.copyOf(elements)));
  }

  public static <E> Set<E> of() {
    return copyOf(LaterList.<E>of());
  }

  public static <E> Set<E> of(E e1) {
    return copyOf(LaterList.<E>of(e1));
  }

  public static <E> Set<E> of(E e1, E e2) {
    return copyOf(LaterList.<E>of(e1, e2));
  }

  public static <E> Set<E> of(E e1, E e2, E e3) {
    return copyOf(LaterList.<E>of(e1, e2, e3));
  }

  public static <E> Set<E> of(E e1, E e2, E e3, E e4) {
    return copyOf(LaterList.<E>of(e1, e2, e3, e4));
  }

  public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5) {
    return copyOf(LaterList.<E>of(e1, e2, e3, e4, e5));
  }

  public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5, E e6) {
    return copyOf(LaterList.<E>of(e1, e2, e3, e4, e5, e6));
  }

  public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7) {
    return copyOf(LaterList.<E>of(e1, e2, e3, e4, e5, e6, e7));
  }

  public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8) {
    return copyOf(LaterList.<E>of(e1, e2, e3, e4, e5, e6, e7, e8));
  }

  public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8, E e9) {
    return copyOf(LaterList.<E>of(e1, e2, e3, e4, e5, e6, e7, e8, e9));
  }

  public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8, E e9, E e10) {
    return copyOf(LaterList.<E>of(e1, e2, e3, e4, e5, e6, e7, e8, e9, e10));
  }

  @SafeVarargs
  public static <E> Set<E> of(E... elements) {
    Set<E> set = new LinkedHashSet<>();
    for (E element : elements) {
      set.add(Objects.requireNonNull(element));
    }
    return Collections.unmodifiableSet(set);
  }
}
