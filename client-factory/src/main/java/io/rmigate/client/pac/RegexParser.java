package io.rmigate.client.pac;

import io.rmigate.client.pac.RegexProgram.Instruction;
import io.rmigate.client.pac.RegexProgram.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a regular expression (ECMA-262 §22.2.1, and of annex B that a brace or an escape which
 * means nothing stands for itself). Looking behind and groups with names are refused. Everything
 * that is wrong is an {@link IllegalArgumentException}.
 */
final class RegexParser {
  private static final int MAX_DEPTH = 100;
  private static final int MAX_COUNT = 1000;
  private static final int NO_BOUND = -1;

  /** A part of the expression. Immutable. */
  @FunctionalInterface
  interface Node {
    void emit(RegexProgram program);
  }

  private final String body;
  private int at;
  private int depth;
  private int groups;
  private int highestBack;

  RegexParser(String body) {
    this.body = body;
  }

  /** All of it. */
  Node parse() {
    Node whole = alternatives();
    if (at < body.length()) {
      throw wrong("Unmatched closing ')'");
    }
    if (highestBack > groups) {
      throw wrong("there is no group " + highestBack);
    }
    return whole;
  }

  /** How many groups capture. */
  int groups() {
    return groups;
  }

  private static IllegalArgumentException wrong(String problem) {
    return new IllegalArgumentException("regular expression: " + problem);
  }

  private boolean has(String next) {
    return body.startsWith(next, at);
  }

  private boolean take(String next) {
    boolean there = has(next);
    at += there ? next.length() : 0;
    return there;
  }

  private Node alternatives() {
    List<Node> all = new ArrayList<>();
    do {
      all.add(sequence());
    } while (take("|"));
    return all.size() == 1 ? all.get(0) : program -> emitAlternatives(program, all);
  }

  private static void emitAlternatives(RegexProgram program, List<Node> all) {
    List<Integer> jumps = new ArrayList<>();
    for (Node alternative : all.subList(0, all.size() - 1)) {
      int split = program.add(Kind.SPLIT, 0);
      alternative.emit(program);
      jumps.add(program.add(Kind.JUMP, 0));
      program.set(split, Kind.SPLIT, split + 1, program.size());
    }
    all.get(all.size() - 1).emit(program);
    jumps.forEach(jump -> program.set(jump, Kind.JUMP, program.size(), 0));
  }

  private Node sequence() {
    List<Node> all = new ArrayList<>();
    while (at < body.length() && !has("|") && !has(")")) {
      all.add(term());
    }
    return program -> {
      program.countPart();
      all.forEach(node -> node.emit(program));
    };
  }

  private Node term() {
    if (take("^")) {
      return of(Kind.BEGIN);
    }
    if (take("$")) {
      return of(Kind.END);
    }
    if (take("\\b")) {
      return of(Kind.WORD_EDGE);
    }
    if (take("\\B")) {
      return of(Kind.NO_WORD_EDGE);
    }
    if (take("(?=")) {
      return look(Kind.LOOK, closed());
    }
    if (take("(?!")) {
      return look(Kind.LOOK_NOT, closed());
    }
    return repeated(atom());
  }

  private static Node of(Kind kind) {
    return program -> program.add(kind, 0);
  }

  private static Node of(CharacterSet set) {
    return program -> program.add(new Instruction(Kind.CHARACTER, 0, 0, set));
  }

  private static Node look(Kind kind, Node inner) {
    return program -> {
      int look = program.add(kind, 0);
      inner.emit(program);
      program.add(Kind.DONE, 0);
      program.set(look, kind, program.size(), 0);
    };
  }

  /** Reads the alternatives up to the closing parenthesis, and that too. */
  private Node closed() {
    if (++depth > MAX_DEPTH) {
      throw wrong("groups are nested more than " + MAX_DEPTH + " deep");
    }
    Node inner = alternatives();
    depth--;
    if (!take(")")) {
      throw wrong("Unclosed group");
    }
    return inner;
  }

  private Node atom() {
    if (take("(?:")) {
      return closed();
    }
    if (has("(?")) {
      throw wrong("a group that begins with (? is understood with : = and ! only");
    }
    if (take("(")) {
      int number = ++groups;
      Node inner = closed();
      return program -> {
        program.add(Kind.SAVE, 2 * number);
        inner.emit(program);
        program.add(Kind.SAVE, 2 * number + 1);
      };
    }
    if (take("[")) {
      return of(characterClass());
    }
    if (take(".")) {
      return of(CharacterSet.NO_LINE_END);
    }
    if (has("*") || has("+") || has("?")) {
      throw wrong("there is nothing to repeat before '" + body.charAt(at) + "'");
    }
    if (!take("\\")) {
      return of(CharacterSet.of(body.charAt(at++)));
    }
    if (at == body.length()) {
      throw wrong("it ends with a backslash");
    }
    if (body.charAt(at) >= '1' && body.charAt(at) <= '9') {
      int number = number();
      highestBack = Math.max(highestBack, number);
      return program -> program.add(Kind.BACK, number);
    }
    return of(escaped());
  }

