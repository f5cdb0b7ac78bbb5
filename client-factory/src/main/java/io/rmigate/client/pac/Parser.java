package io.rmigate.client.pac;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes statements from tokens, by the grammar in the description of the package. */
final class Parser {
  private static final int MAX_DEPTH = 60;
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
  private final Map<String, Function> functions = new LinkedHashMap<>();
  private int at;
  private int depth;

  /** Those of the function that is being read; null at the top. */
  private Set<String> variables;

  private Parser(String file, List<Token> tokens) {
    this.file = file;
    this.tokens = tokens;
  }

  /** What a script consists of. */
  record Script(Map<String, Function> functions, Statement body) {}

  static Script parse(String file, String text) throws PacException {
    return new Parser(file, Lexer.read(file, text)).script();
  }

  private Script script() throws PacException {
    List<Statement> statements = new ArrayList<>();
    while (token().kind() != Token.Kind.END) {
      if (token().is("function")) {
        function();
      } else {
        statements.add(statement());
      }
    }
    return new Script(functions, new Statement.Block(statements, 1));
  }

  private Token token() {
    return tokens.get(at);
  }

  private boolean isNext(String sign) {
    return token().kind() != Token.Kind.STRING && token().is(sign);
  }

  private boolean skip(String sign) {
    boolean there = isNext(sign);
    at += there ? 1 : 0;
    return there;
  }

  private void expect(String sign) throws PacException {
    if (!skip(sign)) {
      throw problem("expected '" + sign + "', got " + token().shown());
    }
  }

  private PacException problem(String problem) {
    return PacException.at(file, token().line(), problem);
  }

  private String name() throws PacException {
    Token name = token();
    if (name.kind() != Token.Kind.NAME || RESERVED.contains(name.text())) {
      throw problem("expected a name, got " + name.shown());
    }
    at++;
    return name.text();
  }

  private void function() throws PacException {
    if (variables != null) {
      throw problem("a function within a function is not understood here");
    }
    at++;
    String name = name();
    List<String> parameters = new ArrayList<>();
    expect("(");
    while (!skip(")")) {
      if (!parameters.isEmpty()) {
        expect(",");
      }
      parameters.add(name());
    }
    variables = new LinkedHashSet<>();
    if (!isNext("{")) {
      expect("{");
    }
    Statement body = statement();
    functions.put(name, new Function(name, List.copyOf(parameters), variables, body));
    variables = null;
  }

  private Statement statement() throws PacException {
    if (++depth > MAX_DEPTH) {
      throw problem("is nested more than " + MAX_DEPTH + " deep");
    }
    try {
      return statementInDepth();
    } finally {
      depth--;
    }
  }

  private Statement statementInDepth() throws PacException {
    int line = token().line();
    boolean mayBeKeyword = token().kind() == Token.Kind.NAME || token().kind() == Token.Kind.SIGN;
    return switch (mayBeKeyword ? token().text() : "") {
      case "{" -> {
        at++;
        yield block(line);
      }
      case ";" -> {
        at++;
        yield new Statement.Block(List.of(), line);
      }
      case "var", "let", "const" -> {
        Statement declaration = declaration();
        endOfStatement();
        yield declaration;
      }
      case "if" -> ifStatement(line);
      case "for" -> forStatement(line);
      case "while" -> {
        at++;
        Expression condition = inBrackets();
        yield loop(Optional.of(condition), statement(), false, line);
      }
      case "do" -> {
        at++;
        Statement body = statement();
        expect("while");
        Expression condition = inBrackets();
        skip(";");
        yield loop(Optional.of(condition), body, true, line);
      }
      case "switch" -> switchStatement(line);
      case "return" -> {
        at++;
        Optional<Expression> value =
            statementEndsHere() ? Optional.empty() : Optional.of(expression());
        endOfStatement();
        yield new Statement.Return(value, line);
      }
      case "break", "continue" -> {
        Completion completion = isNext("break") ? Completion.BREAK : Completion.CONTINUE;
        at++;
        endOfStatement();
        yield new Statement.Jump(completion, line);
      }
      case "function" -> throw problem("a function within a function is not understood here");
      default -> {
        Expression expression = expression();
        endOfStatement();
        yield new Statement.Effect(expression, line);
      }
    };
  }

