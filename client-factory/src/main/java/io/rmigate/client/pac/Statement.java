package io.rmigate.client.pac;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A statement of a script. */
sealed interface Statement {
  int line();

  /** To be called through {@link Evaluation.Frame#execute}, which counts. */
  Completion execute(Evaluation.Frame frame) throws IOException;

  /** Statements one after the other. */
  record Block(List<Statement> statements, int line) implements Statement {
    @Override
    public Completion execute(Evaluation.Frame frame) throws IOException {
      for (Statement statement : statements) {
        Completion completion = frame.execute(statement);
        if (!completion.is(Completion.Kind.NORMAL)) {
          return completion;
        }
      }
      return Completion.NORMAL;
    }
  }

  /** An expression that is evaluated for its effect. */
  record Effect(Expression expression, int line) implements Statement {
    @Override
    public Completion execute(Evaluation.Frame frame) throws IOException {
      frame.evaluate(expression);
      return Completion.NORMAL;
    }
  }

  /** {@code return}. */
  record Return(Optional<Expression> value, int line) implements Statement {
    @Override
    public Completion execute(Evaluation.Frame frame) throws IOException {
      return Completion.returning(
          value.isEmpty() ? EmptyValue.UNDEFINED : frame.evaluate(value.get()));
    }
  }

  /** {@code break} or {@code continue}. */
  record Jump(Completion completion, int line) implements Statement {
    @Override
    public Completion execute(Evaluation.Frame frame) {
      return completion;
    }
  }

  /** One condition, and the statement that it guards. */
  record Branch(Expression condition, Statement then) {}

  /** {@code if}, with all its {@code else if}: files have hundreds in a row. */
  record If(List<Branch> branches, Optional<Statement> otherwise, int line) implements Statement {
    @Override
    public Completion execute(Evaluation.Frame frame) throws IOException {
      for (Branch branch : branches) {
        if (Coercion.isTrue(frame.evaluate(branch.condition))) {
          return frame.execute(branch.then);
        }
      }
      return otherwise.isEmpty() ? Completion.NORMAL : frame.execute(otherwise.get());
    }
  }

  /**
   * {@code for}, {@code while} and {@code do}.
   *
   * @param bodyFirst whether the condition is looked at behind the body first
   */
  record Loop(
      Statement before,
      Optional<Expression> condition,
      Optional<Expression> after,
      Statement body,
      boolean bodyFirst,
      int line)
      implements Statement {
    @Override
    public Completion execute(Evaluation.Frame frame) throws IOException {
      frame.execute(before);
      boolean asked = bodyFirst;
      while (asked || condition.isEmpty() || Coercion.isTrue(frame.evaluate(condition.get()))) {
        asked = false;
        Completion completion = frame.execute(body);
        if (completion.is(Completion.Kind.BREAK)) {
          break;
        }
        if (completion.is(Completion.Kind.RETURN)) {
          return completion;
        }
        if (after.isPresent()) {
          frame.evaluate(after.get());
        }
      }
      return Completion.NORMAL;
    }
  }

  /** {@code for … in}, over names or indexes, and {@code for … of}, over elements. */
  record ForEach(String name, boolean elements, Expression of, Statement body, int line)
      implements Statement {
    @Override
    public Completion execute(Evaluation.Frame frame) throws IOException {
      Object all = frame.evaluate(of);
      List<?> values = List.of();
      boolean indexes = false;
      if (all instanceof Map<?, ?> map) {
        frame.run().budget.spend(map.size(), line);
        values = new ArrayList<Object>(elements ? map.values() : map.keySet());
      } else if (all instanceof List<?> list) {
        values = list; // which never gets shorter
        indexes = !elements;
      }
      int size = values.size();
      for (int i = 0; i < size; i++) {
        frame.assign(name, indexes ? Integer.toString(i) : values.get(i));
        Completion completion = frame.execute(body);
        if (completion.is(Completion.Kind.BREAK)) {
          break;
        }
        if (completion.is(Completion.Kind.RETURN)) {
          return completion;
        }
      }
      return Completion.NORMAL;
    }
  }

  /**
   * One {@code case}.
   *
   * @param value empty: {@code default}
   */
  record Case(Optional<Expression> value, List<Statement> statements) {}

  /** {@code switch}. */
  record Switch(Expression of, List<Case> cases, int line) implements Statement {
    @Override
    public Completion execute(Evaluation.Frame frame) throws IOException {
      Object value = frame.evaluate(of);
      int start = -1;
      for (int i = 0; i < cases.size() && start < 0; i++) {
        Optional<Expression> candidate = cases.get(i).value;
        if (candidate.isPresent() && Coercion.isSame(value, frame.evaluate(candidate.get()))) {
          start = i;
        }
      }
      for (int i = 0; i < cases.size() && start < 0; i++) {
        start = cases.get(i).value.isEmpty() ? i : -1;
      }
      for (int i = Math.max(0, start); i < cases.size() && start >= 0; i++) {
        for (Statement statement : cases.get(i).statements) {
          Completion completion = frame.execute(statement);
          if (completion.is(Completion.Kind.BREAK)) {
            return Completion.NORMAL;
          }
          if (!completion.is(Completion.Kind.NORMAL)) {
            return completion;
          }
        }
      }
      return Completion.NORMAL;
    }
  }
}
