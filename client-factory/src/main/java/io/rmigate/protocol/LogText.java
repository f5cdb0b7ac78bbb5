package io.rmigate.protocol;

/**
 * Text of a peer's choice, fit for one line of a log or a console: nothing in it begins another
 * line, hides what stands there or turns its order round (THREATS T56). What no font shows becomes
 * a question mark: control and format characters (those of bidirectional text among them), line and
 * paragraph separators, halves of surrogate pairs, and what Unicode has not assigned.
 */
public final class LogText {
  /** Most characters that {@link #brief} keeps. */
  public static final int BRIEF_CHARS = 200;

  /** The whole text. */
  public static String of(String text) {
    return isPlain(text) || text.codePoints().allMatch(LogText::shows)
        ? text
        : text.codePoints()
            .map(c -> shows(c) ? c : '?')
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
  }

  /** Whether the text is printable ASCII, as most is; makes no objects. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  /** The text, or its beginning where it is longer than {@link #BRIEF_CHARS}. */
  public static String brief(String text) {
    return text.length() <= BRIEF_CHARS ? of(text) : of(text.substring(0, BRIEF_CHARS)) + "…";
  }

  private static boolean shows(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  private LogText() {}
}
