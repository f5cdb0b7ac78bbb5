package io.rmigate.client.pac;

import java.util.ArrayList;
import java.util.List;

/** Cuts a script into tokens. */
final class Lexer {
  /** Longer ones first. */
  private static final String[] SIGNS = {
    ">>>", "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "<<", ">>",
    "{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%", "!", "~", "?", ":",
    "=", ".", "&", "|", "^"
  };

  private final String file;
  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;
  private int line = 1;
  private boolean newline;

  private Lexer(String file, String text) {
    this.file = file;
    this.text = text;
  }

  /** All tokens, the last of which is the end. */
  static List<Token> read(String file, String text) throws PacException {
    return new Lexer(file, text).read();
  }

  private List<Token> read() throws PacException {
    if (text.startsWith("\uFEFF")) {
      at = 1;
    }
    while (skipToNext()) {
      char c = text.charAt(at);
      if (isNamePart(c) && !Character.isDigit(c)) {
        name();
      } else if (Character.isDigit(c)) {
        number();
      } else if (c == '"' || c == '\'') {
        string(c);
      } else if (c == '/' && regularExpressionMayStandHere()) {
        regularExpression();
      } else {
        sign();
      }
    }
    add(Token.Kind.END, "", "");
    return tokens;
  }

  private PacException problem(String problem) {
    return PacException.at(file, line, problem);
  }

  private void add(Token.Kind kind, String word, String flags) {
    tokens.add(new Token(kind, word, flags, line, newline));
    newline = false;
  }

  /** Over spaces and comments; false at the end. */
  private boolean skipToNext() throws PacException {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\n' || (c == '\r' && !text.startsWith("\r\n", at))) {
        line++;
        newline = true;
        at++;
      } else if (Character.isWhitespace(c) || c == '\u00A0' || c == '\uFEFF') {
        at++;
      } else if (text.startsWith("//", at) || text.startsWith("<!--", at)) {
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
          at++;
        }
      } else if (text.startsWith("/*", at)) {
        int end = text.indexOf("*/", at + 2);
        if (end < 0) {
          throw problem("a comment begins here and does not end");
        }
        String comment = text.substring(at, end);
        int lines = (int) comment.lines().count() - 1;
        line += lines;
        newline |= lines > 0;
        at = end + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$';
  }

  private void name() {
    int start = at;
    while (at < text.length() && isNamePart(text.charAt(at))) {
      at++;
    }
    add(Token.Kind.NAME, text.substring(start, at), "");
  }

  private void number() throws PacException {
    int start = at;
    boolean hex = text.startsWith("0x", at) || text.startsWith("0X", at);
    at += hex ? 2 : 0;
    while (at < text.length()
        && (hex
            ? Character.digit(text.charAt(at), 16) >= 0
            : Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
      at++;
    }
    String digits = text.substring(start, at);
    if ((at < text.length() && isNamePart(text.charAt(at)))
        || !digits.matches("0[xX][0-9a-fA-F]{1,8}|[0-9]{1,15}(\\.[0-9]*)?")) {
      throw problem("'" + digits + "…' is not a number that is understood here");
    }
    add(
        Token.Kind.NUMBER,
        hex ? Long.toString(Long.parseLong(digits.substring(2), 16)) : digits,
        "");
  }

  private void string(char quote) throws PacException {
    StringBuilder meaning = new StringBuilder();
    at++;
    while (true) {
      if (at >= text.length() || text.charAt(at) == '\n') {
        throw problem("a string does not end in the line where it begins");
      }
      char c = text.charAt(at++);
      if (c == quote) {
        break;
      }
      if (c == '\\' && at < text.length()) {
        meaning.append(escaped(text.charAt(at++)));
      } else {
        meaning.append(c);
      }
    }
    add(Token.Kind.STRING, meaning.toString(), "");
  }

  private String escaped(char c) throws PacException {
    return switch (c) {
      case 'n' -> "\n";
      case 't' -> "\t";
      case 'r' -> "\r";
      case '\n' -> {
        line++;
        yield "";
      }
      case 'x' -> unicode(2);
      case 'u' -> unicode(4);
      default -> String.valueOf(c);
    };
  }

  private String unicode(int digits) throws PacException {
    String hex = text.substring(at, Math.min(text.length(), at + digits));
    if (!hex.matches("[0-9a-fA-F]{" + digits + "}")) {
      throw problem("'\\" + hex + "' is not a character");
    }
    at += digits;
    return String.valueOf((char) Integer.parseInt(hex, 16));
  }

  /** A slash divides behind a value, and begins a regular expression elsewhere. */
  private boolean regularExpressionMayStandHere() {
    if (tokens.isEmpty()) {
      return true;
    }
    Token before = tokens.get(tokens.size() - 1);
    return switch (before.kind()) {
      case NAME -> before.text().equals("return") || before.text().equals("typeof");
      case SIGN -> !before.text().equals(")") && !before.text().equals("]");
      default -> false;
    };
  }

  private void regularExpression() throws PacException {
    int start = ++at;
    boolean inClass = false;
    while (at < text.length() && text.charAt(at) != '\n' && (inClass || text.charAt(at) != '/')) {
      char c = text.charAt(at);
      inClass = c == '[' || (inClass && c != ']');
      at += c == '\\' ? 2 : 1;
    }
    if (at >= text.length() || text.charAt(at) != '/') {
      throw problem("a regular expression does not end in the line where it begins");
    }
    String body = text.substring(start, at++);
    int flags = at;
    while (at < text.length() && isNamePart(text.charAt(at))) {
      at++;
    }
    add(Token.Kind.REGULAR_EXPRESSION, body, text.substring(flags, at));
  }

  private void sign() throws PacException {
    for (String sign : SIGNS) {
      if (text.startsWith(sign, at)) {
        at += sign.length();
        add(Token.Kind.SIGN, sign, "");
        return;
      }
    }
    throw problem("'" + text.charAt(at) + "' is not understood here");
  }
}
