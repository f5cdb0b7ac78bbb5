package io.rmigate.client.pac;

import java.util.ArrayList;
import java.util.List;

/**
 * A regular expression. Matched here and not by the JDK's {@code java.util.regex}, which cannot be
 * stopped: {@code (|)(|)(|)…x} tries all combinations without looking at a character, and what
 * recurs for each character ends with the stack.
 *
 * @param body between the slashes
 */
record RegularExpression(String body, boolean ignoresCase) {
  private static final int MAX_PATTERN = 10_000;

  static RegularExpression of(String body, String flags) {
    if (!flags.matches("[gi]{0,2}") || body.length() > MAX_PATTERN) {
      throw new IllegalArgumentException(
          "a regular expression is understood up to "
              + MAX_PATTERN
              + " characters and with the flags g and i");
    }
    new RegexParser(body).parse(); // or it is refused; not kept, a file may have thousands
    return new RegularExpression(body, flags.contains("i"));
  }

  boolean isFoundIn(String text, Budget budget, int line) throws PacException {
    return !match(text, budget, line).isEmpty();
  }

  /** The match and its groups; empty if there is none. */
  List<Object> match(String text, Budget budget, int line) throws PacException {
    RegexParser parser = new RegexParser(body);
    RegexProgram program;
    try {
      RegexParser.Node whole = parser.parse();
      program = RegexProgram.of(whole, parser.groups());
    } catch (IllegalArgumentException e) {
      throw budget.problem(line, e.getMessage());
    }
    budget.spend(body.length() + program.cost(), line);
    RegexMatcher matcher = new RegexMatcher(program, text, ignoresCase, budget, line);
    List<Object> found = new ArrayList<>();
    if (matcher.find()) {
      for (int i = 0; i <= parser.groups(); i++) {
        String group = matcher.group(i);
        budget.spend(group == null ? 1 : 1 + group.length() / 16, line);
        found.add(group == null ? EmptyValue.UNDEFINED : group);
      }
    }
    return found;
  }

  @Override
  public String toString() {
    return "/" + body + "/";
  }
}
