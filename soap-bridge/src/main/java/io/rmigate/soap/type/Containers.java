package io.rmigate.soap.type;

import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Which class stands for a collection or map type when one has to be made. */
final class Containers {
  /** In this order: the first that implements the declared interface is made. */
  private static final List<Class<?>> FOR_INTERFACES =
      List.of(
          ArrayList.class,
          LinkedHashSet.class,
          TreeSet.class,
          LinkedList.class,
          LinkedHashMap.class,
          TreeMap.class,
          ConcurrentHashMap.class,
          ConcurrentSkipListMap.class);

  private Containers() {}

  static Maker<Collection<?>> collection(Class<?> type, ResolvedType element)
      throws UnmappableTypeException {
    if (type == EnumSet.class) {
      return () -> emptyEnumSet(element.raw());
    }
    Constructor<?> constructor = constructor(type);
    return () -> (Collection<?>) Structure.instantiate(constructor);
  }

  static Maker<Map<?, ?>> map(Class<?> type, ResolvedType key) throws UnmappableTypeException {
    if (type == EnumMap.class) {
      return () -> emptyEnumMap(key.raw());
    }
    Constructor<?> constructor = constructor(type);
    return () -> (Map<?, ?>) Structure.instantiate(constructor);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the bound of EnumSet's own parameter
  private static Collection<?> emptyEnumSet(Class<?> element) {
    return EnumSet.noneOf((Class) element);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the bound of EnumMap's own parameter
  private static Map<?, ?> emptyEnumMap(Class<?> key) {
    return new EnumMap((Class) key);
  }

  private static Constructor<?> constructor(Class<?> type) throws UnmappableTypeException {
    Class<?> made = type;
    if (Modifier.isAbstract(type.getModifiers())) {
      made =
          FOR_INTERFACES.stream()
              .filter(type::isAssignableFrom)
              .findFirst()
              .orElseThrow(() -> unknown(type));
    }
    if (!Serializable.class.isAssignableFrom(made)) {
      throw new UnmappableTypeException(
          type.getName() + " is not java.io.Serializable, so RMI cannot carry it",
          "declare java.util.List, Set or Map");
    }
    try {
      Constructor<?> constructor = made.getDeclaredConstructor();
      if (ResolvedType.isPublished(made)) {
        constructor.setAccessible(true);
      }
      return constructor;
    } catch (NoSuchMethodException e) {
      throw unknown(type);
    }
  }

  private static UnmappableTypeException unknown(Class<?> type) {
    return new UnmappableTypeException(
        type.getName() + " has no constructor without parameters",
        "declare java.util.List, Set or Map");
  }
}
