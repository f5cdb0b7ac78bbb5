package io.rmigate.soap.publish;

import io.rmigate.soap.type.ClassFacts;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The methods of a remote interface, and what their parameters are called. */
final class RemoteMethods {
  private final Class<?> type;
  private final Map<Class<?>, ClassFacts> facts = new HashMap<>();
  private final Supplier<List<Class<?>>> implementations;

  /**
   * @param implementations all servants in the jars, asked only if they are needed: the debug
   *     information of an implementing method has the names that an abstract method cannot have
   */
  RemoteMethods(Class<?> type, Supplier<List<Class<?>>> implementations) {
    this.type = type;
    this.implementations = implementations;
  }

  /**
   * All methods: those of superinterfaces first, in the order of declaration; an overridden one
   * once.
   */
  List<Method> all() {
    Map<String, Method> methods = new LinkedHashMap<>();
    Stream.of(type.getMethods())
        .filter(m -> !m.isSynthetic() && !Modifier.isStatic(m.getModifiers()))
        .sorted(
            Comparator.comparingInt((Method m) -> depth(m.getDeclaringClass()))
                .thenComparing(m -> m.getDeclaringClass().getName())
                .thenComparingInt(m -> facts(m.getDeclaringClass()).ofMethod(m))
                .thenComparing(Method::toString))
        .forEach(m -> methods.merge(MethodSignature.of(m), m, RemoteMethods::narrower));
    return List.copyOf(methods.values());
  }

  private static Method narrower(Method one, Method other) {
    return one.getReturnType().isAssignableFrom(other.getReturnType()) ? other : one;
  }

  /** Superinterfaces above an interface, counted along the longest way. */
  private static int depth(Class<?> type) {
    return Stream.of(type.getInterfaces()).mapToInt(i -> 1 + depth(i)).max().orElse(0);
  }

  /** Whether a method can throw {@code RemoteException}, as RMI asks of every remote method. */
  static boolean canFailRemotely(Method method) {
    return Stream.of(method.getExceptionTypes())
        .anyMatch(e -> e.isAssignableFrom(RemoteException.class));
  }

  /** From {@code -parameters}, else from the debug information of an implementation, else none. */
  List<String> parameterNames(Method method) {
    return facts(method.getDeclaringClass())
        .parameterNames(method)
        .or(() -> namesOfImplementation(method))
        .orElseGet(() -> numbered(method.getParameterCount()));
  }

  private Optional<List<String>> namesOfImplementation(Method method) {
    for (Class<?> implementation : implementations.get()) {
      if (!type.isAssignableFrom(implementation)) {
        continue;
      }
      try {
        Method body =
            implementation.getDeclaredMethod(method.getName(), method.getParameterTypes());
        Optional<List<String>> names = facts(implementation).parameterNames(body);
        if (names.isPresent()) {
          return names;
        }
      } catch (NoSuchMethodException | LinkageError e) {
        // Inherited, or of a server whose other jars are not here: the next may have it.
      }
    }
    return Optional.empty();
  }

  private static List<String> numbered(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("arg" + i);
    }
    return names;
  }

  private ClassFacts facts(Class<?> type) {
    return facts.computeIfAbsent(type, ClassFacts::of);
  }
}
