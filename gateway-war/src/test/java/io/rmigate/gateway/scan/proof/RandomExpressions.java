package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.SourceModel.Callable;
import io.rmigate.gateway.scan.proof.SourceModel.Declaration;
import io.rmigate.gateway.scan.proof.SourceModel.Feature;
import io.rmigate.gateway.scan.proof.SourceModel.Kind;
import io.rmigate.gateway.scan.proof.SourceModel.Scope;
import io.rmigate.gateway.scan.proof.SourceModel.Variable;
import java.util.ArrayList;
import java.util.List;

/** Writes expressions of the types that a {@link SourceModel} has. */
abstract class RandomExpressions {
  private static final int MOST_NESTED = 3;

  final SourceModel model;

  /** The type in which the code stands. */
  final Declaration self;

  /** Statements that may still be written. */
  int room;

  /** In the body of an enum's constant, which sees no private methods of the enum. */
  boolean inConstant;

  /** Where static fields of the type are not there yet. */
  boolean inConstructor;

  RandomExpressions(SourceModel model, Declaration self) {
    this.model = model;
    this.self = self;
  }

  /** Lambdas and anonymous classes around what is written. */
  private int nested;

  abstract String block(Scope scope, int depth);

  String small() {
    return Integer.toString(model.random.nextInt(2));
  }

  String condition(int depth, Scope scope) {
    switch (model.random.nextInt(model.has(Feature.COLLECTIONS) ? 11 : 7)) {
      case 0 -> {
        return of("Object", depth, scope) + " == null";
      }
      case 1 -> {
        return ("(Object) " + of("Object", depth, scope) + " instanceof ")
            + model.any(List.copyOf(model.declarations.keySet()));
      }
      case 2 -> {
        return of("int", depth, scope) + " == 0";
      }
      case 3 -> {
        return of("int", depth, scope) + " > " + small();
      }
      case 4 -> {
        return of("Object", depth, scope) + ".equals(" + of("Object", depth, scope) + ")";
      }
      case 5 -> {
        return ("Objects.equals(" + of("Object", depth, scope) + ", ")
            + (of("Object", depth, scope) + ")");
      }
      case 6 -> {
        return of("String", depth, scope) + ".isEmpty()";
      }
      case 7 -> {
        return of("List", depth, scope) + ".contains(" + of("Object", depth, scope) + ")";
      }
      case 8 -> {
        return of("Set", depth, scope) + ".add(" + of("Object", depth, scope) + ")";
      }
      case 9 -> {
        return of("Map", depth, scope) + ".containsKey(" + of("Object", depth, scope) + ")";
      }
      default -> {
        String all = model.any(List.of("List", "Map", "Set"));
        return "!" + of(all, depth, scope) + ".isEmpty()";
      }
    }
  }

  /** Names of what is there and has a type. */
  private List<String> named(String type, Scope scope) {
    List<String> all = new ArrayList<>();
    for (Variable variable : scope.variables) {
      if (model.fits(variable.type(), type)) {
        all.add(variable.name());
      }
    }
    for (Variable field : model.fields) {
      boolean visible =
          (model.isA(self, field.owner()) && (scope.hasThis || field.isStatic()))
              || (field.isStatic() && model.oneIn(3));
      boolean tooEarly = inConstructor && field.isStatic() && field.owner().equals(self.name);
      if (visible && !tooEarly && model.fits(field.type(), type)) {
        String place = field.isStatic() ? field.owner() + "." : "this.";
        String name = place + field.name();
        all.add(name);
        if (!field.isStatic()) {
          all.add(name);
        }
      }
    }
    return all;
  }

