package io.rmigate.client.pac;

import java.util.List;

/**
 * What one evaluation may use up. Far above what PAC files of companies need: the largest seen have
 * some thousand conditions, of a few steps each. A step is at most some microseconds: what takes
 * longer, above all what looks at a long text, costs more of them, a sixteenth of its length.
 */
final class Budget {
  private static final int MAX_STEPS = 2_000_000;
  private static final int MAX_DEPTH = 400;
  private static final int MAX_LOOKUPS = 100;
  private static final int STEPS_BETWEEN_LOOKS = 1024;
  private static final int MAX_PROBLEM = 300;
  static final int MAX_TEXT = 100_000;
  static final int MAX_ELEMENTS = 100_000;

  private final String file;
  private final PacNetwork clock;
  private long steps;
  private long nextLook = STEPS_BETWEEN_LOOKS;
  private int depth;
  private int lookups;

  Budget(String file, PacNetwork clock) {
    this.file = file;
    this.clock = clock;
  }

  void spend(int count, int line) throws PacException {
    steps += count;
    if (steps > MAX_STEPS) {
      throw PacException.at(file, line, "is still not done after " + MAX_STEPS + " steps");
    }
    if (steps >= nextLook) {
      nextLook = steps + STEPS_BETWEEN_LOOKS;
      if (clock.isOutOfTime()) {
        throw PacException.at(file, line, "is still not done, and the time for it is over");
      }
    }
  }

  void enter(int line) throws PacException {
    spend(1, line);
    if (++depth > MAX_DEPTH) {
      throw PacException.at(file, line, "is nested or recurs more than " + MAX_DEPTH + " deep");
    }
  }

  void leave() {
    depth--;
  }

  void lookUp(int line) throws PacException {
    if (++lookups > MAX_LOOKUPS) {
      throw PacException.at(file, line, "looks up more than " + MAX_LOOKUPS + " names");
    }
  }

  /** The value as text, which is charged. */
  String text(Object value, int line) throws PacException {
    String text = Coercion.text(value);
    // Of an array much may have been looked at that has left little text.
    spend(value instanceof List ? 16 + text.length() : text.length() / 16, line);
    return text;
  }

  /** To be called before a text of this length is made. */
  void spendText(long length, int line) throws PacException {
    checkLength(length, line);
    spend((int) length / 16, line);
  }

  /** To be called before a text of this length is made piece by piece, each of which is charged. */
  void checkLength(long length, int line) throws PacException {
    if (length > MAX_TEXT) {
      throw PacException.at(file, line, "makes a text longer than " + MAX_TEXT);
    }
  }

  /** To be called before {@code count} elements are added to an array that has {@code size}. */
  void spendElements(int size, int count, int line) throws PacException {
    if (count > MAX_ELEMENTS - size) {
      throw PacException.at(file, line, "makes an array of more than " + MAX_ELEMENTS);
    }
    spend(count, line);
  }

  /** The exception; what of the script is quoted in it is cut where it is long. */
  PacException problem(int line, String problem) {
    return PacException.at(
        file,
        line,
        problem.length() <= MAX_PROBLEM ? problem : problem.substring(0, MAX_PROBLEM) + "…");
  }
}
