package io.rmigate.protocol;

/**
 * A text in which {@code *} stands for any characters. What is matched is chosen by others, and a
 * regular expression tries every way to share it out among the stars: here each part is taken where
 * it is first found, so that the time grows with the text, and not with a power of it. Immutable.
 */
final class Glob {
  /** Texts between the stars; the first begins the text, and the last ends it. */
  private final String[] parts;

  Glob(String text) {
    parts = text.split("\\*", -1);
  }

  /** Whether it stands for more than itself. */
  boolean hasStar() {
    return parts.length > 1;
  }

  boolean matches(String text) {
    String first = parts[0];
    String last = parts[parts.length - 1];
    if (!hasStar()) {
      return text.equals(first);
    }
    int at = first.length();
    int end = text.length() - last.length();
    if (end < at || !text.startsWith(first) || !text.endsWith(last)) {
      return false;
    }
    for (int i = 1; i < parts.length - 1; i++) {
      int found = text.indexOf(parts[i], at);
      if (found < 0) {
        return false;
      }
      at = found + parts[i].length();
    }
    return at <= end;
  }
}
