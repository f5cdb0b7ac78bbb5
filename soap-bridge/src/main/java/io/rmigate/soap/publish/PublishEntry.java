package io.rmigate.soap.publish;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an operator says about one published interface.
 *
 * @param path under which clients find it: words of letters, digits, {@code .}, {@code _} and
 *     {@code -}, with slashes between
 * @param interfaceName the remote interface
 * @param jars the directory with its classes
 * @param methods published methods: names of methods of the interface; methods of another interface
 *     whose objects it returns follow the name of that interface and a dot. All methods of an
 *     interface of which none is named
 * @param implementations the classes that may come where an interface or class is declared
 * @param names what replaces the names that the classes have
 */
public record PublishEntry(
    String path,
    String interfaceName,
    Path jars,
    Set<String> methods,
    Map<String, List<String>> implementations,
    Map<String, MethodNames> names) {

  /**
   * Names of one method, which the key in {@link #names} tells by its name and the simple names of
   * its parameters' types: {@code find(String,int)}.
   *
   * @param operation what clients call it; empty: as the method
   * @param parameters of all parameters in their order; empty: as the method's
   */
  public record MethodNames(String operation, List<String> parameters) {
    public MethodNames {
      parameters = List.copyOf(parameters);
    }
  }

  public PublishEntry {
    if (!path.matches("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*") || path.contains("..")) {
      throw new IllegalArgumentException("not a path: " + path);
    }
    methods = Set.copyOf(methods);
    implementations = Map.copyOf(implementations);
    names = Map.copyOf(names);
  }

  /**
   * Whether a method may be called.
   *
   * @param type the published interface, or one whose objects it hands out
   */
  public boolean publishes(Class<?> type, String method) {
    if (methods.isEmpty()) {
      return true;
    }
    Set<String> named =
        methods.stream()
            .filter(each -> isOf(type, each))
            .map(each -> each.substring(each.lastIndexOf('.') + 1))
            .collect(Collectors.toSet());
    return named.isEmpty() || named.contains(method);
  }

  /** Whether that one of {@link #methods} is a method of an interface. */
  boolean names(Class<?> type, String qualified) {
    String method = qualified.substring(qualified.lastIndexOf('.') + 1);
    return isOf(type, qualified)
        && Stream.of(type.getMethods()).anyMatch(each -> each.getName().equals(method));
  }

  private boolean isOf(Class<?> type, String qualified) {
    int dot = qualified.lastIndexOf('.');
    if (dot < 0) {
      return type.getName().equals(interfaceName);
    }
    String of = qualified.substring(0, dot);
    return of.equals(type.getSimpleName()) || of.equals(type.getCanonicalName());
  }

  /** An entry that leaves all as it is in the classes. */
  public static PublishEntry of(String path, String interfaceName, Path jars) {
    return new PublishEntry(path, interfaceName, jars, Set.of(), Map.of(), Map.of());
  }
}
