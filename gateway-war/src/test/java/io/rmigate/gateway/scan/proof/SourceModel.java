package io.rmigate.gateway.scan.proof;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** The types of a random source file, and what they declare. Confined to one thread. */
final class SourceModel {
  static final List<String> COLLECTIONS =
      List.of("List", "List", "Map", "Set", "Iterator", "AtomicReference");

  static final List<String> FUNCTIONS = List.of("Runnable", "Supplier", "Function", "Comparator");

  /** Superclasses with the methods that have to be there. */
  static final List<String> PLATFORM_CLASSES =
      List.of(
          "AbstractList",
          "AbstractMap",
          "AbstractSet",
          "Number",
          "RuntimeException",
          "ArrayList",
          "HashMap");

  static final List<String> PLATFORM_INTERFACES =
      List.of(
          "Comparable",
          "Comparator",
          "Runnable",
          "Supplier",
          "Function",
          "Iterator",
          "ObjectInputValidation");

  /** What the code of a world may have; of each world only some, so that it stays small. */
  enum Feature {
    ARRAYS,
    CASTS,
    CHANGES,
    COLLECTIONS,
    CONSTRUCTORS,
    INITIALIZERS,
    LAMBDAS,
    LOOPS,
    MADE,
    PLATFORM_PARENTS,
    SIZES,
    STATICS,
    TEXTS
  }

  enum Kind {
    INTERFACE,
    CLASS,
    RECORD,
    ENUM
  }

  record Variable(String owner, String name, String type, String flags) {
    boolean isStatic() {
      return flags.contains("static");
    }

    boolean isFinal() {
      return flags.contains("final");
    }
  }

  /** A method with parameters {@code x} and {@code n}, as far as its form has them. */
  record Callable(String owner, String name, String form, String flags) {
    boolean isStatic() {
      return flags.contains("static");
    }
  }

  static final class Declaration {
    final String name;
    final Kind kind;
    String parent = "";
    final List<String> interfaces = new ArrayList<>();
    final List<Variable> fields = new ArrayList<>();
    final List<Callable> methods = new ArrayList<>();
    boolean hasArgumentConstructor;

    Declaration(String name, Kind kind) {
      this.name = name;
      this.kind = kind;
    }

    boolean declares(String method) {
      return methods.stream().anyMatch(callable -> callable.name().equals(method));
    }
  }

  final Random random;
  private final Set<Feature> features = EnumSet.noneOf(Feature.class);
  final String packageName;
  final Map<String, Declaration> declarations = new LinkedHashMap<>();
  final List<Variable> fields = new ArrayList<>();
  final List<Callable> callables = new ArrayList<>();
  final Map<String, String> layouts = new TreeMap<>();
  int names;
  int sinks;

  SourceModel(long seed, String packageName) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    random.nextInt();
    this.packageName = packageName;
    boolean all = oneIn(8);
    for (Feature feature : Feature.values()) {
      if (all || oneIn(3)) {
        features.add(feature);
      }
    }
  }

  boolean has(Feature feature) {
    return features.contains(feature);
  }

  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  String fresh(String prefix) {
    return prefix + names++;
  }

  /** Names of all types above, and its own. */
  List<String> above(Declaration declaration) {
    List<String> all = new ArrayList<>(List.of(declaration.name));
    for (int i = 0; i < all.size(); i++) {
      Declaration next = declarations.get(all.get(i));
      if (i == 0) {
        next = declaration;
      }
      if (next != null) {
        if (!next.parent.isEmpty()) {
          all.add(next.parent);
        }
        all.addAll(next.interfaces);
      } else {
        switch (all.get(i)) {
          case "AbstractList" -> all.add("List");
          case "ArrayList" -> all.addAll(List.of("List", "Serializable"));
          case "AbstractMap" -> all.add("Map");
          case "HashMap" -> all.addAll(List.of("Map", "Serializable"));
          case "AbstractSet" -> all.add("Set");
          case "Number", "RuntimeException", "Externalizable" -> all.add("Serializable");
          default -> {}
        }
      }
    }
    return all;
  }

  boolean isA(Declaration declaration, String type) {
    return type.equals("Object") || above(declaration).contains(type);
  }

  boolean fits(String type, String wanted) {
    if (type.equals("int") || wanted.equals("int")) {
      return type.equals(wanted);
    }
    Declaration declaration = declarations.get(type);
    return wanted.equals("Object")
        || type.equals(wanted)
        || (declaration != null && isA(declaration, wanted));
  }

  String anyType() {
    return switch (random.nextInt(9)) {
      case 0, 1 -> "Object";
      case 2, 3 -> oneIn(2) ? "int" : "String";
      case 4, 5, 6 -> any(List.copyOf(declarations.keySet()));
      default -> platformType();
    };
  }

  /** A type of the JDK that fits the features. */
  String platformType() {
    List<String> all = new ArrayList<>(List.of("String", "Integer"));
    if (has(Feature.ARRAYS)) {
      all.addAll(List.of("Object[]", "int[]"));
    }
    if (has(Feature.COLLECTIONS)) {
      all.addAll(COLLECTIONS);
    }
    if (has(Feature.LAMBDAS)) {
      all.addAll(FUNCTIONS);
    }
    if (has(Feature.TEXTS)) {
      all.add("StringBuilder");
    }
    return any(all);
  }

  /** What code can see where it stands. */
  static final class Scope {
    final boolean hasThis;
    final List<Variable> variables;
    final String returns;

    Scope(boolean hasThis, List<Variable> variables, String returns) {
      this.hasThis = hasThis;
      this.variables = new ArrayList<>(variables);
      this.returns = returns;
    }

    Scope inner() {
      return new Scope(hasThis, variables, returns);
    }

    Scope lambda(String returned) {
      return new Scope(
          hasThis,
          variables.stream().filter(variable -> !variable.flags().equals("mutable")).toList(),
          returned);
    }

    Scope with(String name, String type) {
      return with(name, type, "");
    }

    Scope with(String name, String type, String flags) {
      variables.add(new Variable("", name, type, flags));
      return this;
    }
  }
}
