package io.rmigate.soap.type;

import io.rmigate.soap.type.Construction.None;
import io.rmigate.soap.type.PropertyFinder.Found;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gives each type of the signatures of one contract its shape, by the rules of MAPPING.md. The same
 * type always gets the same shape. Runs no code of the published classes. Confined to one thread.
 */
public final class Shapes {
  /** Nested type arguments, so that a type that contains itself enlarged comes to an end. */
  private static final int MAX_TYPE_DEPTH = 8;

  /** Properties of every exception, left out because they would show the server's code. */
  private static final Set<String> MACHINERY =
      Set.of("cause", "stackTrace", "suppressed", "localizedMessage");

  private final Map<Class<?>, List<Class<?>>> implementations;
  private Known known = new Known();

  /** Collections and maps of which the elements are just being looked at. */
  private final Set<ResolvedType> open = new HashSet<>();

  /**
   * @param implementations the classes that may stand where the key is declared, in addition to
   *     what is sealed
   */
  public Shapes(Map<Class<?>, List<Class<?>>> implementations) {
    this.implementations = Map.copyOf(implementations);
  }

  /**
   * The shape of a type.
   *
   * @throws UnmappableTypeException it has none; nothing of it is kept
   */
  public Shape of(ResolvedType type) throws UnmappableTypeException {
    return keepingOnlyWhatSucceeds(() -> shape(type));
  }

  /**
   * The shape of an exception: its message, and what its own class and published superclasses show.
   * It can only be shown, never made.
   *
   * @throws UnmappableTypeException a property of it has no shape
   */
  public Structure ofException(Class<?> type) throws UnmappableTypeException {
    return keepingOnlyWhatSucceeds(() -> exception(ResolvedType.of(type)));
  }

  /**
   * Refuses what could be shown but not made: types of arguments must be both.
   *
   * @throws UnmappableTypeException a structure in it cannot be made
   */
  public void mustBeMakeable(Shape shape) throws UnmappableTypeException {
    mustBeMakeable(shape, new HashSet<>());
  }

  /** The named shapes of a schema: structures, choices and enums, in the order they were found. */
  public List<Shape> named() {
    return List.copyOf(known.named.values());
  }

  /** The remote interfaces that were met, in that order. */
  public List<Class<?>> references() {
    return known.shapes.values().stream()
        .filter(Reference.class::isInstance)
        .<Class<?>>map(Shape::javaType)
        .toList();
  }

  /** The shapes that were found so far. */
  private static final class Known {
    /** Shape of each declared type. */
    final Map<ResolvedType, Shape> shapes = new LinkedHashMap<>();

    /** Structure of each class, which may also be one alternative of a choice. */
    final Map<ResolvedType, Structure> structures = new LinkedHashMap<>();

    /** Structures, choices, enums and references by their labels. */
    final Map<String, Shape> named = new LinkedHashMap<>();

    Known copy() {
      Known copy = new Known();
      copy.shapes.putAll(shapes);
      copy.structures.putAll(structures);
      copy.named.putAll(named);
      return copy;
    }

    /** The wished label, or the first numbered one that is free. */
    String free(String wished) {
      String label = wished;
      for (int i = 2; named.containsKey(label); i++) {
        label = wished + i;
      }
      return label;
    }

    <S extends Shape> S name(S shape) {
      named.put(shape.label(), shape);
      return shape;
    }
  }

  private interface Search<S> {
    S run() throws UnmappableTypeException;
  }

  /** A structure that turns out unmappable may already be part of others, which go with it. */
  private <S> S keepingOnlyWhatSucceeds(Search<S> search) throws UnmappableTypeException {
    Known before = known.copy();
    Known after = before;
    try {
      S found = search.run();
      after = known;
      return found;
    } finally {
      known = after;
    }
  }

  private Shape shape(ResolvedType type) throws UnmappableTypeException {
    Shape found = known.shapes.get(type);
    if (found != null) {
      return found;
    }
    if (type.depth() > MAX_TYPE_DEPTH) {
      throw new UnmappableTypeException(
          type + " is nested too deep", "use types without growing arguments");
    }
    if (isContainer(type.raw()) && !open.add(type)) {
      throw new UnmappableTypeException(
          type + " is its own element", "put a class with a property of this type between");
    }
    try {
      Shape made = make(type);
      known.shapes.put(type, made);
      return made;
    } finally {
      open.remove(type);
    }
  }