  /** Behind the backslash. */
  private CharacterSet escaped() {
    char letter = body.charAt(at++);
    CharacterSet known = CharacterSet.escaped(letter);
    return known != null
        ? known
        : CharacterSet.of(
            switch (letter) {
              case 't' -> '\t';
              case 'n' -> '\n';
              case 'v' -> '\u000b';
              case 'f' -> '\f';
              case 'r' -> '\r';
              case '0' -> '\0';
              case 'x' -> hex(2, letter);
              case 'u' -> hex(4, letter);
              default -> letter;
            });
  }

  private char hex(int digits, char otherwise) {
    int end = Math.min(at + digits, body.length());
    String text = body.substring(at, end);
    if (text.length() < digits || !text.matches("[0-9A-Fa-f]+")) {
      return otherwise;
    }
    at = end;
    return (char) Integer.parseInt(text, 16);
  }

  private CharacterSet characterClass() {
    boolean others = take("^");
    StringBuilder ranges = new StringBuilder();
    while (!take("]")) {
      CharacterSet first = classElement();
      boolean single = isSingle(first);
      if (single && has("-") && !has("-]")) {
        at++;
        CharacterSet last = classElement();
        if (!isSingle(last) || last.bounds().charAt(0) < first.bounds().charAt(0)) {
          throw wrong("a range of characters does not go upwards");
        }
        ranges.append(first.bounds().charAt(0)).append(last.bounds().charAt(0));
      } else {
        ranges.append(first.ranges());
      }
    }
    return new CharacterSet(ranges.toString(), others);
  }

  private static boolean isSingle(CharacterSet set) {
    return !set.others()
        && set.bounds().length() == 2
        && set.bounds().charAt(0) == set.bounds().charAt(1);
  }

  private CharacterSet classElement() {
    if (at == body.length()) {
      throw wrong("Unclosed character class");
    }
    if (take("\\b")) {
      return CharacterSet.of('\b');
    }
    if (!take("\\")) {
      return CharacterSet.of(body.charAt(at++));
    }
    if (at == body.length()) {
      throw wrong("Unclosed character class");
    }
    return escaped();
  }

  private Node repeated(Node node) {
    int least;
    int most;
    if (take("*")) {
      least = 0;
      most = NO_BOUND;
    } else if (take("+")) {
      least = 1;
      most = NO_BOUND;
    } else if (take("?")) {
      least = 0;
      most = 1;
    } else if (hasCount()) {
      at++;
      least = number();
      most = least;
      if (take(",")) {
        most = has("}") ? NO_BOUND : number();
      }
      at++;
      if (most != NO_BOUND && most < least) {
        throw wrong("a repetition from " + least + " to " + most);
      }
    } else {
      return node;
    }
    boolean lazy = take("?");
    int upTo = most;
    return program -> emitRepetition(program, node, least, upTo, lazy);
  }

  /** A brace that is none stands for itself. */
  private boolean hasCount() {
    int i = at;
    if (!has("{")) {
      return false;
    }
    int digits = afterDigits(i + 1);
    if (digits == i + 1) {
      return false;
    }
    i = digits < body.length() && body.charAt(digits) == ',' ? afterDigits(digits + 1) : digits;
    return i < body.length() && body.charAt(i) == '}';
  }

  private int afterDigits(int from) {
    int i = from;
    while (i < body.length() && body.charAt(i) >= '0' && body.charAt(i) <= '9') {
      i++;
    }
    return i;
  }

  private int number() {
    int end = afterDigits(at);
    String digits = body.substring(at, end);
    at = end;
    if (digits.length() > 4 || Integer.parseInt(digits) > MAX_COUNT) {
      throw wrong("numbers are understood up to " + MAX_COUNT);
    }
    return Integer.parseInt(digits);
  }

  private static void emitRepetition(
      RegexProgram program, Node node, int least, int most, boolean lazy) {
    for (int i = 0; i < least; i++) {
      program.countPart();
      node.emit(program);
    }
    if (most == NO_BOUND) {
      program.countPart();
      int slot = program.newSlot();
      int split = program.add(Kind.SPLIT, 0);
      program.add(Kind.SAVE, slot);
      node.emit(program);
      program.add(Kind.MOVED, slot);
      program.add(Kind.JUMP, split);
      setSplit(program, split, program.size(), lazy);
      return;
    }
    List<Integer> splits = new ArrayList<>();
    for (int i = least; i < most; i++) {
      program.countPart();
      splits.add(program.add(Kind.SPLIT, 0));
      node.emit(program);
    }
    splits.forEach(split -> setSplit(program, split, program.size(), lazy));
  }

  private static void setSplit(RegexProgram program, int split, int behind, boolean lazy) {
    program.set(split, Kind.SPLIT, lazy ? behind : split + 1, lazy ? split + 1 : behind);
  }
}
