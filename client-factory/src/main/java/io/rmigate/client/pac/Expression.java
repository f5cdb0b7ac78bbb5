package io.rmigate.client.pac;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An expression of a script, which has a value. */
sealed interface Expression {
  int line();

  /** To be called through {@link Evaluation.Frame#evaluate}, which counts. */
  Object evaluate(Evaluation.Frame frame) throws IOException;

  /** An expression that can stand to the left of {@code =}. */
  sealed interface Place extends Expression {
    void assign(Evaluation.Frame frame, Object value) throws IOException;
  }

  /** A value that is written in the script. */
  record Literal(Object value, int line) implements Expression {
    @Override
    public Object evaluate(Evaluation.Frame frame) {
      return value;
    }
  }

  /** A variable or function. */
  record Name(String name, int line) implements Place {
    @Override
    public Object evaluate(Evaluation.Frame frame) throws PacException {
      Object value = frame.find(name);
      if (value == null) {
        throw frame.run().problem(line, name + " is not known here");
      }
      return value;
    }

    @Override
    public void assign(Evaluation.Frame frame, Object value) {
      frame.assign(name, value);
    }
  }

  /** {@code [a, b]}. */
  record ArrayLiteral(List<Expression> elements, int line) implements Expression {
    @Override
    public Object evaluate(Evaluation.Frame frame) throws IOException {
      List<Object> values = new ArrayList<>();
      for (Expression element : elements) {
        values.add(frame.evaluate(element));
      }
      return values;
    }
  }

  /** <code>{a: b}</code>. */
  record ObjectLiteral(Map<String, Expression> properties, int line) implements Expression {
    @Override
    public Object evaluate(Evaluation.Frame frame) throws IOException {
      Map<String, Object> values = new LinkedHashMap<>();
      for (Map.Entry<String, Expression> property : properties.entrySet()) {
        values.put(property.getKey(), frame.evaluate(property.getValue()));
      }
      return values;
    }
  }

  /** {@code a.name} and {@code a[key]}. */
  record Member(Expression of, Expression key, int line) implements Place {
    @Override
    public Object evaluate(Evaluation.Frame frame) throws IOException {
      Budget budget = frame.run().budget;
      return BuiltInMethods.get(
          budget, frame.evaluate(of), budget.text(frame.evaluate(key), line), line);
    }

    @Override
    public void assign(Evaluation.Frame frame, Object value) throws IOException {
      Budget budget = frame.run().budget;
      BuiltInMethods.put(
          budget, frame.evaluate(of), budget.text(frame.evaluate(key), line), value, line);
    }
  }

  /** {@code f(a)} and {@code a.f(b)}. */
  record Call(Expression function, List<Expression> arguments, int line) implements Expression {
    @Override
    public Object evaluate(Evaluation.Frame frame) throws IOException {
      if (function instanceof Member member) {
        Object of = frame.evaluate(member.of);
        String name = frame.run().budget.text(frame.evaluate(member.key), line);
        return BuiltInMethods.call(frame.run().budget, of, name, values(frame), line);
      }
      if (frame.evaluate(function) instanceof Callable callable) {
        return callable.call(frame.run(), values(frame), line);
      }
      throw frame.run().problem(line, "calls something that is not a function");
    }

    private List<Object> values(Evaluation.Frame frame) throws IOException {
      List<Object> values = new ArrayList<>();
      for (Expression argument : arguments) {
        values.add(frame.evaluate(argument));
      }
      return values;
    }
  }

  /** {@code !}, {@code -}, {@code +}, {@code ~} and {@code typeof}. */
  record Unary(String sign, Expression of, int line) implements Expression {
    @Override
    public Object evaluate(Evaluation.Frame frame) throws IOException {
      if (sign.equals("typeof") && of instanceof Name name && frame.find(name.name) == null) {
        return "undefined";
      }
      Object value = frame.evaluate(of);
      return switch (sign) {
        case "!" -> !Coercion.isTrue(value);
        case "-" -> -Coercion.number(value);
        case "+" -> Coercion.number(value);
        case "~" -> (double) ~Coercion.int32(value);
        case "typeof" -> Coercion.typeOf(value);
        default -> throw new AssertionError(sign);
      };
    }
  }

  /** {@code ++} and {@code --}, before or behind. */
  record Step(Place place, int by, boolean before, int line) implements Expression {
    @Override
    public Object evaluate(Evaluation.Frame frame) throws IOException {
      double old = Coercion.number(frame.evaluate(place));
      place.assign(frame, old + by);
      return before ? old + by : old;
    }
  }

  /**
   * {@code =}, {@code +=}, {@code -=}.
   *
   * @param sign the operator before the {@code =}, or empty
   */
  record Assignment(Place place, String sign, Expression value, int line) implements Expression {
    @Override
    public Object evaluate(Evaluation.Frame frame) throws IOException {
      Object assigned = frame.evaluate(value);
      if (!sign.isEmpty()) {
        assigned = Operators.apply(frame.run().budget, sign, frame.evaluate(place), assigned, line);
      }
      place.assign(frame, assigned);
      return assigned;
    }
  }

  /** {@code a ? b : c}. */
  record Conditional(Expression condition, Expression then, Expression otherwise, int line)
      implements Expression {
    @Override
    public Object evaluate(Evaluation.Frame frame) throws IOException {
      return frame.evaluate(Coercion.isTrue(frame.evaluate(condition)) ? then : otherwise);
    }
  }

  /** An operator and the operand to its right. */
  record Link(String sign, Expression operand) {}

  /** Operands with operators of the same rank between them: files have hundreds in a row. */
  record Chain(Expression first, List<Link> links, int line) implements Expression {
    @Override
    public Object evaluate(Evaluation.Frame frame) throws IOException {
      Object value = frame.evaluate(first);
      for (Link link : links) {
        boolean decided =
            (link.sign.equals("||") && Coercion.isTrue(value))
                || (link.sign.equals("&&") && !Coercion.isTrue(value));
        if (!decided) {
          Object operand = frame.evaluate(link.operand);
          value =
              link.sign.equals("||") || link.sign.equals("&&")
                  ? operand
                  : Operators.apply(
                      frame.run().budget, link.sign, value, operand, link.operand.line());
        }
      }
      return value;
    }
  }
}
