package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.SourceModel.Callable;
import io.rmigate.gateway.scan.proof.SourceModel.Declaration;
import io.rmigate.gateway.scan.proof.SourceModel.Feature;
import io.rmigate.gateway.scan.proof.SourceModel.Kind;
import io.rmigate.gateway.scan.proof.SourceModel.Variable;
import java.util.List;
import java.util.Map;

/**
 * Writes Java sources of a few classes that use what the language and the collections of the JDK
 * offer: lambdas, enums, records, inner and abstract classes, readers of streams. The same seed
 * gives the same text.
 */
final class RandomSources {
  /**
   * Classes in a package of their own.
   *
   * @param text a source file
   * @param layouts by class, what its reader reads of the stream: {@code I} a number, {@code O} an
   *     object, {@code L} as many objects as the last number says
   */
  record Source(String packageName, String text, Map<String, String> layouts) {}

  private final SourceModel model;

  private RandomSources(SourceModel model) {
    this.model = model;
  }

  static Source of(long seed) {
    String name = "w" + seed;
    SourceModel model = new SourceModel(seed, name);
    String text = new RandomSources(model).write();
    return new Source(name, text, model.layouts);
  }

  private String write() {
    model.sinks = model.random.nextInt(3);
    int interfaceCount = model.random.nextInt(2);
    for (int i = 0; i < interfaceCount; i++) {
      declareInterface("I" + i);
    }
    int classCount = 1 + model.random.nextInt(3);
    for (int i = 0; i < classCount; i++) {
      declareClass("C" + i, i);
    }
    if (model.oneIn(3)) {
      declareRecord("R0");
    }
    if (model.oneIn(3)) {
      declareEnum("E0");
    }
    model.declarations.values().forEach(this::addFields);
    StringBuilder text = new StringBuilder("package " + model.packageName + ";\n");
    text.append("import java.io.*;\nimport java.util.*;\nimport java.util.concurrent.atomic.*;\n");
    text.append("import java.util.function.*;\n");
    for (Declaration declaration : model.declarations.values()) {
      text.append(new RandomTypes(model, declaration).write());
    }
    return text.toString();
  }

  private void add(Declaration declaration, String name, String form, String flags) {
    Callable callable = new Callable(declaration.name, name, form, flags);
    declaration.methods.add(callable);
    model.callables.add(callable);
  }

  private void declareInterface(String name) {
    Declaration declaration = new Declaration(name, Kind.INTERFACE);
    if (model.oneIn(4)) {
      declaration.interfaces.add("Serializable");
    }
    add(declaration, "step" + name.substring(1), "Object(Object)", "abstract");
    if (model.oneIn(3)) {
      add(declaration, "other" + name.substring(1), "Object(Object)", "default");
      add(declaration, "aid", "Object(Object)", "private");
    }
    if (model.oneIn(4)) {
      add(declaration, "count", "int(int)", "abstract");
    }
    if (model.oneIn(4)) {
      add(declaration, "make", "Object(Object)", "static");
    }
    model.declarations.put(name, declaration);
  }

  private void declareClass(String name, int index) {
    Declaration declaration = new Declaration(name, Kind.CLASS);
    List<String> above =
        model.declarations.values().stream()
            .filter(other -> other.kind == Kind.CLASS)
            .map(other -> other.name)
            .toList();
    if (!above.isEmpty() && model.oneIn(3)) {
      declaration.parent = model.any(above);
    } else if (model.has(Feature.PLATFORM_PARENTS) && model.oneIn(4)) {
      declaration.parent = model.any(SourceModel.PLATFORM_CLASSES);
    }
    boolean serializable = model.isA(declaration, "Serializable");
    if (!serializable && !model.oneIn(4)) {
      declaration.interfaces.add(model.oneIn(8) ? "Externalizable" : "Serializable");
    }
    List<String> parents =
        model.declarations.values().stream()
            .filter(other -> other.kind == Kind.INTERFACE)
            .map(other -> other.name)
            .toList();
    if (!parents.isEmpty() && model.oneIn(2)) {
      declaration.interfaces.add(model.any(parents));
    }
    if (model.oneIn(4)) {
      String offered = model.any(SourceModel.PLATFORM_INTERFACES);
      if (!model.isA(declaration, offered)) {
        declaration.interfaces.add(offered);
      }
    }
    declaration.hasArgumentConstructor = model.has(Feature.MADE) && model.oneIn(3);
    model.declarations.put(name, declaration);
    required(declaration);
    offered(declaration, index);
  }

  private void declareRecord(String name) {
    Declaration declaration = new Declaration(name, Kind.RECORD);
    declaration.interfaces.add("Serializable");
    addInterface(declaration);
    model.declarations.put(name, declaration);
    required(declaration);
    offered(declaration, 0);
  }

  private void declareEnum(String name) {
    Declaration declaration = new Declaration(name, Kind.ENUM);
    addInterface(declaration);
    model.declarations.put(name, declaration);
    required(declaration);
    offered(declaration, 0);
    declaration.methods.removeIf(method -> isFinalInEnums(method.name()));
  }

  private static boolean isFinalInEnums(String name) {
    return List.of("hashCode", "equals", "compareTo", "finalize").contains(name);
  }

