package io.rmigate.gateway.policy.rule;

/** Text in single quotes, as YAML has it. */
final class YamlText {
  private YamlText() {}

  /** The quoted form of a text that {@link #isText}. */
  static String of(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** Whether it is read again as it is written: in one line, with nothing that is not seen. */
  static boolean isText(String text) {
    return !text.isEmpty()
        && text.equals(text.strip())
        && text.codePoints()
            .allMatch(
                c ->
                    switch (Character.getType(c)) {
                      case Character.CONTROL,
                          Character.FORMAT,
                          Character.SURROGATE,
                          Character.LINE_SEPARATOR,
                          Character.PARAGRAPH_SEPARATOR,
                          Character.UNASSIGNED,
                          Character.PRIVATE_USE ->
                          false;
                      default -> true;
                    });
  }
}
