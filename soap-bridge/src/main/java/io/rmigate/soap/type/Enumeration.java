package io.rmigate.soap.type;

import java.util.List;

/**
 * An enum. Its constants go by their names.
 *
 * @param constants the names in the order of declaration, read without initializing the class
 */
public record Enumeration(Class<?> javaType, String label, List<String> constants)
    implements Shape {
  public Enumeration {
    constants = List.copyOf(constants);
  }

  /**
   * The constant of that name. Initializes the class.
   *
   * @throws IllegalArgumentException there is none
   */
  public Object parse(String name) {
    for (Object constant : javaType.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new IllegalArgumentException(
        constants.isEmpty()
            ? "is no " + label + ", which has no constants"
            : "is none of " + String.join(", ", constants));
  }

  /** The name of a constant. */
  public String print(Object constant) {
    return ((Enum<?>) constant).name();
  }
}
