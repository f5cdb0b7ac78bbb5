package io.rmigate.soap.call;

/**
 * A failure in one line of a log. Servers, and clients through them, choose the messages: no
 * control character of theirs gets out, and none is long.
 */
public final class FailureText {
  private static final int MAX_CHARS = 300;
  private static final int MAX_CAUSES = 5;

  private FailureText() {}

  /** The text of a failure and its causes. */
  public static String of(Throwable failure) {
    StringBuilder line = new StringBuilder();
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      line.append(i == 0 ? "" : "; caused by ").append(printable(cause.getClass().getName()));
      if (cause.getMessage() != null) {
        line.append(": ").append(printable(cause.getMessage()));
      }
    }
    return line.toString();
  }

  private static String printable(String text) {
    StringBuilder line = new StringBuilder();
    text.codePoints()
        .limit(MAX_CHARS)
        .forEach(
            c -> {
              int type = Character.getType(c);
              if (Character.isISOControl(c)
                  || type == Character.FORMAT
                  || type == Character.LINE_SEPARATOR
                  || type == Character.PARAGRAPH_SEPARATOR
                  || type == Character.SURROGATE) {
                line.append(String.format("\\u%04x", c));
              } else {
                line.appendCodePoint(c);
              }
            });
    return line.toString();
  }
}
