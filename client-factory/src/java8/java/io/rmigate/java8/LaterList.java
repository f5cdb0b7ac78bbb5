package io.rmigate.java8;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/** Additions to {@link List}. */
public final class LaterList {
  private LaterList() {}

  public static <E> List<E> copyOf(Collection<? extends E> elements) {
    return unmodifiable(elements.toArray());
  }

  public static <E> List<E> of() {
    return Collections.emptyList();
  }

  public static <E> List<E> of(E e1) {
    return Collections.singletonList(Objects.requireNonNull(e1));
  }

  public static <E> List<E> of(E e1, E e2) {
    return unmodifiable(e1, e2);
  }

  public static <E> List<E> of(E e1, E e2, E e3) {
    return unmodifiable(e1, e2, e3);
  }

  public static <E> List<E> of(E e1, E e2, E e3, E e4) {
    return unmodifiable(e1, e2, e3, e4);
  }

  public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5) {
    return unmodifiable(e1, e2, e3, e4, e5);
  }

  public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5, E e6) {
    return unmodifiable(e1, e2, e3, e4, e5, e6);
  }

  public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7) {
    return unmodifiable(e1, e2, e3, e4, e5, e6, e7);
  }

  public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8) {
    return unmodifiable(e1, e2, e3, e4, e5, e6, e7, e8);
  }

  public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8, E e9) {
    return unmodifiable(e1, e2, e3, e4, e5, e6, e7, e8, e9);
  }

  public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8, E e9, E e10) {
    return unmodifiable(e1, e2, e3, e4, e5, e6, e7, e8, e9, e10);
  }

  @SafeVarargs
  public static <E> List<E> of(E... elements) {
    return unmodifiable(elements.clone());
  }

  public static <T> T[] toArray(List<?> list, IntFunction<T[]> array) {
    return list.toArray(array.apply(0));
  }

  /** The array is not used elsewhere. */
  @SuppressWarnings("unchecked")
  static <E> List<E> unmodifiable(Object... elements) {
    for (Object element : elements) {
      Objects.requireNonNull(element);
    }
    return (List<E>) Collections.unmodifiableList(Arrays.asList(elements));
  }
}
