package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.SourceModel.Declaration;
import io.rmigate.gateway.scan.proof.SourceModel.Feature;
import io.rmigate.gateway.scan.proof.SourceModel.Scope;
import io.rmigate.gateway.scan.proof.SourceModel.Variable;
import java.util.List;

/** Writes statements. */
abstract class RandomStatements extends RandomExpressions {
  private static final String SINK = "System.setProperty(\"rmigate.test.fired\", \"true\");";

  RandomStatements(SourceModel model, Declaration self) {
    super(model, self);
  }

  @Override
  String block(Scope scope, int depth) {
    StringBuilder code = new StringBuilder();
    int count = 1 + model.random.nextInt(2);
    for (int i = 0; i < count && room > 0; i++) {
      room--;
      code.append(tried(statement(scope, depth))).append(' ');
    }
    return code.toString();
  }

  /** Many values do not fit: what comes next often has to be reached nevertheless. */
  private String tried(String statement) {
    boolean declares = statement.matches("(?s)[\\w\\[\\]]+ [av]\\d+ = .*");
    return declares || !model.has(Feature.LOOPS) || !model.oneIn(2)
        ? statement
        : "try { " + statement + " } catch (RuntimeException " + model.fresh("ex") + ") { }";
  }

  private String nested(Scope scope, int depth) {
    return "{ " + block(scope.inner(), depth + 1) + "}";
  }

  private String statement(Scope scope, int depth) {
    switch (model.random.nextInt(22)) {
      case 0 -> {
        if (model.sinks > 0 && model.oneIn(2)) {
          model.sinks--;
          return SINK;
        }
      }
      case 1, 2 -> {
        if (depth < 2) {
          room += 1;
          String other = model.oneIn(2) ? " else " + nested(scope, depth) : "";
          return "if (" + condition(2, scope) + ") " + nested(scope, depth) + other;
        }
      }
      case 3, 4 -> {
        List<Variable> open = model.fields.stream().filter(f -> !f.isFinal()).toList();
        List<Variable> own =
            open.stream().filter(f -> !f.isStatic() && model.isA(self, f.owner())).toList();
        if (scope.hasThis && !own.isEmpty() && !model.oneIn(3)) {
          Variable field = model.any(own);
          return field.name() + " = " + of(field.type(), 2, scope) + ";";
        }
        boolean changes = model.has(Feature.CHANGES);
        List<Variable> others =
            !changes
                ? List.of()
                : open.stream().filter(f -> !f.isStatic() || model.oneIn(6)).toList();
        if (!others.isEmpty()) {
          Variable field = model.any(others);
          String target = field.isStatic() ? field.owner() : of(field.owner(), 1, scope);
          return target + "." + field.name() + " = " + of(field.type(), 1, scope) + ";";
        }
      }
      case 5 -> {
        if (depth < 2 && model.has(Feature.LOOPS)) {
          room += 1;
          String name = model.fresh("i");
          Scope inner = scope.inner().with(name, "int", "mutable");
          return "for (int "
              + name
              + " = 0; "
              + name
              + " < "
              + of("int", 1, scope)
              + "; "
              + name
              + "++) { "
              + block(inner, depth + 1)
              + "}";
        }
      }
      case 6 -> {
        if (depth < 2 && model.has(Feature.LOOPS)) {
          room += 1;
          String name = model.fresh("e");
          Scope inner = scope.inner().with(name, "Object");
          String all = model.has(Feature.COLLECTIONS) ? "List" : "Object[]";
          return "for (Object "
              + name
              + " : "
              + of(all, 1, scope)
              + ") { "
              + block(inner, depth + 1)
              + "}";
        }
      }
      case 7 -> {
        if (depth < 2 && model.has(Feature.LOOPS)) {
          room += 1;
          String name = model.fresh("t");
          String start =
              model.oneIn(2) ? of("List", 1, scope) + ".iterator()" : of("Iterator", 1, scope);
          Scope inner = scope.inner().with(name, "Iterator");
          return "for (Iterator "
              + name
              + " = "
              + start
              + "; "
              + name
              + ".hasNext(); ) { Object "
              + name
              + "v = "
              + name
              + ".next(); "
              + block(inner.with(name + "v", "Object"), depth + 1)
              + "}";
        }
      }
      case 8 -> {
        if (depth < 2) {
          String name = model.fresh("ex");
          Scope inner = scope.inner().with(name, "RuntimeException");
          return "try "
              + nested(scope, depth)
              + " catch (RuntimeException "
              + name
              + ") { "
              + (model.oneIn(2) ? block(inner, depth + 1) : "")
              + "}";
        }
      }
      case 9, 10 -> {
        String name = model.fresh("v");
        String type = model.oneIn(2) ? "Object" : model.anyType();
        String value = of(type, 2, scope);
        scope.with(name, type);
        return type + " " + name + " = " + value + ";";
      }
      case 11 -> {
        if (model.has(Feature.ARRAYS))
          return of("Object[]", 1, scope) + "[" + small() + "] = " + of("Object", 2, scope) + ";";
      }
      case 12, 13 -> {
        if (model.has(Feature.COLLECTIONS)) return change(scope);
      }
      case 14 -> {
        List<Variable> numbers =
            model.fields.stream()
                .filter(f -> !f.isStatic() && !f.isFinal() && f.type().equals("int"))
                .filter(f -> model.isA(self, f.owner()))
                .toList();
        if (scope.hasThis && !numbers.isEmpty() && model.has(Feature.CHANGES)) {
          return model.any(numbers).name()
              + (model.oneIn(2) ? "++;" : " += " + of("int", 1, scope) + ";");
        }
      }
      case 15 -> {
        if (model.has(Feature.SIZES)) {
          return "int[] " + model.fresh("a") + " = new int[" + of("int", 2, scope) + "];";
        }
      }
      case 16 -> {
        String doubled = call(1, scope, false);
        return model.oneIn(2) ? doubled + "; " + doubled + ";" : doubled + ";";
      }
      case 17 -> {
        if (model.oneIn(3)) {
          List<String> thrown =
              model.declarations.values().stream()
                  .filter(other -> model.isA(other, "RuntimeException"))
                  .map(other -> other.name)
                  .toList();
          String failure =
              thrown.isEmpty() ? "new IllegalStateException()" : of(model.any(thrown), 1, scope);
          return "if (" + condition(1, scope) + ") throw " + failure + ";";
        }
      }
      default -> {}
    }
    return call(2, scope, false) + ";";
  }

