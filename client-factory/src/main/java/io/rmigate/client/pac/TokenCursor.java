package io.rmigate.client.pac;

import java.util.List;
import java.util.Set;

/**
 * The place in the tokens of a file that the parsers have reached, and how deep statements and
 * expressions are nested there.
 */
final class TokenCursor {
  static final int MAX_DEPTH = 60;
  private static final Set<String> RESERVED =
      Set.of(
          "break",
          "case",
          "catch",
          "class",
          "const",
          "continue",
          "default",
          "delete",
          "do",
          "else",
          "finally",
          "for",
          "function",
          "if",
          "in",
          "instanceof",
          "let",
          "new",
          "return",
          "switch",
          "this",
          "throw",
          "try",
          "typeof",
          "var",
          "void",
          "while",
          "with",
          "yield",
          "import",
          "export",
          "super",
          "async",
          "await");

  private final String file;
  private final List<Token> tokens;
  private int at;
  private int depth;

  /**
   * A cursor at the first token.
   *
   * @param tokens the last of which is the end of the file
   */
  TokenCursor(String file, List<Token> tokens) {
    this.file = file;
    this.tokens = tokens;
  }

  static boolean isReserved(String name) {
    return RESERVED.contains(name);
  }

  /** The token at the cursor. */
  Token token() {
    return tokens.get(at);
  }

  /** Whether the token at the cursor is this sign or keyword. */
  boolean isNext(String sign) {
    return token().kind() != Token.Kind.STRING && token().is(sign);
  }

  /** Moves the cursor behind this sign or keyword, if it stands there. */
  boolean skip(String sign) {
    boolean there = isNext(sign);
    at += there ? 1 : 0;
    return there;
  }

  /** Moves the cursor behind this sign or keyword, which must stand there. */
  void expect(String sign) throws PacException {
    if (!skip(sign)) {
      throw problem("expected '" + sign + "', got " + token().shown());
    }
  }

  /** A problem at the cursor. */
  PacException problem(String problem) {
    return problem(token(), problem);
  }

  /** Moves the cursor behind a name, which must stand there. */
  String name() throws PacException {
    Token name = token();
    if (name.kind() != Token.Kind.NAME || RESERVED.contains(name.text())) {
      throw problem("expected a name, got " + name.shown());
    }
    at++;
    return name.text();
  }

  /** The token that many places behind the cursor; the end of the file if it comes before. */
  Token ahead(int places) {
    return tokens.get(Math.min(tokens.size() - 1, at + places));
  }

  /** Moves the cursor behind its token. */
  void advance() {
    at++;
  }

  PacException problem(Token token, String problem) {
    return PacException.at(file, token.line(), problem);
  }

  /** A nested statement or expression begins; {@link #leave} when it has ended. */
  void enter() throws PacException {
    if (++depth > MAX_DEPTH) {
      throw tooDeep();
    }
  }

  void leave() {
    depth--;
  }

  PacException tooDeep() {
    return problem("is nested more than " + MAX_DEPTH + " deep");
  }
}
