package io.rmigate.soap.type;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds what a class shows: the components of a record; else public fields, getters and accessors
 * named like a field, without what is transient. Runs nothing of the class.
 */
final class PropertyFinder {

  /** A property whose type has no shape yet. */
  record Found(
      String name,
      ResolvedType type,
      Member source,
      Optional<Member> sink,
      boolean state,
      boolean filled,
      int place) {

    Property with(Shape shape) {
      return new Property(name, shape, source, sink, state, filled);
    }
  }

  private final ResolvedType type;
  private final ClassFacts facts;

  /** All non-static fields that RMI carries, and null for fields that it does not carry. */
  private final Map<String, Field> fields = new HashMap<>();

  private PropertyFinder(ResolvedType type) {
    this.type = type;
    facts = ClassFacts.of(type.raw());
  }

  /**
   * The properties, those of published superclasses first; an overriding one takes the other's
   * place.
   */
  static List<Found> of(ResolvedType type) {
    if (!ResolvedType.isPublished(type.raw())) {
      return List.of();
    }
    Map<String, Found> found = new LinkedHashMap<>();
    type.superclass().ifPresent(parent -> of(parent).forEach(p -> found.put(p.name(), p)));
    new PropertyFinder(type).own().forEach(p -> found.merge(p.name(), p, PropertyFinder::override));
    return List.copyOf(found.values());
  }

  /** A setter is inherited with the getter that is overridden. */
  private static Found override(Found parent, Found child) {
    return new Found(
        child.name,
        child.type,
        child.source,
        child.sink.or(() -> child.type.equals(parent.type) ? parent.sink : Optional.empty()),
        child.state || parent.state,
        child.filled,
        child.place);
  }

  private List<Found> own() {
    if (type.raw().isRecord()) {
      return Stream.of(type.raw().getRecordComponents()).map(this::ofComponent).toList();
    }
    for (Field field : type.raw().getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
        fields.put(field.getName(), Modifier.isTransient(field.getModifiers()) ? null : field);
      }
    }
    Map<String, Found> found = new HashMap<>();
    fields.values().stream()
        .filter(field -> field != null && Modifier.isPublic(field.getModifiers()))
        .forEach(field -> found.put(field.getName(), ofField(field)));
    for (Method method : type.raw().getDeclaredMethods()) {
      if (isAccessor(method)) {
        propertyName(method)
            .filter(name -> !fields.containsKey(name) || fields.get(name) != null)
            .ifPresent(name -> found.put(name, ofGetter(name, method)));
      }
    }
    return inOrder(found);
  }

  /** A property without a field is computed if every field belongs to another property. */
  private List<Found> inOrder(Map<String, Found> found) {
    boolean hidden =
        fields.entrySet().stream()
            .anyMatch(f -> f.getValue() != null && !found.containsKey(f.getKey()));
    List<Found> all = new ArrayList<>();
    for (Found p : found.values()) {
      boolean state = hidden || fields.containsKey(p.name);
      all.add(new Found(p.name, p.type, p.source, p.sink, state, p.filled, p.place));
    }
    all.sort((a, b) -> a.place != b.place ? a.place - b.place : a.name.compareTo(b.name));
    return all;
  }

  private Found ofComponent(RecordComponent component) {
    Method accessor = component.getAccessor();
    return new Found(
        component.getName(),
        resolve(component.getGenericType()),
        opened(accessor),
        Optional.empty(),
        true,
        false,
        0);
  }

  private Found ofField(Field field) {
    return new Found(
        field.getName(),
        resolve(field.getGenericType()),
        opened(field),
        Modifier.isFinal(field.getModifiers()) ? Optional.empty() : Optional.of(field),
        true,
        false,
        facts.ofField(field.getName()));
  }

  private Found ofGetter(String name, Method getter) {
    ResolvedType property = resolve(getter.getGenericReturnType());
    Optional<Member> setter = setter(name, property);
    return new Found(
        name,
        property,
        opened(getter),
        setter,
        false,
        setter.isEmpty() && Collection.class.isAssignableFrom(property.raw()),
        fields.containsKey(name) ? facts.ofField(name) : facts.ofMethod(getter));
  }

  private Optional<Member> setter(String name, ResolvedType property) {
    String setter = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    return Stream.of(type.raw().getDeclaredMethods())
        .filter(m -> m.getName().equals(setter) && m.getParameterCount() == 1 && !m.isSynthetic())
        .filter(m -> Modifier.isPublic(m.getModifiers()) && !Modifier.isStatic(m.getModifiers()))
        .filter(m -> resolve(m.getGenericParameterTypes()[0]).equals(property))
        .findFirst()
        .map(PropertyFinder::opened);
  }

  private static boolean isAccessor(Method method) {
    return Modifier.isPublic(method.getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && !method.isSynthetic()
        && method.getParameterCount() == 0
        && method.getReturnType() != void.class;
  }

  /** By the rules of JavaBeans; else the name of a field of the same type. */
  private Optional<String> propertyName(Method method) {
    String name = method.getName();
    if (name.startsWith("get") && name.length() > 3) {
      return Optional.of(decapitalized(name.substring(3)));
    }
    Class<?> result = method.getReturnType();
    if (name.startsWith("is") && name.length() > 2 && isBoolean(result)) {
      return Optional.of(decapitalized(name.substring(2)));
    }
    Field field = fields.get(name);
    return field != null && field.getType() == result ? Optional.of(name) : Optional.empty();
  }

  private static boolean isBoolean(Class<?> result) {
    return result == boolean.class || result == Boolean.class;
  }

  /** {@code Name} to {@code name}, but {@code URL} stays (JavaBeans 8.8). */
  private static String decapitalized(String name) {
    if (name.length() > 1
        && Character.isUpperCase(name.charAt(0))
        && Character.isUpperCase(name.charAt(1))) {
      return name;
    }
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  private ResolvedType resolve(Type member) {
    return ResolvedType.of(member, type.bindings());
  }

  /** Published classes need not be public. */
  private static <M extends AccessibleObject & Member> M opened(M member) {
    member.setAccessible(true);
    return member;
  }
}
