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
  private final TokenCursor tokens;
  private final ExpressionParser expressions;
  private final Map<String, Function> functions = new LinkedHashMap<>();

  /** The variables of the function that is being read; null outside functions. */
  private Set<String> variables;

  private Parser(TokenCursor tokens) {
    this.tokens = tokens;
    this.expressions = new ExpressionParser(tokens);
  }

  /** A script: its functions, and the statements outside them. */
  record Script(Map<String, Function> functions, Statement body) {}

  static Script parse(String file, String text) throws PacException {
    return new Parser(new TokenCursor(file, Lexer.read(file, text))).script();
  }

  private Script script() throws PacException {
    List<Statement> statements = new ArrayList<>();
    while (tokens.token().kind() != Token.Kind.END) {
      if (tokens.token().is("function")) {
        function();
      } else {
        statements.add(statement());
      }
    }
    return new Script(functions, new Statement.Block(statements, 1));
  }

  private void function() throws PacException {
    if (variables != null) {
      throw tokens.problem("a function within a function is not understood here");
    }
    tokens.advance();
    String name = tokens.name();
    List<String> parameters = new ArrayList<>();
    tokens.expect("(");
    while (!tokens.skip(")")) {
      if (!parameters.isEmpty()) {
        tokens.expect(",");
      }
      parameters.add(tokens.name());
    }
    variables = new LinkedHashSet<>();
    if (!tokens.isNext("{")) {
      tokens.expect("{");
    }
    Statement body = statement();
    functions.put(name, new Function(name, List.copyOf(parameters), variables, body));
    variables = null;
  }

  private Statement statement() throws PacException {
    tokens.enter();
    try {
      return statementInDepth();
    } finally {
      tokens.leave();
    }
  }

  private Statement statementInDepth() throws PacException {
    int line = tokens.token().line();
    boolean mayBeKeyword =
        tokens.token().kind() == Token.Kind.NAME || tokens.token().kind() == Token.Kind.SIGN;
    return switch (mayBeKeyword ? tokens.token().text() : "") {
      case "{" -> {
        tokens.advance();
        yield block(line);
      }
      case ";" -> {
        tokens.advance();
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
        tokens.advance();
        Expression condition = inBrackets();
        yield loop(Optional.of(condition), statement(), false, line);
      }
      case "do" -> {
        tokens.advance();
        Statement body = statement();
        tokens.expect("while");
        Expression condition = inBrackets();
        tokens.skip(";");
        yield loop(Optional.of(condition), body, true, line);
      }
      case "switch" -> switchStatement(line);
      case "return" -> {
        tokens.advance();
        Optional<Expression> value =
            statementEndsHere() ? Optional.empty() : Optional.of(expressions.expression());
        endOfStatement();
        yield new Statement.Return(value, line);
      }
      case "break", "continue" -> {
        Completion completion = tokens.isNext("break") ? Completion.BREAK : Completion.CONTINUE;
        tokens.advance();
        endOfStatement();
        yield new Statement.Jump(completion, line);
      }
      case "function" ->
          throw tokens.problem("a function within a function is not understood here");
      default -> {
        Expression expression = expressions.expression();
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
    while (!tokens.skip("}")) {
      if (tokens.token().kind() == Token.Kind.END) {
        throw tokens.problem(
            "expected '}' for the '{' of line " + line + ", got the end of the file");
      }
      statements.add(statement());
    }
    return new Statement.Block(statements, line);
  }

  private boolean statementEndsHere() {
    return tokens.isNext(";")
        || tokens.isNext("}")
        || tokens.token().kind() == Token.Kind.END
        || tokens.token().afterNewline();
  }

  private void endOfStatement() throws PacException {
    if (!statementEndsHere()) {
      throw tokens.problem("expected ';', got " + tokens.token().shown());
    }
    tokens.skip(";");
  }

  private Expression inBrackets() throws PacException {
    tokens.expect("(");
    Expression expression = expressions.expression();
    tokens.expect(")");
    return expression;
  }

  /** Without the semicolon. */
  private Statement declaration() throws PacException {
    int line = tokens.token().line();
    tokens.advance();
    List<Statement> assignments = new ArrayList<>();
    do {
      int nameLine = tokens.token().line();
      String name = declared();
      Expression value =
          tokens.skip("=")
              ? expressions.expression()
              : new Expression.Literal(EmptyValue.UNDEFINED, nameLine);
      assignments.add(
          new Statement.Effect(
              new Expression.Assignment(new Expression.Name(name, nameLine), "", value, nameLine),
              nameLine));
    } while (tokens.skip(","));
    return new Statement.Block(assignments, line);
  }

  private String declared() throws PacException {
    String name = tokens.name();
    if (variables != null) {
      variables.add(name);
    }
    return name;
  }

  private Statement ifStatement(int line) throws PacException {
    List<Statement.Branch> branches = new ArrayList<>();
    do {
      tokens.expect("if");
      Expression condition = inBrackets();
      branches.add(new Statement.Branch(condition, statement()));
      if (!tokens.skip("else")) {
        return new Statement.If(branches, Optional.empty(), line);
      }
    } while (tokens.isNext("if"));
    return new Statement.If(branches, Optional.of(statement()), line);
  }

  private Statement forStatement(int line) throws PacException {
    tokens.advance();
    tokens.expect("(");
    boolean declares = tokens.isNext("var") || tokens.isNext("let") || tokens.isNext("const");
    Token each = tokens.ahead(declares ? 2 : 1);
    if (each.is("in") || each.is("of")) {
      if (declares) {
        tokens.advance();
      }
      String name = declares ? declared() : tokens.name();
      tokens.advance();
      Expression of = expressions.expression();
      tokens.expect(")");
      return new Statement.ForEach(name, each.is("of"), of, statement(), line);
    }
    Statement before = new Statement.Block(List.of(), line);
    if (declares) {
      before = declaration();
    } else if (!tokens.isNext(";")) {
      before = new Statement.Effect(expressions.expression(), line);
    }
    tokens.expect(";");
    Optional<Expression> condition =
        tokens.isNext(";") ? Optional.empty() : Optional.of(expressions.expression());
    tokens.expect(";");
    Optional<Expression> after =
        tokens.isNext(")") ? Optional.empty() : Optional.of(expressions.expression());
    tokens.expect(")");
    return new Statement.Loop(before, condition, after, statement(), false, line);
  }

  private Statement switchStatement(int line) throws PacException {
    tokens.advance();
    Expression of = inBrackets();
    tokens.expect("{");
    List<Statement.Case> cases = new ArrayList<>();
    while (!tokens.skip("}")) {
      Optional<Expression> value = Optional.empty();
      if (!tokens.skip("default")) {
        tokens.expect("case");
        value = Optional.of(expressions.expression());
      }
      tokens.expect(":");
      List<Statement> statements = new ArrayList<>();
      while (!tokens.isNext("case") && !tokens.isNext("default") && !tokens.isNext("}")) {
        statements.add(statement());
      }
      cases.add(new Statement.Case(value, statements));
    }
    return new Statement.Switch(of, cases, line);
  }
}
