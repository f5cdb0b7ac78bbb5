package io.rmigate.gateway.scan.proof;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A few classes with the syntax tree of their code: {@link ClassWorldFiles} makes class files of
 * them, {@link MessageSearch} runs them. Confined to one thread.
 */
final class ClassWorld {
  static final String OBJECT = "java/lang/Object";
  static final String SERIALIZABLE = "java/io/Serializable";
  static final String COMPARABLE = "java/lang/Comparable";
  static final String COMPARATOR = "java/util/Comparator";

  /** The type of a field that holds an array of objects. */
  static final String ARRAY = "[Ljava/lang/Object;";

  /** The type of a field that holds a number. */
  static final String INT = "I";

  /** A class or an interface. */
  record WorldType(
      String name,
      boolean isInterface,
      String superName,
      List<String> interfaces,
      List<Field> fields,
      List<Method> methods) {
    Optional<Method> method(String name) {
      return methods.stream().filter(method -> method.name().equals(name)).findFirst();
    }
  }

  /**
   * A field.
   *
   * @param type internal name, {@link #ARRAY} or {@link #INT}
   * @param initial the class of the object that the static initializer stores, empty for none
   */
  record Field(String owner, String name, String type, boolean isStatic, String initial) {}

  /** A method; its descriptor says what it takes and returns. */
  record Method(
      String owner,
      String name,
      String descriptor,
      boolean isStatic,
      boolean isAbstract,
      List<Statement> body) {}

  /** An expression whose value is a reference. */
  sealed interface Expression {}

  record This() implements Expression {}

  /** A parameter, from 0. */
  record Argument(int index) implements Expression {}

  record Local(int index) implements Expression {}

  record Null() implements Expression {}

  record Read(Expression target, Field field) implements Expression {}

  record ReadStatic(Field field) implements Expression {}

  record Element(Expression array) implements Expression {}

  record Cast(Expression value, String type) implements Expression {}

  record New(String type) implements Expression {}

  record NewArray(Expression element) implements Expression {}

  /** The next object of the stream, in {@code readObject}. */
  record NextObject() implements Expression {}

  /** Of {@code owner}, to which the target is cast; as a statement it may return a number. */
  record Call(
      Expression target,
      String owner,
      boolean ofInterface,
      String name,
      String descriptor,
      List<Expression> arguments)
      implements Expression {}

  record CallStatic(String owner, String name, String descriptor, List<Expression> arguments)
      implements Expression {}

  /** What an {@link If} looks at. */
  sealed interface Condition {}

  record InstanceOf(Expression value, String type) implements Condition {}

  record IsNull(Expression value) implements Condition {}

  /** Of a number of this object. */
  record IsZero(Field field) implements Condition {}

  /** A statement. */
  sealed interface Statement {}

  /** Does harm. */
  record Fire(Sink sink) implements Statement {}

  record Write(Expression target, Field field, Expression value) implements Statement {}

  record WriteStatic(Field field, Expression value) implements Statement {}

  record WriteElement(Expression array, Expression value) implements Statement {}

  /** To the local variable of that index. */
  record Assign(int local, Expression value) implements Statement {}

  record Evaluate(Expression value) implements Statement {}

  record If(Condition condition, List<Statement> then, List<Statement> otherwise)
      implements Statement {}

  /** Goes on where the body throws. */
  record Try(List<Statement> body) implements Statement {}

  record Return(Expression value) implements Statement {}

  /** Kinds of harm, all of which are known. */
  enum Sink {
    PROPERTY,
    CLASS,
    PROCESS,
    THREAD,
    FILE,
    NAMING,
    METHOD,
    NATIVE_LIBRARY,
    STREAM,
    ARRAY_SIZE
  }

  /** By internal name, in order. */
  private final Map<String, WorldType> types = new LinkedHashMap<>();

  private final Map<String, Set<String>> ancestors = new HashMap<>();
  private final Map<String, Optional<Method>> found = new HashMap<>();

  ClassWorld(List<WorldType> types) {
    types.forEach(type -> this.types.put(type.name(), type));
  }

  Collection<WorldType> types() {
    return types.values();
  }

  WorldType type(String name) {
    return types.get(name);
  }

  boolean has(String name) {
    return types.containsKey(name);
  }

  /** A type with all that it extends and implements, those of the JDK too; nearest first. */
  Set<String> ancestors(String name) {
    return ancestors.computeIfAbsent(name, this::allAbove);
  }

  private Set<String> allAbove(String name) {
    Set<String> all = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(name));
    while (!open.isEmpty()) {
      String next = open.remove();
      if (all.add(next) && types.containsKey(next)) {
        open.add(type(next).superName());
        open.addAll(type(next).interfaces());
      }
    }
    return all;
  }

  boolean isA(String name, String ancestor) {
    return ancestor.equals(OBJECT) || ancestors(name).contains(ancestor);
  }

  boolean isSerializable(String name) {
    return isA(name, SERIALIZABLE);
  }

  /** The method that a call on an object of that class runs; empty for one of the JDK. */
  Optional<Method> find(String type, String name) {
    return found.computeIfAbsent(type + "." + name, key -> search(type, name));
  }

  private Optional<Method> search(String type, String name) {
    for (String next = type; has(next); next = type(next).superName()) {
      Optional<Method> own = type(next).method(name);
      if (own.isPresent()) {
        return own;
      }
    }
    return ancestors(type).stream()
        .filter(this::has)
        .map(this::type)
        .filter(WorldType::isInterface)
        .flatMap(ancestor -> ancestor.method(name).stream())
        .filter(method -> !method.isAbstract())
        .findFirst();
  }

  /** The types as text, for a failed test. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (WorldType type : types()) {
      text.append(type.isInterface() ? "interface " : "class ").append(type.name());
      text.append(" extends ").append(type.superName()).append(' ').append(type.interfaces());
      text.append('\n');
      type.fields().forEach(field -> text.append("  ").append(field).append('\n'));
      for (Method method : type.methods()) {
        text.append("  ").append(method.name()).append(method.descriptor()).append('\n');
        method.body().forEach(line -> text.append("    ").append(line).append('\n'));
      }
    }
    return text.toString();
  }
}
