package io.rmigate.gateway.scan.proof;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** A text of all that static fields of classes lead to; it differs if something was changed. */
final class StaticState {
  private static final int MOST = 10_000;

  private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();
  private final StringBuilder text = new StringBuilder();

  private StaticState() {}

  static String of(Collection<Class<?>> classes) throws IllegalAccessException {
    StaticState state = new StaticState();
    for (Class<?> type : classes) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
          field.setAccessible(true);
          state.text.append('\n').append(type.getName()).append('.').append(field.getName());
          state.add(field.get(null));
        }
      }
    }
    return state.text.toString();
  }

  private void add(Object value) throws IllegalAccessException {
    text.append(' ');
    if (value instanceof String string && string.length() > MOST) {
      text.append(string.length());
      return;
    }
    if (value == null || value instanceof String || (value instanceof Number && isOfJdk(value))) {
      text.append(value);
      return;
    }
    Integer known = seen.putIfAbsent(value, seen.size());
    if (known != null) {
      text.append('#').append(known);
      return;
    }
    text.append(System.identityHashCode(value)).append('(');
    if (seen.size() < MOST) {
      addContent(value);
    }
    text.append(')');
  }

  private static boolean isOfJdk(Object value) {
    return value.getClass().getName().startsWith("java.");
  }

  private void addContent(Object value) throws IllegalAccessException {
    Class<?> type = value.getClass();
    if (type.isArray()) {
      for (int i = 0; i < Math.min(MOST, Array.getLength(value)); i++) {
        add(Array.get(value, i));
      }
    } else if (type.getName().startsWith("w")) {
      addFields(value, type);
      if (value instanceof java.util.ArrayList<?> list) {
        addAll(list.toArray());
      } else if (value instanceof java.util.HashMap<?, ?> map) {
        addMap(map);
      }
    } else if (value instanceof Map<?, ?> map) {
      addMap(map);
    } else if (value instanceof Collection<?> collection) {
      if (collection.size() > MOST) { // as many copies of one
        text.append(collection.size());
        return;
      }
      addAll(collection.toArray());
    } else if (value instanceof AtomicReference<?> reference) {
      add(reference.get());
    } else if (value instanceof StringBuilder builder) {
      text.append(builder);
    }
  }

  private void addMap(Map<?, ?> map) throws IllegalAccessException {
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      add(entry.getKey());
      add(entry.getValue());
    }
  }

  private void addAll(Object[] elements) throws IllegalAccessException {
    for (Object element : elements) {
      add(element);
    }
  }

  private static Object valueOf(Field field, Object object) throws IllegalAccessException {
    try {
      return field.get(object);
    } catch (LinkageError failed) { // its class could not be initialized, and is in no message
      return null;
    }
  }

  private void addFields(Object value, Class<?> type) throws IllegalAccessException {
    for (Class<?> at = type; at != null && at.getName().startsWith("w"); at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          add(valueOf(field, value));
        }
      }
    }
  }
}
