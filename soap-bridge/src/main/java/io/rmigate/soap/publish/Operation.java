package io.rmigate.soap.publish;

import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Structure;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

/**
 * A method that clients can call.
 *
 * @param name unique in its contract
 * @param result empty: void
 * @param faults the declared exceptions, subclasses before their superclasses
 */
public record Operation(
    String name,
    Method method,
    List<Parameter> parameters,
    Optional<Shape> result,
    List<Structure> faults) {

  /** A named argument. That of a varargs method is an array like any other. */
  public record Parameter(String name, Shape shape) {}

  public Operation {
    parameters = List.copyOf(parameters);
    faults = List.copyOf(faults);
  }

  /** The place of a parameter, or -1. */
  public int position(String parameter) {
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).name().equals(parameter)) {
        return i;
      }
    }
    return -1;
  }

  /** The declared exception that a failure is. */
  public Optional<Structure> fault(Throwable failure) {
    return faults.stream().filter(f -> f.javaType().isInstance(failure)).findFirst();
  }
}