  private Shape make(ResolvedType type) throws UnmappableTypeException {
    Class<?> raw = type.raw();
    Optional<Scalar> scalar = Scalars.of(raw);
    if (scalar.isPresent()) {
      return scalar.get();
    }
    if (raw == byte[].class) {
      return Binary.BYTES;
    }
    if (raw.isEnum()) {
      return enumeration(raw);
    }
    if (raw.isArray()) {
      return new Sequence(raw, part("element", type.arguments().get(0)), false, () -> List.of());
    }
    if (isContainer(raw)) {
      return Map.class.isAssignableFrom(raw) ? dictionary(type) : collection(type);
    }
    if (Remote.class.isAssignableFrom(raw)) {
      return reference(raw);
    }
    return structureOrChoice(type);
  }

  private static boolean isContainer(Class<?> raw) {
    return Collection.class.isAssignableFrom(raw)
        || raw == Iterable.class
        || Map.class.isAssignableFrom(raw);
  }

  private Shape part(String place, ResolvedType type) throws UnmappableTypeException {
    try {
      return shape(type);
    } catch (UnmappableTypeException e) {
      throw e.at(place);
    }
  }

  private Enumeration enumeration(Class<?> raw) {
    List<String> constants =
        Stream.of(raw.getDeclaredFields())
            .filter(field -> field.isEnumConstant())
            .map(field -> field.getName())
            .toList();
    return known.name(new Enumeration(raw, known.free(raw.getSimpleName()), constants));
  }

  private Sequence collection(ResolvedType type) throws UnmappableTypeException {
    ResolvedType element =
        type.as(Iterable.class).map(t -> argument(t, 0)).orElseThrow(AssertionError::new);
    return new Sequence(
        type.raw(),
        part("element", element),
        Set.class.isAssignableFrom(type.raw()),
        Containers.collection(type.raw(), element));
  }

  private Dictionary dictionary(ResolvedType type) throws UnmappableTypeException {
    if (Properties.class == type.raw()) {
      Shape text = shape(ResolvedType.of(String.class));
      return new Dictionary(type.raw(), text, text, Properties::new);
    }
    ResolvedType map = type.as(Map.class).orElseThrow(AssertionError::new);
    ResolvedType key = argument(map, 0);
    return new Dictionary(
        type.raw(),
        part("key", key),
        part("value", argument(map, 1)),
        Containers.map(type.raw(), key));
  }

  private static ResolvedType argument(ResolvedType type, int index) {
    return type.arguments().isEmpty() ? ResolvedType.of(Object.class) : type.arguments().get(index);
  }

  private Reference reference(Class<?> raw) throws UnmappableTypeException {
    if (!raw.isInterface()) {
      throw new UnmappableTypeException(
          raw.getName() + " is the class of a remote object, of which only references cross",
          "declare its remote interface");
    }
    if (!ResolvedType.isPublished(raw)) {
      throw new UnmappableTypeException(
          raw.getName() + " is a remote interface of the JDK, which is not published",
          "declare a remote interface of your own");
    }
    return known.name(new Reference(raw, known.free(raw.getSimpleName())));
  }

  private Shape structureOrChoice(ResolvedType type) throws UnmappableTypeException {
    Class<?> raw = type.raw();
    List<Class<?>> alternatives = new ArrayList<>();
    collect(raw, new HashSet<>(), alternatives);
    if (alternatives.isEmpty()) {
      throw new UnmappableTypeException(
          isAnything(raw)
              ? raw.getName() + " says nothing about what may come"
              : raw.getName() + " is abstract",
          "declare the class that it is, or configure implementations of " + raw.getName());
    }
    if (alternatives.size() > 1) {
      return choice(type, alternatives);
    }
    Class<?> only = alternatives.get(0);
    return only == raw ? structure(type) : shape(ResolvedType.of(only));
  }

  private static boolean isAnything(Class<?> raw) {
    return raw == Object.class || raw == Serializable.class || raw == Comparable.class;
  }

  /** All classes that can stand for one: itself, its configured and its permitted subclasses. */
  private void collect(Class<?> raw, Set<Class<?>> seen, List<Class<?>> alternatives) {
    if (!seen.add(raw)) {
      return;
    }
    if (!Modifier.isAbstract(raw.getModifiers()) && raw != Object.class) {
      alternatives.add(raw);
    }
    implementations.getOrDefault(raw, List.of()).forEach(c -> collect(c, seen, alternatives));
    if (raw.isSealed()) {
      Stream.of(raw.getPermittedSubclasses()).forEach(c -> collect(c, seen, alternatives));
    }
  }