  private static Statement loop(
      Optional<Expression> condition, Statement body, boolean bodyFirst, int line) {
    Statement nothing = new Statement.Block(List.of(), line);
    return new Statement.Loop(nothing, condition, Optional.empty(), body, bodyFirst, line);
  }

  private Statement block(int line) throws PacException {
    List<Statement> statements = new ArrayList<>();
    while (!skip("}")) {
      if (token().kind() == Token.Kind.END) {
        throw problem("expected '}' for the '{' of line " + line + ", got the end of the file");
      }
      statements.add(statement());
    }
    return new Statement.Block(statements, line);
  }

  private boolean statementEndsHere() {
    return isNext(";") || isNext("}") || token().kind() == Token.Kind.END || token().afterNewline();
  }

  private void endOfStatement() throws PacException {
    if (!statementEndsHere()) {
      throw problem("expected ';', got " + token().shown());
    }
    skip(";");
  }

  private Expression inBrackets() throws PacException {
    expect("(");
    Expression expression = expression();
    expect(")");
    return expression;
  }

  /** Without the semicolon. */
  private Statement declaration() throws PacException {
    int line = token().line();
    at++;
    List<Statement> assignments = new ArrayList<>();
    do {
      int nameLine = token().line();
      String name = declared();
      Expression value =
          skip("=") ? expression() : new Expression.Literal(EmptyValue.UNDEFINED, nameLine);
      assignments.add(
          new Statement.Effect(
              new Expression.Assignment(new Expression.Name(name, nameLine), "", value, nameLine),
              nameLine));
    } while (skip(","));
    return new Statement.Block(assignments, line);
  }

  private String declared() throws PacException {
    String name = name();
    if (variables != null) {
      variables.add(name);
    }
    return name;
  }

  private Statement ifStatement(int line) throws PacException {
    List<Statement.Branch> branches = new ArrayList<>();
    do {
      expect("if");
      Expression condition = inBrackets();
      branches.add(new Statement.Branch(condition, statement()));
      if (!skip("else")) {
        return new Statement.If(branches, Optional.empty(), line);
      }
    } while (isNext("if"));
    return new Statement.If(branches, Optional.of(statement()), line);
  }

  private Statement forStatement(int line) throws PacException {
    at++;
    expect("(");
    boolean declares = isNext("var") || isNext("let") || isNext("const");
    Token each = tokens.get(Math.min(tokens.size() - 1, at + (declares ? 2 : 1)));
    if (each.is("in") || each.is("of")) {
      at += declares ? 1 : 0;
      String name = declares ? declared() : name();
      at++;
      Expression of = expression();
      expect(")");
      return new Statement.ForEach(name, each.is("of"), of, statement(), line);
    }
    Statement before = new Statement.Block(List.of(), line);
    if (declares) {
      before = declaration();
    } else if (!isNext(";")) {
      before = new Statement.Effect(expression(), line);
    }
    expect(";");
    Optional<Expression> condition = isNext(";") ? Optional.empty() : Optional.of(expression());
    expect(";");
    Optional<Expression> after = isNext(")") ? Optional.empty() : Optional.of(expression());
    expect(")");
    return new Statement.Loop(before, condition, after, statement(), false, line);
  }

  private Statement switchStatement(int line) throws PacException {
    at++;
    Expression of = inBrackets();
    expect("{");
    List<Statement.Case> cases = new ArrayList<>();
    while (!skip("}")) {
      Optional<Expression> value = Optional.empty();
      if (!skip("default")) {
        expect("case");
        value = Optional.of(expression());
      }
      expect(":");
      List<Statement> statements = new ArrayList<>();
      while (!isNext("case") && !isNext("default") && !isNext("}")) {
        statements.add(statement());
      }
      cases.add(new Statement.Case(value, statements));
    }
    return new Statement.Switch(of, cases, line);
  }

  private Expression expression() throws PacException {
    if (++depth > MAX_DEPTH) {
      throw problem("is nested more than " + MAX_DEPTH + " deep");
    }
    try {
      int line = token().line();
      Expression left = conditional();
      for (String sign : List.of("=", "+=", "-=")) {
        if (isNext(sign)) {
          if (!(left instanceof Expression.Place place)) {
            throw problem("what stands before '" + sign + "' cannot be assigned to");
          }
          at++;
          return new Expression.Assignment(
              place, sign.substring(0, sign.length() - 1), expression(), line);
        }
      }
      return left;
    } finally {
      depth--;
    }
  }

