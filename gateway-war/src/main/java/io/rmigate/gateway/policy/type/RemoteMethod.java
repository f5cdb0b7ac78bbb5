package io.rmigate.gateway.policy.type;

import io.rmigate.gateway.scan.Arguments;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A method of a remote interface, its own or one that it has from another.
 *
 * @param type the interface, as in {@link Class#getName}
 * @param parameters the names of their types; those of arrays end in {@code []}
 * @param hash as RMI computes it: RMI specification, 8.3
 */
public record RemoteMethod(String type, String name, List<String> parameters, long hash) {
  private static final Set<String> PRIMITIVES =
      Set.of("boolean", "byte", "char", "double", "float", "int", "long", "short");

  public RemoteMethod {
    parameters = List.copyOf(parameters);
  }

  /** Numbers, from 1, of the parameters that are objects. */
  public List<Integer> objectParameters() {
    return IntStream.rangeClosed(1, parameters.size())
        .filter(number -> !PRIMITIVES.contains(parameters.get(number - 1)))
        .boxed()
        .toList();
  }

  /** The arguments that a call of this method writes behind its header. */
  public Arguments arguments() {
    int objects = objectParameters().size();
    int bytes = 0;
    for (String parameter : parameters) {
      bytes +=
          switch (parameter) {
            case "boolean", "byte" -> 1;
            case "char", "short" -> 2;
            case "float", "int" -> 4;
            case "double", "long" -> 8;
            default -> 0;
          };
    }
    return new Arguments(objects, bytes);
  }

  /** Name and types of the method, which all interfaces that have it share. */
  public String signature() {
    return name + "(" + String.join(",", parameters) + ")";
  }

  @Override
  public String toString() {
    return type + "." + signature();
  }
}
