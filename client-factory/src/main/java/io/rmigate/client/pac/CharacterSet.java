package io.rmigate.client.pac;

import java.util.ArrayList;
import java.util.List;

/**
 * Some characters.
 *
 * @param bounds first and last of each range, as one character each
 * @param others whether all that are in no range are meant
 */
record CharacterSet(String bounds, boolean others) {
  static final CharacterSet NONE = new CharacterSet("", false);
  static final CharacterSet NO_LINE_END = new CharacterSet("\n\n\r\r\u2028\u2029", true);

  private static final String DIGITS = "09";
  private static final String WORD = "09AZ__az";
  private static final String SPACE =
      "\t\r  \u00a0\u00a0\u1680\u1680\u2000\u200a\u2028\u2029\u202f\u202f\u205f\u205f\u3000\u3000\ufeff\ufeff";

  static CharacterSet of(char c) {
    return new CharacterSet("" + c + c, false);
  }

  /** {@code \d}, {@code \w}, {@code \s} and their opposites; null if the letter is none of them. */
  static CharacterSet escaped(char letter) {
    return switch (letter) {
      case 'd' -> new CharacterSet(DIGITS, false);
      case 'D' -> new CharacterSet(DIGITS, true);
      case 'w' -> new CharacterSet(WORD, false);
      case 'W' -> new CharacterSet(WORD, true);
      case 's' -> new CharacterSet(SPACE, false);
      case 'S' -> new CharacterSet(SPACE, true);
      default -> null;
    };
  }

  static boolean isWord(char c) {
    return new CharacterSet(WORD, false).contains(c);
  }

  boolean contains(char c) {
    boolean within = false;
    for (int i = 0; i < bounds.length() && !within; i += 2) {
      within = bounds.charAt(i) <= c && c <= bounds.charAt(i + 1);
    }
    return within != others;
  }

  boolean contains(char c, boolean ignoresCase) {
    if (!ignoresCase) {
      return contains(c);
    }
    CharacterSet plain = new CharacterSet(bounds, false);
    boolean within =
        plain.contains(c)
            || plain.contains(Character.toLowerCase(c))
            || plain.contains(Character.toUpperCase(c));
    return within != others;
  }

  /** The cost of a search in the set, in steps. */
  int steps() {
    return 1 + bounds.length() / 16;
  }

  /** The ranges, where these are not in the set. */
  String ranges() {
    if (!others) {
      return bounds;
    }
    List<char[]> sorted = new ArrayList<>();
    for (int i = 0; i < bounds.length(); i += 2) {
      sorted.add(new char[] {bounds.charAt(i), bounds.charAt(i + 1)});
    }
    sorted.sort((a, b) -> Character.compare(a[0], b[0]));
    StringBuilder ranges = new StringBuilder();
    int next = 0;
    for (char[] range : sorted) {
      if (next < range[0]) {
        ranges.append((char) next).append((char) (range[0] - 1));
      }
      next = Math.max(next, range[1] + 1);
    }
    if (next <= Character.MAX_VALUE) {
      ranges.append((char) next).append(Character.MAX_VALUE);
    }
    return ranges.toString();
  }
}