  private Expression conditional() throws PacException {
    int line = token().line();
    Expression condition = chain(1);
    if (!skip("?")) {
      return condition;
    }
    Expression then = expression();
    expect(":");
    return new Expression.Conditional(condition, then, expression(), line);
  }

  /** Operands between which stand operators of at least this rank. */
  private Expression chain(int rank) throws PacException {
    int line = token().line();
    if (rank > 10) {
      return unary();
    }
    Expression first = chain(rank + 1);
    if (Operators.rank(token()) != rank) {
      return first;
    }
    List<Expression.Link> links = new ArrayList<>();
    while (Operators.rank(token()) == rank) {
      String sign = token().text();
      at++;
      links.add(new Expression.Link(sign, chain(rank + 1)));
    }
    return new Expression.Chain(first, links, line);
  }

  private Expression unary() throws PacException {
    Token sign = token();
    for (String known : List.of("!", "-", "+", "~", "typeof")) {
      if (skip(known)) {
        if (++depth > MAX_DEPTH) {
          throw problem("is nested more than " + MAX_DEPTH + " deep");
        }
        Expression of = unary();
        depth--;
        return new Expression.Unary(known, of, sign.line());
      }
    }
    if (isNext("++") || isNext("--")) {
      at++;
      return step(postfix(), sign, true);
    }
    Expression of = postfix();
    if ((isNext("++") || isNext("--")) && !token().afterNewline()) {
      Token behind = token();
      at++;
      return step(of, behind, false);
    }
    return of;
  }

  private Expression step(Expression of, Token sign, boolean before) throws PacException {
    if (!(of instanceof Expression.Place place)) {
      throw problem("what stands beside '" + sign.text() + "' cannot be assigned to");
    }
    return new Expression.Step(place, sign.text().equals("++") ? 1 : -1, before, sign.line());
  }

  private Expression postfix() throws PacException {
    Expression of = primary();
    for (int chained = 0; chained < MAX_DEPTH; chained++) {
      int line = token().line();
      if (skip(".")) {
        Token name = token();
        if (name.kind() != Token.Kind.NAME) {
          throw problem("expected a name behind '.', got " + name.shown());
        }
        at++;
        of = new Expression.Member(of, new Expression.Literal(name.text(), line), line);
      } else if (skip("[")) {
        Expression key = expression();
        expect("]");
        of = new Expression.Member(of, key, line);
      } else if (skip("(")) {
        of = new Expression.Call(of, list(")"), line);
      } else {
        return of;
      }
    }
    throw problem("is nested more than " + MAX_DEPTH + " deep");
  }

  private List<Expression> list(String end) throws PacException {
    List<Expression> elements = new ArrayList<>();
    while (!skip(end)) {
      if (!elements.isEmpty()) {
        expect(",");
        if (end.equals("]") && skip(end)) {
          break; // a comma behind the last element
        }
      }
      elements.add(expression());
    }
    return elements;
  }

  private Expression primary() throws PacException {
    Token token = token();
    at++;
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
      throw PacException.at(file, token.line(), e.getMessage());
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
        if (!isNext("RegExp")) {
          throw problem("new " + token().text() + " is not understood here");
        }
        yield primary();
      }
      default -> {
        if (RESERVED.contains(token.text())) {
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
        expect(")");
        yield inner;
      }
      case "[" -> new Expression.ArrayLiteral(list("]"), token.line());
      case "{" -> objectLiteral(token.line());
      default -> throw notUnderstood(token);
    };
  }

  private PacException notUnderstood(Token token) {
    return PacException.at(file, token.line(), token.shown() + " is not understood here");
  }

  private Expression objectLiteral(int line) throws PacException {
    Map<String, Expression> properties = new LinkedHashMap<>();
    while (!skip("}")) {
      if (!properties.isEmpty()) {
        expect(",");
        if (skip("}")) {
          break;
        }
      }
      Token key = token();
      if (key.kind() == Token.Kind.SIGN
          || key.kind() == Token.Kind.END
          || key.kind() == Token.Kind.REGULAR_EXPRESSION) {
        throw problem("expected the name of a property, got " + key.shown());
      }
      at++;
      expect(":");
      properties.put(key.text(), expression());
    }
    return new Expression.ObjectLiteral(properties, line);
  }
}
