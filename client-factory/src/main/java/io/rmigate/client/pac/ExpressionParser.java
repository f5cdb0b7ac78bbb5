package io.rmigate.client.pac;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes expressions from tokens, by the grammar in the description of the package. */
final class ExpressionParser {
  private final TokenCursor tokens;

  ExpressionParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  /** The expression that begins at the cursor, which stands behind it afterwards. */
  Expression expression() throws PacException {
    tokens.enter();
    try {
      int line = tokens.token().line();
      Expression left = conditional();
      for (String sign : List.of("=", "+=", "-=")) {
        if (tokens.isNext(sign)) {
          if (!(left instanceof Expression.Place place)) {
            throw tokens.problem("what stands before '" + sign + "' cannot be assigned to");
          }
          tokens.advance();
          return new Expression.Assignment(
              place, sign.substring(0, sign.length() - 1), expression(), line);
        }
      }
      return left;
    } finally {
      tokens.leave();
    }
  }

  private Expression conditional() throws PacException {
    int line = tokens.token().line();
    Expression condition = chain(1);
    if (!tokens.skip("?")) {
      return condition;
    }
    Expression then = expression();
    tokens.expect(":");
    return new Expression.Conditional(condition, then, expression(), line);
  }

  /** Operands between which stand operators of at least this rank. */
  private Expression chain(int rank) throws PacException {
    int line = tokens.token().line();
    if (rank > 10) {
      return unary();
    }
    Expression first = chain(rank + 1);
    if (Operators.rank(tokens.token()) != rank) {
      return first;
    }
    List<Expression.Link> links = new ArrayList<>();
    while (Operators.rank(tokens.token()) == rank) {
      String sign = tokens.token().text();
      tokens.advance();
      links.add(new Expression.Link(sign, chain(rank + 1)));
    }
    return new Expression.Chain(first, links, line);
  }

  private Expression unary() throws PacException {
    Token sign = tokens.token();
    for (String known : List.of("!", "-", "+", "~", "typeof")) {
      if (tokens.skip(known)) {
        tokens.enter();
        Expression of = unary();
        tokens.leave();
        return new Expression.Unary(known, of, sign.line());
      }
    }
    if (tokens.isNext("++") || tokens.isNext("--")) {
      tokens.advance();
      return step(postfix(), sign, true);
    }
    Expression of = postfix();
    if ((tokens.isNext("++") || tokens.isNext("--")) && !tokens.token().afterNewline()) {
      Token behind = tokens.token();
      tokens.advance();
      return step(of, behind, false);
    }
    return of;
  }

  private Expression step(Expression of, Token sign, boolean before) throws PacException {
    if (!(of instanceof Expression.Place place)) {
      throw tokens.problem("what stands beside '" + sign.text() + "' cannot be assigned to");
    }
    return new Expression.Step(place, sign.text().equals("++") ? 1 : -1, before, sign.line());
  }

  private Expression postfix() throws PacException {
    Expression of = primary();
    for (int chained = 0; chained < TokenCursor.MAX_DEPTH; chained++) {
      int line = tokens.token().line();
      if (tokens.skip(".")) {
        Token name = tokens.token();
        if (name.kind() != Token.Kind.NAME) {
          throw tokens.problem("expected a name behind '.', got " + name.shown());
        }
        tokens.advance();
        of = new Expression.Member(of, new Expression.Literal(name.text(), line), line);
      } else if (tokens.skip("[")) {
        Expression key = expression();
        tokens.expect("]");
        of = new Expression.Member(of, key, line);
      } else if (tokens.skip("(")) {
        of = new Expression.Call(of, list(")"), line);
      } else {
        return of;
      }
    }
    throw tokens.tooDeep();
  }

  private List<Expression> list(String end) throws PacException {
    List<Expression> elements = new ArrayList<>();
    while (!tokens.skip(end)) {
      if (!elements.isEmpty()) {
        tokens.expect(",");
        if (end.equals("]") && tokens.skip(end)) {
          break; // a comma behind the last element
        }
      }
      elements.add(expression());
    }
    return elements;
  }

  private Expression primary() throws PacException {
    Token token = tokens.token();
    tokens.advance();
    return switch (token.kind()) {
      case STRING -> new Expression.Literal(token.text(), token.line());
      case NUMBER -> new Expression.Literal(Double.valueOf(token.text()), token.line());
      case REGULAR_EXPRESSION -> regularExpression(token);
      case NAME -> named(token);
      case SIGN, END -> bracketed(token);
    };
  }

  private Expression regularExpression(Token token) throws PacException {
    try {
      return new Expression.Literal(
          RegularExpression.of(token.text(), token.flags()), token.line());
    } catch (IllegalArgumentException e) {
      throw tokens.problem(token, e.getMessage());
    }
  }

  private Expression named(Token token) throws PacException {
    int line = token.line();
    return switch (token.text()) {
      case "true" -> new Expression.Literal(true, line);
      case "false" -> new Expression.Literal(false, line);
      case "null" -> new Expression.Literal(EmptyValue.NULL, line);
      case "undefined" -> new Expression.Literal(EmptyValue.UNDEFINED, line);
      case "new" -> {
        if (!tokens.isNext("RegExp")) {
          throw tokens.problem("new " + tokens.token().text() + " is not understood here");
        }
        yield primary();
      }
      default -> {
        if (TokenCursor.isReserved(token.text())) {
          throw notUnderstood(token);
        }
        yield new Expression.Name(token.text(), line);
      }
    };
  }

  private Expression bracketed(Token token) throws PacException {
    return switch (token.text()) {
      case "(" -> {
        Expression inner = expression();
        tokens.expect(")");
        yield inner;
      }
      case "[" -> new Expression.ArrayLiteral(list("]"), token.line());
      case "{" -> objectLiteral(token.line());
      default -> throw notUnderstood(token);
    };
  }

  private PacException notUnderstood(Token token) {
    return tokens.problem(token, token.shown() + " is not understood here");
  }

  private Expression objectLiteral(int line) throws PacException {
    Map<String, Expression> properties = new LinkedHashMap<>();
    while (!tokens.skip("}")) {
      if (!properties.isEmpty()) {
        tokens.expect(",");
        if (tokens.skip("}")) {
          break;
        }
      }
      Token key = tokens.token();
      if (key.kind() == Token.Kind.SIGN
          || key.kind() == Token.Kind.END
          || key.kind() == Token.Kind.REGULAR_EXPRESSION) {
        throw tokens.problem("expected the name of a property, got " + key.shown());
      }
      tokens.advance();
      tokens.expect(":");
      properties.put(key.text(), expression());
    }
    return new Expression.ObjectLiteral(properties, line);
  }
}
