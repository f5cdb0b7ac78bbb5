package io.rmigate.soap.type;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A type of a signature without variables: each has been replaced by what it stands for there, or
 * by its bound.
 *
 * @param arguments of a generic class: one for each of its parameters, or none if it is used raw;
 *     of an array: its component
 */
public record ResolvedType(Class<?> raw, List<ResolvedType> arguments) {

  /** Resolved types of type variables at one place. */
  public static final class Bindings {
    static final Bindings NONE = new Bindings(Map.of());

    private final Map<TypeVariable<?>, ResolvedType> meanings;

    private Bindings(Map<TypeVariable<?>, ResolvedType> meanings) {
      this.meanings = meanings;
    }
  }

  /** A type without variables. */
  public static ResolvedType of(Type type) {
    return of(type, Bindings.NONE);
  }

  /** A type whose variables are bound; one that is not stands for its first bound. */
  public static ResolvedType of(Type type, Bindings bindings) {
    if (type instanceof Class<?> raw) {
      return new ResolvedType(raw, raw.isArray() ? List.of(of(raw.getComponentType())) : List.of());
    }
    if (type instanceof ParameterizedType generic) {
      return new ResolvedType(
          (Class<?>) generic.getRawType(),
          Stream.of(generic.getActualTypeArguments()).map(t -> of(t, bindings)).toList());
    }
    if (type instanceof GenericArrayType array) {
      ResolvedType component = of(array.getGenericComponentType(), bindings);
      return new ResolvedType(Array.newInstance(component.raw, 0).getClass(), List.of(component));
    }
    if (type instanceof WildcardType wildcard) {
      return of(wildcard.getUpperBounds()[0], bindings);
    }
    if (type instanceof TypeVariable<?> variable) {
      ResolvedType meaning = bindings.meanings.get(variable);
      return meaning != null ? meaning : new ResolvedType(erasure(variable), List.of());
    }
    throw new AssertionError(type);
  }

  private static Class<?> erasure(Type type) {
    if (type instanceof TypeVariable<?> variable) {
      return erasure(variable.getBounds()[0]);
    }
    return type instanceof ParameterizedType generic
        ? (Class<?>) generic.getRawType()
        : (Class<?>) type;
  }

  /** Resolved types of the type parameters of this type's class. */
  public Bindings bindings() {
    TypeVariable<?>[] parameters = raw.getTypeParameters();
    if (parameters.length != arguments.size()) {
      return Bindings.NONE;
    }
    Map<TypeVariable<?>, ResolvedType> meanings = new HashMap<>();
    for (int i = 0; i < parameters.length; i++) {
      meanings.put(parameters[i], arguments.get(i));
    }
    return new Bindings(meanings);
  }

  /** This type seen as one that it extends or implements. */
  public Optional<ResolvedType> as(Class<?> ancestor) {
    if (raw == ancestor) {
      return Optional.of(this);
    }
    Bindings bindings = bindings();
    return Stream.concat(Stream.ofNullable(raw.getGenericSuperclass()), interfaces())
        .map(parent -> of(parent, bindings))
        .filter(parent -> ancestor.isAssignableFrom(parent.raw))
        .findFirst()
        .flatMap(parent -> parent.as(ancestor));
  }

  private Stream<Type> interfaces() {
    return Stream.of(raw.getGenericInterfaces());
  }

  /** The class this extends, unless that is a class of the JDK or none. */
  Optional<ResolvedType> superclass() {
    return Optional.ofNullable(raw.getGenericSuperclass())
        .map(parent -> of(parent, bindings()))
        .filter(parent -> isPublished(parent.raw));
  }

  /** Whether a class came with the published interface, and not with the JDK. */
  static boolean isPublished(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader != null && loader != ClassLoader.getPlatformClassLoader();
  }

  /** Levels of type arguments. */
  int depth() {
    return 1 + arguments.stream().mapToInt(ResolvedType::depth).max().orElse(0);
  }

  /** As in Java source, without packages. */
  @Override
  public String toString() {
    if (raw.isArray()) {
      return arguments.get(0) + "[]";
    }
    return raw.getSimpleName()
        + (arguments.isEmpty()
            ? ""
            : arguments.stream()
                .map(ResolvedType::toString)
                .collect(Collectors.joining(", ", "<", ">")));
  }
}
