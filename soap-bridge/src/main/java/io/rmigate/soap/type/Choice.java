package io.rmigate.soap.type;

import java.util.List;
import java.util.Optional;

/**
 * One of several structures, told apart by a name that says which: an interface or a class with
 * subclasses, either sealed or with its implementations in the configuration. The set is closed;
 * what a client writes never names a Java class.
 */
public final class Choice implements Shape {
  private final Class<?> javaType;
  private final String label;
  private List<Structure> alternatives = List.of();

  Choice(Class<?> javaType, String label) {
    this.javaType = javaType;
    this.label = label;
  }

  void complete(List<Structure> alternatives) {
    this.alternatives = List.copyOf(alternatives);
  }

  @Override
  public Class<?> javaType() {
    return javaType;
  }

  @Override
  public String label() {
    return label;
  }

  /** In the order of the configuration, or of the permits clause. */
  public List<Structure> alternatives() {
    return alternatives;
  }

  /** The alternative of that name. */
  public Optional<Structure> named(String name) {
    return alternatives.stream().filter(s -> s.label().equals(name)).findFirst();
  }

  /**
   * The alternative nearest to a value's class.
   *
   * @throws UnreadableValueException it is of no alternative
   */
  public Structure of(Object value) throws UnreadableValueException {
    for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
      for (Structure alternative : alternatives) {
        if (alternative.javaType() == type) {
          return alternative;
        }
      }
    }
    throw new UnreadableValueException(
        value.getClass().getName() + " is no alternative of " + label);
  }
}
