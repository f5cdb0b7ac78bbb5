package io.rmigate.client.program.command;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.function.Function;

/**
 * Arguments of a call, as they are written on a command line: {@code 7}, {@code true}, {@code
 * text}, {@code null}, {@code [1,2,3]}, names of enum constants, and values of {@code java.time} in
 * ISO 8601.
 */
final class ArgumentText {
  private static final Map<Class<?>, Function<String, Object>> SIMPLE =
      Map.ofEntries(
          Map.entry(String.class, text -> text),
          Map.entry(CharSequence.class, text -> text),
          Map.entry(Object.class, text -> text),
          Map.entry(boolean.class, ArgumentText::truth),
          Map.entry(Boolean.class, ArgumentText::truth),
          Map.entry(char.class, ArgumentText::character),
          Map.entry(Character.class, ArgumentText::character),
          Map.entry(byte.class, Byte::valueOf),
          Map.entry(Byte.class, Byte::valueOf),
          Map.entry(short.class, Short::valueOf),
          Map.entry(Short.class, Short::valueOf),
          Map.entry(int.class, Integer::valueOf),
          Map.entry(Integer.class, Integer::valueOf),
          Map.entry(long.class, Long::valueOf),
          Map.entry(Long.class, Long::valueOf),
          Map.entry(float.class, Float::valueOf),
          Map.entry(Float.class, Float::valueOf),
          Map.entry(double.class, Double::valueOf),
          Map.entry(Double.class, Double::valueOf),
          Map.entry(BigInteger.class, BigInteger::new),
          Map.entry(BigDecimal.class, BigDecimal::new));

  private ArgumentText() {}

  /**
   * The value.
   *
   * @throws IllegalArgumentException the text is no value of that type, or there is no text for
   *     values of that type; the message says which
   */
  static Object parse(String text, Class<?> type) {
    if (text.equals("null") && !type.isPrimitive()) {
      return null;
    }
    Function<String, Object> simple = SIMPLE.get(type);
    try {
      if (simple != null) {
        return simple.apply(text);
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' is no " + type.getSimpleName(), e);
    }
    if (type.isArray()) {
      return array(text, type.getComponentType());
    }
    if (type.isEnum()) {
      for (Object constant : type.getEnumConstants()) {
        if (((Enum<?>) constant).name().equals(text)) {
          return constant;
        }
      }
      throw new IllegalArgumentException("'" + text + "' is no constant of " + type.getName());
    }
    if (type.getName().startsWith("java.time.")) {
      return parsed(text, type);
    }
    throw new IllegalArgumentException(
        "a " + type.getName() + " cannot be written on a command line, but for null");
  }

  private static Object array(String text, Class<?> of) {
    if (!text.startsWith("[") || !text.endsWith("]")) {
      throw new IllegalArgumentException("'" + text + "' is no array; write [1,2,3]");
    }
    String inner = text.substring(1, text.length() - 1);
    String[] elements = inner.isBlank() ? new String[0] : inner.split(",", -1);
    Object array = Array.newInstance(of, elements.length);
    for (int i = 0; i < elements.length; i++) {
      Array.set(array, i, parse(elements[i].strip(), of));
    }
    return array;
  }

  private static Object parsed(String text, Class<?> type) {
    try {
      return type.getMethod("parse", CharSequence.class).invoke(null, text);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no " + type.getSimpleName() + ": " + e.getCause().getMessage(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "a " + type.getName() + " cannot be written on a command line, but for null", e);
    }
  }

  private static Object truth(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    throw new IllegalArgumentException(text);
  }

  private static Object character(String text) {
    if (text.length() == 1) {
      return text.charAt(0);
    }
    throw new IllegalArgumentException(text);
  }
}