  private Choice choice(ResolvedType type, List<Class<?>> alternatives)
      throws UnmappableTypeException {
    Choice choice =
        known.name(new Choice(type.raw(), known.free("Any" + type.raw().getSimpleName())));
    known.shapes.put(type, choice);
    List<Structure> structures = new ArrayList<>();
    for (Class<?> alternative : alternatives) {
      structures.add(structure(alternative == type.raw() ? type : ResolvedType.of(alternative)));
    }
    choice.complete(structures);
    return choice;
  }

  private Structure structure(ResolvedType type) throws UnmappableTypeException {
    Structure found = known.structures.get(type);
    if (found != null) {
      return found;
    }
    Class<?> raw = type.raw();
    if (!ResolvedType.isPublished(raw)) {
      throw new UnmappableTypeException(
          raw.getName() + " is a class of the JDK that has no mapping",
          "use a String, or a bean or record of your own");
    }
    if (Throwable.class.isAssignableFrom(raw)) {
      throw new UnmappableTypeException(
          raw.getName() + " is an exception, which is no value", "declare it in a throws clause");
    }
    if (!Serializable.class.isAssignableFrom(raw)) {
      throw new UnmappableTypeException(
          raw.getName() + " is not java.io.Serializable, so RMI cannot carry it",
          "let it implement java.io.Serializable");
    }
    Structure structure = known.name(new Structure(raw, known.free(label(type))));
    known.structures.put(type, structure);
    List<Property> properties = properties(type, PropertyFinder.of(type));
    structure.complete(properties, Constructions.of(raw, properties));
    return structure;
  }

  private Structure exception(ResolvedType type) throws UnmappableTypeException {
    Structure earlier = known.structures.get(type);
    if (earlier != null) {
      return earlier;
    }
    Structure structure = known.name(new Structure(type.raw(), known.free(label(type))));
    known.structures.put(type, structure);
    List<Found> found =
        PropertyFinder.of(type).stream().filter(p -> !MACHINERY.contains(p.name())).toList();
    List<Property> properties = new ArrayList<>();
    if (found.stream().noneMatch(p -> p.name().equals("message"))) {
      properties.add(message());
    }
    properties.addAll(properties(type, found));
    structure.complete(
        properties, new None(type.raw().getName() + " is an exception", "declare a value"));
    return structure;
  }

  private Property message() throws UnmappableTypeException {
    try {
      return new Property(
          "message",
          shape(ResolvedType.of(String.class)),
          Throwable.class.getMethod("getMessage"),
          Optional.empty(),
          true,
          false);
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  private List<Property> properties(ResolvedType type, List<Found> found)
      throws UnmappableTypeException {
    List<Property> properties = new ArrayList<>();
    for (Found one : found) {
      String place = type.raw().getSimpleName() + "." + one.name();
      properties.add(one.with(part(place, one.type())));
    }
    return properties;
  }

  /** {@code PageOfPerson} for {@code Page<Person>}. */
  private static String label(ResolvedType type) {
    String name = type.raw().getSimpleName().replace("[]", "Array");
    if (type.raw().isArray() || type.arguments().isEmpty()) {
      return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
    return name
        + type.arguments().stream().map(Shapes::label).collect(Collectors.joining("And", "Of", ""));
  }

  private static void mustBeMakeable(Shape shape, Set<Shape> seen) throws UnmappableTypeException {
    if (!seen.add(shape)) {
      return;
    }
    if (shape instanceof Sequence sequence) {
      mustBeMakeable(sequence.element(), seen);
    } else if (shape instanceof Dictionary dictionary) {
      mustBeMakeable(dictionary.key(), seen);
      mustBeMakeable(dictionary.value(), seen);
    } else if (shape instanceof Choice choice) {
      for (Structure alternative : choice.alternatives()) {
        mustBeMakeable(alternative, seen);
      }
    } else if (shape instanceof Structure structure) {
      if (structure.construction() instanceof None none) {
        throw new UnmappableTypeException(none.reason(), none.remedy());
      }
      for (Property property : structure.properties()) {
        if (structure.takes(property)) {
          mustBeMakeable(property.shape(), seen);
        }
      }
    }
  }
}
