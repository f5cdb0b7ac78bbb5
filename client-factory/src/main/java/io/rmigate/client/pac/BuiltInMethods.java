package io.rmigate.client.pac;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What strings, arrays, objects and regular expressions have behind the dot: the methods that PAC
 * files use. Positions and lengths are UTF-16 units, as in JavaScript.
 */
final class BuiltInMethods {
  private BuiltInMethods() {}

  /** {@code of.key}, {@code of[key]}. */
  static Object get(Budget budget, Object of, String key, int line) throws PacException {
    if (of instanceof String text) {
      int index = index(key);
      return key.equals("length")
          ? (Object) (double) text.length()
          : index >= 0 && index < text.length()
              ? String.valueOf(text.charAt(index))
              : EmptyValue.UNDEFINED;
    }
    if (of instanceof List<?> list) {
      int index = index(key);
      return key.equals("length")
          ? (Object) (double) list.size()
          : index >= 0 && index < list.size() ? list.get(index) : EmptyValue.UNDEFINED;
    }
    if (of instanceof Map<?, ?> map) {
      Object value = map.get(key);
      return value == null ? EmptyValue.UNDEFINED : value;
    }
    if (of instanceof EmptyValue) {
      throw budget.problem(line, "asks for ." + key + " of " + of);
    }
    return EmptyValue.UNDEFINED;
  }

  /** {@code of[key] = value}. */
  @SuppressWarnings("unchecked") // the lists and maps of scripts are of Objects
  static void put(Budget budget, Object of, String key, Object value, int line)
      throws PacException {
    if (of instanceof List<?> list && index(key) >= 0 && index(key) < Budget.MAX_ELEMENTS) {
      List<Object> values = (List<Object>) list;
      int more = Math.max(0, index(key) + 1 - values.size());
      budget.spendElements(values.size(), more, line);
      while (values.size() <= index(key)) {
        values.add(EmptyValue.UNDEFINED);
      }
      values.set(index(key), value);
    } else if (of instanceof Map<?, ?> map) {
      ((Map<String, Object>) map).put(key, value);
    } else {
      throw budget.problem(line, "cannot assign to ." + key);
    }
  }

  /** {@code of.name(arguments)}. */
  static Object call(Budget budget, Object of, String name, List<Object> arguments, int line)
      throws IOException {
    if (of instanceof String text) {
      budget.spend(text.length() / 16, line);
      return ofText(budget, text, name, new Arguments(budget, arguments, line), line);
    }
    if (of instanceof List<?> list) {
      budget.spend(list.size() / 4, line);
      return ofArray(budget, list, name, new Arguments(budget, arguments, line), line);
    }
    if (of instanceof RegularExpression expression && name.equals("test")) {
      return expression.isFoundIn(new Arguments(budget, arguments, line).text(0), budget, line);
    }
    if (of instanceof RegularExpression expression && name.equals("exec")) {
      return orNull(expression.match(new Arguments(budget, arguments, line).text(0), budget, line));
    }
    if (of instanceof Map<?, ?> map && name.equals("hasOwnProperty")) {
      return map.containsKey(new Arguments(budget, arguments, line).text(0));
    }
    throw budget.problem(line, "." + name + "(…) is not known here");
  }

  /** Arguments that may be missing. */
  private record Arguments(Budget budget, List<Object> values, int line) {
    Object at(int index) {
      return index < values.size() ? values.get(index) : EmptyValue.UNDEFINED;
    }

    String text(int index) throws PacException {
      return budget.text(at(index), line);
    }

    /** As a position within a length; {@code missing} if there is none. */
    int position(int index, int length, int missing) {
      double number = at(index) == EmptyValue.UNDEFINED ? missing : Coercion.number(at(index));
      return (int) Math.max(0, Math.min(length, Double.isNaN(number) ? 0 : number));
    }

    /** As a position within a length, where negative numbers count from the end. */
    int fromEnd(int index, int length, int missing) {
      double number = at(index) == EmptyValue.UNDEFINED ? missing : Coercion.number(at(index));
      double from = number < 0 ? number + length : number;
      return (int) Math.max(0, Math.min(length, Double.isNaN(from) ? 0 : from));
    }
  }