  /** A call that changes a collection, or that makes a large thing. */
  private String change(Scope scope) {
    return switch (model.random.nextInt(18)) {
      case 0, 1, 2 -> of("List", 1, scope) + ".add(" + of("Object", 1, scope) + ");";
      case 3, 4 ->
          of("Map", 1, scope)
              + (".put(" + of("Object", 1, scope) + ", " + of("Object", 1, scope) + ");");
      case 5 -> of("Set", 1, scope) + ".add(" + of("Object", 1, scope) + ");";
      case 6 -> of("List", 1, scope) + ".sort(" + of("Comparator", 1, scope) + ");";
      case 7 -> "Collections.sort(" + of("List", 1, scope) + ");";
      case 8 -> of("List", 1, scope) + ".clear();";
      case 9 -> of("List", 1, scope) + ".addAll(" + of("List", 1, scope) + ");";
      case 10 -> of("Map", 1, scope) + ".putAll(" + of("Map", 1, scope) + ");";
      case 11 -> of("StringBuilder", 1, scope) + ".append(" + of("Object", 1, scope) + ");";
      case 12 -> of("AtomicReference", 1, scope) + ".set(" + of("Object", 1, scope) + ");";
      case 13 ->
          of("Map", 1, scope)
              + (".computeIfAbsent(" + of("Object", 1, scope) + ", ")
              + (of("Function", 1, scope) + ");");
      case 14 -> "new ArrayList(" + of("int", 1, scope) + ");";
      case 15 -> "new " + model.any(List.of("HashMap(", "HashSet(")) + of("int", 1, scope) + ");";
      case 16 -> of("List", 1, scope) + ".forEach(" + consumer(scope) + ");";
      default -> of("List", 1, scope) + ".removeIf(" + predicate(scope) + ");";
    };
  }

  private String consumer(Scope scope) {
    if (model.oneIn(3)) {
      return of(model.any(List.of("List", "Set")), 1, scope) + "::add";
    }
    String name = model.fresh("p");
    Scope inner = scope.lambda("void").with(name, "Object");
    return name + " -> { " + block(inner, 1) + "}";
  }

  private String predicate(Scope scope) {
    String name = model.fresh("p");
    Scope inner = scope.lambda("boolean").with(name, "Object");
    return name + " -> { " + block(inner, 1) + "return " + condition(1, inner) + "; }";
  }
}