  private void addInterface(Declaration declaration) {
    List<String> parents =
        model.declarations.values().stream()
            .filter(other -> other.kind == Kind.INTERFACE)
            .map(other -> other.name)
            .toList();
    if (!parents.isEmpty() && model.oneIn(2)) {
      declaration.interfaces.add(model.any(parents));
    }
  }

  /** Methods that have to be there, unless a superclass has them. */
  private void required(Declaration declaration) {
    for (String type : model.above(declaration)) {
      Declaration other = model.declarations.get(type);
      if (other != null && other.kind == Kind.INTERFACE) {
        for (Callable method : List.copyOf(other.methods)) {
          if (method.flags().equals("abstract") && !inherits(declaration, method.name())) {
            add(declaration, method.name(), method.form(), "public");
          }
        }
      }
      switch (type) {
        case "AbstractList" -> {
          require(declaration, "get", "Object(int)");
          require(declaration, "size", "int()");
        }
        case "AbstractSet" -> {
          require(declaration, "iterator", "Iterator()");
          require(declaration, "size", "int()");
        }
        case "AbstractMap" -> require(declaration, "entrySet", "Set()");
        case "Number" -> {
          require(declaration, "intValue", "int()");
          require(declaration, "longValue", "long()");
          require(declaration, "floatValue", "float()");
          require(declaration, "doubleValue", "double()");
        }
        case "Comparable" -> require(declaration, "compareTo", "int(Object)");
        case "Comparator" -> require(declaration, "compare", "int(Object,Object)");
        case "Runnable" -> require(declaration, "run", "void()");
        case "ObjectInputValidation" -> require(declaration, "validateObject", "void()");
        case "Supplier" -> require(declaration, "get", "Object()");
        case "Function" -> require(declaration, "apply", "Object(Object)");
        case "Iterator" -> {
          require(declaration, "hasNext", "boolean()");
          require(declaration, "next", "Object()");
        }
        default -> {}
      }
    }
  }

  private boolean inherits(Declaration declaration, String method) {
    return model.above(declaration).stream()
        .map(model.declarations::get)
        .anyMatch(
            other ->
                other != null
                    && other.kind != Kind.INTERFACE
                    && other.declares(method)
                    && other.methods.stream()
                        .anyMatch(its -> its.name().equals(method) && isOpen(its)));
  }

  private static boolean isOpen(Callable method) {
    return !method.flags().equals("private");
  }

  private void require(Declaration declaration, String name, String form) {
    boolean there =
        model.above(declaration).stream()
            .map(model.declarations::get)
            .anyMatch(
                other ->
                    other != null
                        && other.kind != Kind.INTERFACE
                        && other.methods.stream()
                            .anyMatch(its -> its.name().equals(name) && its.form().equals(form)));
    if (!there) {
      add(declaration, name, form, "public");
    }
  }

  /** Methods that a class may have. */
  private void offered(Declaration declaration, int index) {
    offer(declaration, 5, "hashCode", "int()");
    offer(declaration, 8, "equals", "boolean(Object)");
    offer(declaration, 8, "toString", "String()");
    offer(declaration, 12, "finalize", "void()");
    offer(declaration, 4, "take", "Object(Object)");
    offer(declaration, 6, "touch", "void()");
    offer(declaration, 8, "close", "boolean()");
    offer(declaration, 8, "count", "int(int)");
    if (model.isA(declaration, "RuntimeException")) {
      offer(declaration, 2, "getMessage", "String()");
    }
    if (model.isA(declaration, "ArrayList")) {
      offer(declaration, 2, "size", "int()");
    }
    if (model.oneIn(4)) {
      boolean inherited =
          model.above(declaration).stream()
              .map(model.declarations::get)
              .anyMatch(other -> other != null && other != declaration && other.declares("help"));
      add(declaration, "help", "Object(Object)", inherited ? "public" : "private");
    }
    if (model.oneIn(4)) {
      add(declaration, "util" + index + declaration.name, "Object(Object,int)", "static");
    }
  }

  private void offer(Declaration declaration, int times, String name, String form) {
    if (model.oneIn(times) && !declaration.declares(name)) {
      add(declaration, name, form, "public");
    }
  }

  private void addFields(Declaration declaration) {
    boolean ofInterface = declaration.kind == Kind.INTERFACE;
    int count = ofInterface ? 0 : model.random.nextInt(4);
    for (int i = 0; i < count; i++) {
      String flags = declaration.kind == Kind.RECORD || model.oneIn(4) ? "final" : "";
      add(declaration, new Variable(declaration.name, model.fresh("f"), model.anyType(), flags));
    }
    if (!ofInterface && declaration.kind != Kind.RECORD && model.oneIn(3)) {
      add(declaration, new Variable(declaration.name, model.fresh("f"), "int", ""));
    }
    if (model.has(Feature.STATICS) && model.oneIn(ofInterface ? 3 : 2)) {
      String flags = ofInterface || !model.oneIn(4) ? "static final" : "static";
      String type = model.anyType();
      add(declaration, new Variable(declaration.name, model.fresh("S"), type, flags));
    }
  }

  private void add(Declaration declaration, Variable field) {
    declaration.fields.add(field);
    model.fields.add(field);
  }
}
