package io.rmigate.soap.publish;

import java.util.List;
import java.util.Optional;

/**
 * What can be called at a remote object of one interface. Immutable.
 *
 * @param name unique in its publication
 * @param operations in the order of declaration
 * @param refusals the methods that are left out, and exceptions that come without their properties
 */
public record Contract(
    Class<?> type, String name, List<Operation> operations, List<Refusal> refusals) {
  public Contract {
    operations = List.copyOf(operations);
    refusals = List.copyOf(refusals);
  }

  /** The operation of that name. */
  public Optional<Operation> operation(String name) {
    return operations.stream().filter(o -> o.name().equals(name)).findFirst();
  }
}
