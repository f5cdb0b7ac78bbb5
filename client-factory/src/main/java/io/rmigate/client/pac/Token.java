package io.rmigate.client.pac;

/**
 * One word of a script.
 *
 * @param text as written; of strings and regular expressions what they mean
 * @param flags of a regular expression
 * @param afterNewline whether a line ends before it, where a semicolon may be missing
 */
record Token(Kind kind, String text, String flags, int line, boolean afterNewline) {

  enum Kind {
    NAME,
    NUMBER,
    STRING,
    REGULAR_EXPRESSION,
    SIGN,
    END
  }

  /** Whether the token is this sign or keyword. */
  boolean is(String sign) {
    return (kind == Kind.SIGN || kind == Kind.NAME) && text.equals(sign);
  }

  /** The token as messages show it. */
  String shown() {
    return kind == Kind.END
        ? "the end of the file"
        : "'" + (text.length() > 60 ? text.substring(0, 60) + "…" : text) + "'";
  }
}