  /** An expression of a type. */
  String of(String type, int depth, Scope scope) {
    if (type.equals("int")) {
      return number(depth, scope);
    }
    List<String> named = named(type, scope);
    if (!named.isEmpty() && (depth <= 0 || !model.oneIn(4))) {
      return model.any(named);
    }
    if (depth > 0
        && !type.equals("Object")
        && !inConstructor
        && model.oneIn(model.has(Feature.CASTS) ? 3 : 6)) {
      return cast(type, depth, scope);
    }
    Declaration declaration = model.declarations.get(type);
    if (declaration != null) {
      return ofDeclared(declaration, depth, scope);
    }
    return switch (type) {
      case "Object" -> object(depth, scope);
      case "Object[]" ->
          model.oneIn(3)
              ? "(new Object[" + small() + " + 1])"
              : "(new Object[] {" + of("Object", depth - 1, scope) + ", null})";
      case "int[]" -> "new int[] {1, 2}";
      case "List" -> list(depth, scope);
      case "Map" ->
          model.oneIn(3)
              ? "new HashMap(Map.of(\"k\", " + of("Object", depth - 1, scope) + "))"
              : model.any(List.of("new HashMap()", "new TreeMap()", "new LinkedHashMap()"));
      case "Set" ->
          model.oneIn(3)
              ? "new HashSet(Arrays.asList(" + of("Object", depth - 1, scope) + "))"
              : "new HashSet()";
      case "Iterator" -> of("List", depth - 1, scope) + ".iterator()";
      case "StringBuilder" -> "new StringBuilder()";
      case "AtomicReference" -> "new AtomicReference()";
      case "Integer" -> "((Integer) (" + number(depth - 1, scope) + "))";
      case "String" -> text(depth, scope);
      default -> lambda(type, depth, scope);
    };
  }

  String cast(String type, int depth, Scope scope) {
    String value = of("Object", depth - 1, scope);
    if (model.oneIn(2)) {
      String name = model.fresh("q");
      return "((Object) " + value + " instanceof " + type + " " + name + " ? " + name + " : null)";
    }
    return "((" + type + ") (Object) " + value + ")";
  }

  private String ofDeclared(Declaration declaration, int depth, Scope scope) {
    return switch (declaration.kind) {
      case ENUM ->
          inConstructor && declaration == self
              ? "((" + declaration.name + ") null)"
              : declaration.name + (model.oneIn(2) ? ".A" : ".B");
      case RECORD -> {
        List<String> given =
            declaration.fields.stream()
                .filter(field -> !field.isStatic())
                .map(field -> depth > 0 ? of(field.type(), depth - 1, scope) : plain(field))
                .toList();
        yield model.has(Feature.MADE) || model.oneIn(3)
            ? "new " + declaration.name + "(" + String.join(", ", given) + ")"
            : "((" + declaration.name + ") (Object) " + of("Object", 0, scope) + ")";
      }
      case CLASS ->
          declaration.hasArgumentConstructor && depth > 0 && model.oneIn(2)
              ? "new " + declaration.name + "(" + of("Object", depth - 1, scope) + ")"
              : model.has(Feature.MADE) || model.oneIn(3)
                  ? "new " + declaration.name + "()"
                  : "((" + declaration.name + ") (Object) " + of("Object", 0, scope) + ")";
      case INTERFACE -> {
        List<Declaration> ofIt =
            model.declarations.values().stream()
                .filter(other -> other != declaration && model.isA(other, declaration.name))
                .toList();
        if (!ofIt.isEmpty() && (model.oneIn(2) || depth <= 0)) {
          yield ofDeclared(model.any(ofIt), depth, scope);
        }
        yield depth <= 0
            ? "((" + declaration.name + ") null)"
            : lambda(declaration.name, depth, scope);
      }
    };
  }

  private static String plain(Variable field) {
    return field.type().equals("int") ? "0" : "null";
  }

