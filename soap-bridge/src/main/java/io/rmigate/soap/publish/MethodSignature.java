package io.rmigate.soap.publish;

import java.lang.reflect.Method;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ways to name a method that may have overloads. */
final class MethodSignature {
  private MethodSignature() {}

  /** As in the configuration: {@code find(String,int[])}. */
  static String of(Method method) {
    return method.getName() + types(method).collect(Collectors.joining(",", "(", ")"));
  }

  /** As the operation of an overloaded method: {@code find_String_intArray}. */
  static String operation(Method method) {
    return Stream.concat(
            Stream.of(method.getName()), types(method).map(t -> t.replace("[]", "Array")))
        .collect(Collectors.joining("_"));
  }

  private static Stream<String> types(Method method) {
    return Stream.of(method.getParameterTypes()).map(Class::getSimpleName);
  }
}
