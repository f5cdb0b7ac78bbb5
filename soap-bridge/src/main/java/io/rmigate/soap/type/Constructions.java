package io.rmigate.soap.type;

import io.rmigate.soap.type.Construction.ByConstructor;
import io.rmigate.soap.type.Construction.None;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds out how a class can be made so that none of its state is lost: a record by its canonical
 * constructor; a bean without parameters and by setters; an immutable class by a constructor whose
 * parameters are named like its properties.
 */
final class Constructions {
  private final Class<?> type;
  private final List<Property> properties;

  private Constructions(Class<?> type, List<Property> properties) {
    this.type = type;
    this.properties = properties;
  }

  static Construction of(Class<?> type, List<Property> properties) {
    return new Constructions(type, properties).find();
  }

  private Construction find() {
    if (type.isRecord()) {
      return canonical();
    }
    if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
      return new None(type.getName() + " is an inner class", "declare it static");
    }
    Optional<ByConstructor> bean = withoutParameters();
    return bean.filter(way -> losesNothing(p -> p.sink().isPresent()))
        .or(this::withParameters)
        .or(() -> bean.filter(way -> losesNothing(way::takes)))
        .<Construction>map(way -> way)
        .orElseGet(this::none);
  }

  private Construction canonical() {
    RecordComponent[] components = type.getRecordComponents();
    try {
      return way(
          type.getDeclaredConstructor(
              Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new)),
          Stream.of(components).map(RecordComponent::getName).toList());
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  private Optional<ByConstructor> withoutParameters() {
    try {
      return Optional.of(way(type.getDeclaredConstructor(), List.of()));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }

  private Optional<ByConstructor> withParameters() {
    ClassFacts facts = ClassFacts.of(type);
    return Stream.of(type.getDeclaredConstructors())
        .filter(c -> Modifier.isPublic(c.getModifiers()) && c.getParameterCount() > 0)
        .sorted(
            Comparator.comparingInt((Constructor<?> c) -> -c.getParameterCount())
                .thenComparing(Constructor::toString))
        .flatMap(c -> facts.parameterNames(c).map(names -> way(c, names)).stream())
        .filter(way -> matches(way) && losesNothing(way::takes))
        .findFirst();
  }

  private boolean matches(ByConstructor way) {
    Class<?>[] types = way.constructor().getParameterTypes();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < types.length; i++) {
      String name = way.properties().get(i);
      Class<?> wanted = types[i];
      if (!seen.add(name)
          || properties.stream()
              .noneMatch(p -> p.name().equals(name) && p.shape().javaType() == wanted)) {
        return false;
      }
    }
    return true;
  }

  private boolean losesNothing(Predicate<Property> hasWayIn) {
    return properties.stream().filter(Property::state).allMatch(hasWayIn);
  }

  private ByConstructor way(Constructor<?> constructor, List<String> names) {
    constructor.setAccessible(true);
    return new ByConstructor(constructor, names);
  }

  private None none() {
    List<String> lost =
        properties.stream()
            .filter(p -> p.state() && p.sink().isEmpty())
            .map(Property::name)
            .toList();
    return new None(
        type.getName()
            + " cannot be made: "
            + (lost.isEmpty()
                ? "no constructor fits its properties"
                : "nothing sets " + String.join(", ", lost)),
        "make it a record, give it a constructor without parameters and setters, or compile with"
            + " -parameters a public constructor whose parameters are named like its properties");
  }
}
