package io.rmigate.testing;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** What a class leaves as it is in the one that it extends. */
public final class InheritedMethods {
  private InheritedMethods() {}

  /** Names of the public instance methods of {@code base} that {@code type} does not override. */
  public static Set<String> of(Class<?> type, Class<?> base) {
    return Arrays.stream(base.getMethods())
        .filter(method -> method.getDeclaringClass() == base)
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> isInherited(method, type))
        .map(Method::getName)
        .collect(Collectors.toSet());
  }

  private static boolean isInherited(Method method, Class<?> type) {
    try {
      return type.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass()
          == method.getDeclaringClass();
    } catch (NoSuchMethodException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
