package io.rmigate.client.program.command;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/**
 * Values as text for people: arrays, collections and maps with what is in them, objects that do not
 * say what they are (no {@code toString} of their own) with their fields. Bounded in depth and
 * length.
 */
final class ValueText {
  private static final int MAX_ELEMENTS = 1000;
  private static final int MAX_DEPTH = 12;

  /** On the way to the current value: one that holds itself must not be told for ever. */
  private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>());

  private ValueText() {}

  /** The text of any value. */
  static String of(Object value) {
    return new ValueText().text(value);
  }

  private String text(Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof Remote) {
      return "remote "
          + List.of(value.getClass().getInterfaces()).stream()
              .map(Class::getName)
              .collect(Collectors.joining(", "));
    }
    if (open.size() > MAX_DEPTH || !open.add(value)) {
      return "…";
    }
    try {
      return inside(value);
    } finally {
      open.remove(value);
    }
  }

  private String inside(Object value) {
    if (value.getClass().isArray()) {
      List<Object> elements = new ArrayList<>();
      int length = Array.getLength(value);
      for (int i = 0; i < Math.min(length, MAX_ELEMENTS + 1); i++) {
        elements.add(Array.get(value, i));
      }
      return "[" + joined(elements) + "]";
    }
    if (value instanceof Collection<?> collection) {
      return "[" + joined(collection) + "]";
    }
    if (value instanceof Map<?, ?> map) {
      return "{"
          + map.entrySet().stream()
              .limit(MAX_ELEMENTS)
              .map(entry -> text(entry.getKey()) + ": " + text(entry.getValue()))
              .collect(Collectors.joining(", "))
          + (map.size() > MAX_ELEMENTS ? ", …" : "")
          + "}";
    }
    if (value instanceof CompositeData data) {
      return "{"
          + data.getCompositeType().keySet().stream()
              .map(key -> key + ": " + text(data.get(key)))
              .collect(Collectors.joining(", "))
          + "}";
    }
    if (value instanceof TabularData data) {
      return "[" + joined(data.values()) + "]";
    }
    return saysWhatItIs(value) ? value.toString() : fields(value);
  }

  private String joined(Collection<?> elements) {
    return elements.stream().limit(MAX_ELEMENTS).map(this::text).collect(Collectors.joining(", "))
        + (elements.size() > MAX_ELEMENTS ? ", …" : "");
  }

  private static boolean saysWhatItIs(Object value) {
    try {
      return value.getClass().getMethod("toString").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError("every class has one", e);
    }
  }

  private String fields(Object value) {
    List<String> fields = new ArrayList<>();
    for (Class<?> type = value.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          fields.add(field.getName() + ": " + content(field, value));
        }
      }
    }
    return value.getClass().getName() + " {" + String.join(", ", fields) + "}";
  }

  private String content(Field field, Object of) {
    try {
      field.setAccessible(true);
      return text(field.get(of));
    } catch (IllegalAccessException | InaccessibleObjectException closed) {
      return "?";
    }
  }
}
