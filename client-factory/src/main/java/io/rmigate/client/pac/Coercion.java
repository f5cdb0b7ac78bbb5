package io.rmigate.client.pac;

import java.util.List;
import java.util.Map;

/**
 * How values are taken for others (ECMA-262 §7.1, §7.2). A value is a String, Double, Boolean,
 * {@link EmptyValue}, List, Map, {@link RegularExpression} or {@link Callable}.
 */
final class Coercion {
  private static final int MAX_DEPTH = 20;

  private Coercion() {}

  static boolean isTrue(Object value) {
    if (value instanceof Boolean bool) {
      return bool;
    }
    if (value instanceof Double number) {
      return number != 0 && !number.isNaN();
    }
    return value instanceof String text ? !text.isEmpty() : !(value instanceof EmptyValue);
  }

  static String text(Object value) {
    if (value instanceof Double number) {
      return number == Math.rint(number) && Math.abs(number) < 1e15
          ? Long.toString(number.longValue())
          : number.toString();
    }
    if (value instanceof List<?> list) {
      StringBuilder joined = new StringBuilder();
      join(list, joined, 0);
      return joined.toString();
    }
    if (value instanceof Callable) {
      return "function"; // and not all that stands in it
    }
    return value instanceof Map ? "[object Object]" : value.toString();
  }

  /** Stops where it is too long or too deep to be of use: an array may contain itself. */
  private static void join(List<?> list, StringBuilder joined, int depth) {
    for (int i = 0; i < list.size() && joined.length() <= Budget.MAX_TEXT; i++) {
      joined.append(i == 0 ? "" : ",");
      Object element = list.get(i);
      if (element instanceof List<?> inner) {
        if (depth < MAX_DEPTH) {
          join(inner, joined, depth + 1);
        }
      } else if (!(element instanceof EmptyValue)) {
        joined.append(text(element));
      }
    }
  }

  static double number(Object value) {
    if (value instanceof Double number) {
      return number;
    }
    if (value instanceof Boolean bool) {
      return bool ? 1 : 0;
    }
    if (value instanceof String text) {
      String digits = text.strip();
      if (digits.isEmpty()) {
        return 0;
      }
      return digits.matches("[+-]?[0-9]{1,15}(\\.[0-9]{1,15})?")
          ? Double.parseDouble(digits)
          : Double.NaN;
    }
    return value == EmptyValue.NULL ? 0 : Double.NaN;
  }

  /** As bit operations take numbers (§7.1.6). */
  static int int32(Object value) {
    double number = number(value);
    return Double.isFinite(number) ? (int) (long) number : 0;
  }

  static boolean isSame(Object a, Object b) {
    if (a instanceof Double x && b instanceof Double y) {
      return x.doubleValue() == y.doubleValue();
    }
    boolean byValue = a instanceof String || a instanceof Boolean;
    return byValue ? a.equals(b) : a == b;
  }

  /** But for arrays, which are to be made text before they are compared with something else. */
  static boolean isEqual(Object a, Object b) {
    boolean none = a instanceof EmptyValue;
    if (none || b instanceof EmptyValue) {
      return none == b instanceof EmptyValue;
    }
    if (isPlain(a) && isPlain(b)) {
      return a.getClass() == b.getClass() ? isSame(a, b) : number(a) == number(b);
    }
    return isSame(a, b);
  }

  private static boolean isPlain(Object value) {
    return value instanceof String || value instanceof Double || value instanceof Boolean;
  }

  static String typeOf(Object value) {
    if (value instanceof Boolean) {
      return "boolean";
    }
    if (value instanceof Double) {
      return "number";
    }
    if (value instanceof String) {
      return "string";
    }
    if (value == EmptyValue.UNDEFINED) {
      return "undefined";
    }
    return value instanceof Callable ? "function" : "object";
  }
}