  private String list(int depth, Scope scope) {
    String one = depth > 0 ? of("Object", depth - 1, scope) : "\"e\"";
    return switch (model.random.nextInt(7)) {
      case 0 -> "((List) Arrays.asList(" + one + ", null))";
      case 1 -> "((List) List.of(" + one + "))";
      case 2 -> "new ArrayList(Arrays.asList(" + one + "))";
      case 3 -> "((List) Collections.singletonList(" + one + "))";
      case 4 ->
          model.oneIn(2) && depth > 0
              ? "((List) Collections.nCopies(" + number(1, scope) + ", " + one + "))"
              : "new LinkedList()";
      default -> "new ArrayList()";
    };
  }

  private String text(int depth, Scope scope) {
    if (depth <= 0) {
      return "\"t\"";
    }
    String one = of("Object", depth - 1, scope);
    return switch (model.random.nextInt(model.has(Feature.TEXTS) ? 6 : 3)) {
      case 0 -> one + ".toString()";
      case 1 -> "String.valueOf((Object) " + one + ")";
      case 2 -> "(\"a\" + " + one + ")";
      case 3 -> "String.format(\"%s\", (Object) " + one + ")";
      case 4 -> model.oneIn(3) ? "\"ab\".repeat(" + number(1, scope) + ")" : "\"t\"";
      default -> "\"t\"";
    };
  }

  private String object(int depth, Scope scope) {
    if (depth <= 0) {
      boolean made = model.has(Feature.MADE) && model.oneIn(2);
      return scope.hasThis && model.oneIn(2) ? "this" : made ? "new Object()" : "\"t\"";
    }
    boolean collections = model.has(Feature.COLLECTIONS);
    switch (model.random.nextInt(18)) {
      case 0, 1 -> {
        if (model.has(Feature.ARRAYS)) {
          return of("Object[]", depth - 1, scope) + "[" + small() + "]";
        }
      }
      case 2 -> {
        if (collections) {
          return of("List", depth - 1, scope) + ".get(" + small() + ")";
        }
      }
      case 3 -> {
        if (collections) {
          return of("Map", depth - 1, scope) + ".get(" + of("Object", depth - 1, scope) + ")";
        }
      }
      case 4 -> {
        if (model.has(Feature.LAMBDAS)) {
          return of("Supplier", depth - 1, scope) + ".get()";
        }
      }
      case 5 -> {
        if (model.has(Feature.LAMBDAS)) {
          return of("Function", depth - 1, scope)
              + (".apply(" + of("Object", depth - 1, scope) + ")");
        }
      }
      case 6, 7 -> {
        List<Variable> its =
            model.fields.stream().filter(f -> !f.isStatic() && !f.type().equals("int")).toList();
        if (!its.isEmpty()) {
          Variable field = model.any(its);
          boolean ofRecord = model.declarations.get(field.owner()).kind == Kind.RECORD;
          return of(field.owner(), depth - 1, scope)
              + ("." + field.name() + (ofRecord ? "()" : ""));
        }
      }
      case 8 -> {
        return ("(" + condition(depth - 1, scope) + " ? (Object) ")
            + (of("Object", depth - 1, scope) + " : " + of("Object", depth - 1, scope) + ")");
      }
      case 9 -> {
        return "Integer.valueOf(" + number(depth - 1, scope) + ")";
      }
      case 10, 11, 12 -> {
        return call(depth, scope, true);
      }
      case 13 -> {
        return of(model.platformType(), depth - 1, scope);
      }
      case 14 -> {
        if (collections && model.has(Feature.LAMBDAS)) {
          return of("Map", depth - 1, scope)
              + (".computeIfAbsent(" + of("Object", depth - 1, scope) + ", ")
              + (of("Function", depth - 1, scope) + ")");
        }
      }
      case 15 -> {
        if (collections) {
          return model.oneIn(2)
              ? of("List", depth - 1, scope) + ".iterator().next()"
              : of("AtomicReference", depth - 1, scope) + ".get()";
        }
      }
      default -> {}
    }
    return of(model.any(List.copyOf(model.declarations.keySet())), depth - 1, scope);
  }

