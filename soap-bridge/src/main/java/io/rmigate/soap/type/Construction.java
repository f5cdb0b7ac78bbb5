package io.rmigate.soap.type;

import java.lang.reflect.Constructor;
import java.util.List;

/** How an instance of a structure comes into being, if it can. */
public sealed interface Construction {

  /** Whether a property gets its value in this way. */
  boolean takes(Property property);

  /**
   * By a constructor, then by setters.
   *
   * @param properties the names of what its parameters are, in their order; none: a bean
   */
  record ByConstructor(Constructor<?> constructor, List<String> properties)
      implements Construction {
    @Override
    public boolean takes(Property property) {
      return properties.contains(property.name())
          || property.sink().isPresent()
          || property.filled();
    }
  }

  /** The type cannot be constructed: it may stand in results only. */
  record None(String reason, String remedy) implements Construction {
    @Override
    public boolean takes(Property property) {
      return false;
    }
  }
}
