package io.rmigate.client.pac;

import java.util.List;
import java.util.Map;

/** The operators between two values, and how tightly they bind. */
final class Operators {
  private static final Map<String, Integer> RANKS =
      Map.ofEntries(
          Map.entry("||", 1),
          Map.entry("&&", 2),
          Map.entry("|", 3),
          Map.entry("^", 4),
          Map.entry("&", 5),
          Map.entry("==", 6),
          Map.entry("!=", 6),
          Map.entry("===", 6),
          Map.entry("!==", 6),
          Map.entry("<", 7),
          Map.entry(">", 7),
          Map.entry("<=", 7),
          Map.entry(">=", 7),
          Map.entry("in", 7),
          Map.entry("<<", 8),
          Map.entry(">>", 8),
          Map.entry(">>>", 8),
          Map.entry("+", 9),
          Map.entry("-", 9),
          Map.entry("*", 10),
          Map.entry("/", 10),
          Map.entry("%", 10));

  private Operators() {}

  /** Greater binds more tightly; 0 for what is no operator. */
  static int rank(Token token) {
    return token.kind() == Token.Kind.STRING ? 0 : RANKS.getOrDefault(token.text(), 0);
  }

  /** All but {@code ||} and {@code &&}, which do not always look at both. */
  static Object apply(Budget budget, String sign, Object a, Object b, int line)
      throws PacException {
    budget.spend((length(a) + length(b)) / 16, line);
    return switch (sign) {
      case "==" -> isEqual(budget, a, b, line);
      case "!=" -> !isEqual(budget, a, b, line);
      case "===" -> Coercion.isSame(a, b);
      case "!==" -> !Coercion.isSame(a, b);
      case "<" -> isLess(a, b);
      case ">" -> isLess(b, a);
      case "<=" -> isAtMost(a, b);
      case ">=" -> isAtMost(b, a);
      case "in" -> isIn(budget, a, b, line);
      case "+" -> sum(budget, a, b, line);
      case "-" -> Coercion.number(a) - Coercion.number(b);
      case "*" -> Coercion.number(a) * Coercion.number(b);
      case "/" -> Coercion.number(a) / Coercion.number(b);
      case "%" -> Coercion.number(a) % Coercion.number(b);
      case "|" -> (double) (Coercion.int32(a) | Coercion.int32(b));
      case "^" -> (double) (Coercion.int32(a) ^ Coercion.int32(b));
      case "&" -> (double) (Coercion.int32(a) & Coercion.int32(b));
      case "<<" -> (double) (Coercion.int32(a) << Coercion.int32(b));
      case ">>" -> (double) (Coercion.int32(a) >> Coercion.int32(b));
      case ">>>" -> (double) ((Coercion.int32(a) & 0xFFFF_FFFFL) >>> (Coercion.int32(b) & 31));
      default -> throw new AssertionError(sign);
    };
  }

  private static int length(Object value) {
    return value instanceof String text ? text.length() : 0;
  }

  private static boolean isEqual(Budget budget, Object a, Object b, int line) throws PacException {
    if (a instanceof List == b instanceof List) {
      return Coercion.isEqual(a, b);
    }
    return a instanceof List
        ? Coercion.isEqual(budget.text(a, line), b)
        : Coercion.isEqual(a, budget.text(b, line));
  }

  private static Object sum(Budget budget, Object a, Object b, int line) throws PacException {
    if (isText(a) || isText(b)) {
      String first = budget.text(a, line);
      String second = budget.text(b, line);
      budget.spendText((long) first.length() + second.length(), line);
      return first + second;
    }
    return Coercion.number(a) + Coercion.number(b);
  }

  private static boolean isText(Object value) {
    return value instanceof String
        || value instanceof List
        || value instanceof Map
        || value instanceof RegularExpression
        || value instanceof Callable;
  }

  private static boolean isLess(Object a, Object b) {
    return (a instanceof String x && b instanceof String y)
        ? x.compareTo(y) < 0
        : Coercion.number(a) < Coercion.number(b);
  }

  private static boolean isAtMost(Object a, Object b) {
    return (a instanceof String x && b instanceof String y)
        ? x.compareTo(y) <= 0
        : Coercion.number(a) <= Coercion.number(b);
  }

  private static boolean isIn(Budget budget, Object key, Object of, int line) throws PacException {
    if (of instanceof Map<?, ?> map) {
      return map.containsKey(budget.text(key, line));
    }
    if (of instanceof List<?> list) {
      double index = Coercion.number(key);
      return index >= 0 && index < list.size() && index == Math.rint(index);
    }
    throw budget.problem(line, "asks whether something is in what holds nothing");
  }
}