  String number(int depth, Scope scope) {
    List<String> named = named("int", scope);
    if (!named.isEmpty() && !model.oneIn(3)) {
      return model.any(named);
    }
    if (depth <= 0) {
      return small();
    }
    switch (model.random.nextInt(16)) {
      case 0 -> {
        if (model.has(Feature.ARRAYS)) {
          return of("Object[]", depth - 1, scope) + ".length";
        }
      }
      case 1, 2 -> {
        if (model.has(Feature.COLLECTIONS)) {
          String all = model.any(List.of("List", "Map", "Set"));
          return of(all, depth - 1, scope) + ".size()";
        }
      }
      case 3 -> {
        return of("Object", depth - 1, scope) + ".hashCode()";
      }
      case 4 -> {
        return "(" + number(depth - 1, scope) + " + " + number(depth - 1, scope) + ")";
      }
      case 5 -> {
        return "(" + number(depth - 1, scope) + " * " + number(depth - 1, scope) + ")";
      }
      case 6 -> {
        return "(" + number(depth - 1, scope) + " & " + (model.oneIn(2) ? "7)" : "0xFFFFFF)");
      }
      case 7 -> {
        return "Math.min(" + number(depth - 1, scope) + (model.oneIn(2) ? ", 5)" : ", 9000000)");
      }
      case 8 -> {
        return "(" + number(depth - 1, scope) + " - 1)";
      }
      case 9 -> {
        return ("Objects.hash(" + of("Object", depth - 1, scope) + ", ")
            + (of("Object", depth - 1, scope) + ")");
      }
      case 10 -> {
        if (model.has(Feature.LAMBDAS)) {
          return of("Comparator", depth - 1, scope)
              + (".compare(" + of("Object", depth - 1, scope) + ", ")
              + (of("Object", depth - 1, scope) + ")");
        }
      }
      case 11 -> {
        return of("Integer", depth - 1, scope) + ".intValue()";
      }
      case 12 -> {
        List<Callable> counts =
            model.callables.stream().filter(c -> c.name().equals("count")).toList();
        if (!counts.isEmpty()) {
          return invoked(model.any(counts), depth, scope);
        }
      }
      case 13 -> {
        return "Objects.hashCode(" + of("Object", depth - 1, scope) + ")";
      }
      case 14 -> {
        if (scope.hasThis && self.kind == Kind.CLASS) {
          return "super.hashCode()";
        }
      }
      default -> {}
    }
    return Integer.toString(model.random.nextInt(4));
  }

  String call(int depth, Scope scope, boolean wantsObject) {
    List<Callable> fitting =
        model.callables.stream()
            .filter(c -> !wantsObject || c.form().startsWith("Object("))
            .filter(c -> !c.name().equals("finalize"))
            .filter(
                c ->
                    !c.flags().equals("private")
                        || (c.owner().equals(self.name) && scope.hasThis && !inConstant))
            .toList();
    if (!fitting.isEmpty() && !model.oneIn(4)) {
      return invoked(model.any(fitting), depth, scope);
    }
    boolean functions = model.has(Feature.LAMBDAS);
    if (wantsObject) {
      return functions ? of("Supplier", depth - 1, scope) + ".get()" : of("Object", 0, scope);
    }
    String target = of("Object", depth, scope);
    return switch (model.random.nextInt(functions ? 7 : 4)) {
      case 0 -> target + ".hashCode()";
      case 1 -> target + ".equals(" + of("Object", depth - 1, scope) + ")";
      case 2 -> target + ".toString()";
      case 6 -> of("Runnable", depth, scope) + ".run()";
      case 4 -> of("Supplier", depth, scope) + ".get()";
      case 5 -> of("Function", depth, scope) + ".apply(" + of("Object", depth - 1, scope) + ")";
      default ->
          ("((Comparable) (Object) " + target + ").compareTo(")
              + (of("Object", depth - 1, scope) + ")");
    };
  }

