package io.rmigate.soap.type;

import java.util.Map;

/** A map: entries with unlike keys. */
public record Dictionary(Class<?> javaType, Shape key, Shape value, Maker<Map<?, ?>> maker)
    implements Shape {

  @Override
  public String label() {
    return "MapOf" + key.label() + "To" + value.label();
  }

  /** Whether every key is one word, so that it can stand as a name. */
  public boolean keysAreWords() {
    return key instanceof Scalar || key instanceof Enumeration;
  }

  /** A new, empty map. */
  @SuppressWarnings("unchecked") // keys and values are made by their shapes
  public Map<Object, Object> newMap() throws ConstructionException {
    return (Map<Object, Object>) maker.make();
  }
}