  private static Object ofText(Budget budget, String text, String name, Arguments given, int line)
      throws IOException {
    int length = text.length();
    return switch (name) {
      case "toLowerCase", "toLocaleLowerCase" -> text.toLowerCase(Locale.ROOT);
      case "toUpperCase", "toLocaleUpperCase" -> text.toUpperCase(Locale.ROOT);
      case "toString", "valueOf" -> text;
      case "trim" -> text.strip();
      case "indexOf" -> (double) text.indexOf(given.text(0), given.position(1, length, 0));
      case "lastIndexOf" ->
          (double) text.lastIndexOf(given.text(0), given.position(1, length, length));
      case "includes" -> text.contains(given.text(0));
      case "startsWith" -> text.startsWith(given.text(0), given.position(1, length, 0));
      case "endsWith" -> text.endsWith(given.text(0));
      case "charAt" -> {
        Object there = get(budget, text, Coercion.text(Coercion.number(given.at(0))), line);
        yield there instanceof String ? there : "";
      }
      case "charCodeAt" -> {
        int at = given.position(0, length, 0);
        yield at < length ? (double) text.charAt(at) : Double.NaN;
      }
      case "substring" -> {
        int a = given.position(0, length, 0);
        int b = given.position(1, length, length);
        yield text.substring(Math.min(a, b), Math.max(a, b));
      }
      case "substr" -> {
        int from = given.fromEnd(0, length, 0);
        yield text.substring(from, from + given.position(1, length - from, length - from));
      }
      case "slice" -> {
        int from = given.fromEnd(0, length, 0);
        yield text.substring(from, Math.max(from, given.fromEnd(1, length, length)));
      }
      case "split" -> split(budget, text, given, line);
      case "concat" -> {
        StringBuilder all = new StringBuilder(text);
        for (Object value : given.values) {
          String more = budget.text(value, line);
          budget.spendText((long) all.length() + more.length(), line);
          all.append(more);
        }
        yield all.toString();
      }
      case "replace" -> {
        if (given.at(0) instanceof RegularExpression) {
          throw budget.problem(line, ".replace(…) is known for strings only");
        }
        String wanted = given.text(0);
        String instead = given.text(1);
        int at = text.indexOf(wanted);
        if (at < 0) {
          yield text;
        }
        budget.spendText((long) length - wanted.length() + instead.length(), line);
        yield text.substring(0, at) + instead + text.substring(at + wanted.length());
      }
      case "match" -> orNull(expression(budget, given, line).match(text, budget, line));
      case "search" -> {
        List<Object> match = expression(budget, given, line).match(text, budget, line);
        yield match.isEmpty() ? -1.0 : (double) text.indexOf((String) match.get(0));
      }
      default -> throw budget.problem(line, "." + name + "(…) of a string is not known here");
    };
  }

  private static RegularExpression expression(Budget budget, Arguments given, int line)
      throws PacException {
    if (given.at(0) instanceof RegularExpression expression) {
      return expression;
    }
    try {
      return RegularExpression.of(given.text(0), "");
    } catch (IllegalArgumentException e) {
      throw budget.problem(line, e.getMessage());
    }
  }

  private static Object orNull(List<Object> match) {
    return match.isEmpty() ? EmptyValue.NULL : match;
  }

  private static List<Object> split(Budget budget, String text, Arguments given, int line)
      throws PacException {
    if (!(given.at(0) instanceof String separator) || separator.isEmpty()) {
      throw budget.problem(line, ".split(…) is known for strings that are not empty");
    }
    List<Object> parts = new ArrayList<>();
    int from = 0;
    for (int at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
      budget.spendElements(parts.size(), 1, line);
      parts.add(text.substring(from, at));
      from = at + separator.length();
    }
    parts.add(text.substring(from));
    return parts;
  }

  @SuppressWarnings("unchecked") // the lists of scripts are of Objects
  private static Object ofArray(Budget budget, List<?> list, String name, Arguments given, int line)
      throws PacException {
    return switch (name) {
      case "indexOf" -> (double) indexOf(list, given.at(0));
      case "includes" -> indexOf(list, given.at(0)) >= 0;
      case "join" -> {
        String separator = given.at(0) == EmptyValue.UNDEFINED ? "," : given.text(0);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < list.size(); i++) {
          String more = budget.text(list.get(i), line);
          int between = i == 0 ? 0 : separator.length();
          budget.spend((more.length() + between) / 16, line);
          budget.checkLength((long) all.length() + more.length() + between, line);
          all.append(i == 0 ? "" : separator).append(more);
        }
        yield all.toString();
      }
      case "push" -> {
        budget.spendElements(list.size(), given.values.size(), line);
        ((List<Object>) list).addAll(given.values);
        yield (double) list.size();
      }
      case "concat" -> {
        budget.spendElements(0, list.size(), line);
        List<Object> all = new ArrayList<>(list);
        for (Object value : given.values) {
          List<?> more = value instanceof List<?> several ? several : List.of(value);
          budget.spendElements(all.size(), more.size(), line);
          all.addAll(more);
        }
        yield all;
      }
      case "slice" -> {
        int from = given.fromEnd(0, list.size(), 0);
        int to = Math.max(from, given.fromEnd(1, list.size(), list.size()));
        budget.spendElements(0, to - from, line);
        yield new ArrayList<Object>(list.subList(from, to));
      }
      default -> throw budget.problem(line, "." + name + "(…) of an array is not known here");
    };
  }

  private static int indexOf(List<?> list, Object wanted) {
    for (int i = 0; i < list.size(); i++) {
      if (Coercion.isSame(list.get(i), wanted)) {
        return i;
      }
    }
    return -1;
  }

  private static int index(String key) {
    return key.matches("[0-9]{1,6}") ? Integer.parseInt(key) : -1;
  }
}