  private String invoked(Callable method, int depth, Scope scope) {
    List<String> given = new ArrayList<>();
    String types =
        method.form().substring(method.form().indexOf('(') + 1, method.form().length() - 1);
    for (String type : types.isEmpty() ? new String[0] : types.split(",", -1)) {
      given.add((type.equals("Object") ? "(Object) " : "") + of(type, depth - 1, scope));
    }
    String target =
        method.isStatic()
            ? method.owner()
            : method.flags().equals("private") ? "this" : of(method.owner(), depth - 1, scope);
    return target + "." + method.name() + "(" + String.join(", ", given) + ")";
  }

  /** An object of an interface, made on the spot if the world has such objects. */
  private String lambda(String type, int depth, Scope scope) {
    Declaration declaration = model.declarations.get(type);
    boolean hasNone = !model.has(Feature.LAMBDAS) && !model.has(Feature.MADE);
    if (nested == MOST_NESTED || hasNone) {
      return "((" + type + ") null)";
    }
    nested++;
    String code = made(type, declaration, depth, scope);
    nested--;
    return code;
  }

  private String made(String type, Declaration declaration, int depth, Scope scope) {
    if (!model.has(Feature.LAMBDAS)) {
      return declaration == null ? "((" + type + ") null)" : inner(declaration, scope);
    }
    long open =
        declaration == null
            ? 1
            : declaration.methods.stream().filter(m -> m.flags().equals("abstract")).count();
    if (declaration != null && (open > 1 || model.oneIn(3))) {
      return inner(declaration, scope);
    }
    if (model.oneIn(6)) {
      String target = of(model.any(List.copyOf(model.declarations.keySet())), depth - 1, scope);
      switch (type) {
        case "Supplier" -> {
          return "((Supplier) " + target + "::" + model.any(List.of("toString", "hashCode")) + ")";
        }
        case "Function" -> {
          return "((Function) Object::" + model.any(List.of("toString", "hashCode")) + ")";
        }
        default -> {}
      }
    }
    String form =
        switch (type) {
          case "Runnable" -> "void()";
          case "Supplier" -> "Object()";
          case "Comparator" -> "int(Object,Object)";
          default -> "Object(Object)";
        };
    int arguments = form.endsWith("()") ? 0 : form.contains(",") ? 2 : 1;
    Scope inner = scope.lambda(form.substring(0, form.indexOf('(')));
    List<String> parameters = new ArrayList<>();
    for (int i = 0; i < arguments; i++) {
      parameters.add(model.fresh("p"));
    }
    parameters.forEach(name -> inner.with(name, "Object"));
    room++;
    String code = block(inner, 1);
    String end = inner.returns.equals("void") ? "" : "return " + of(inner.returns, 1, inner) + "; ";
    return "((" + type + ") (" + String.join(", ", parameters) + ") -> { " + code + end + "})";
  }

  /** An anonymous class. */
  private String inner(Declaration declaration, Scope scope) {
    StringBuilder code = new StringBuilder("new " + declaration.name + "() { Object own; ");
    for (Callable method : declaration.methods) {
      if (method.flags().equals("abstract")) {
        room++;
        boolean number = method.form().equals("int(int)");
        String name = model.fresh("p");
        Scope inner = scope.lambda("Object").with(name, number ? "int" : "Object");
        String returned = number ? "int" : "Object";
        code.append("public ").append(returned).append(' ').append(method.name());
        code.append(number ? "(int " : "(Object ").append(name).append(") { ");
        code.append(model.oneIn(2) && !number ? "own = " + name + "; " : "");
        code.append(block(anonymous(inner), 1));
        code.append("return ").append(of(returned, 1, anonymous(inner))).append("; } ");
      }
    }
    return code.append('}').toString();
  }

  /** Without {@code this}, which means another object there. */
  private static Scope anonymous(Scope scope) {
    return new Scope(false, scope.variables, scope.returns);
  }
}
