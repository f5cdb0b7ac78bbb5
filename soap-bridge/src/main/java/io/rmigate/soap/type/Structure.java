package io.rmigate.soap.type;

import io.rmigate.soap.type.Construction.ByConstructor;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A bean, a record, an immutable class or an exception: a fixed set of named properties. May
 * contain itself, which is why it is made in two steps; {@link Shapes} gives out none that is not
 * complete.
 */
public final class Structure implements Shape {
  private final Class<?> javaType;
  private final String label;
  private List<Property> properties = List.of();
  private Map<String, Integer> positions = Map.of();
  private Construction construction = new Construction.None("", "");

  Structure(Class<?> javaType, String label) {
    this.javaType = javaType;
    this.label = label;
  }

  void complete(List<Property> properties, Construction construction) {
    this.properties = List.copyOf(properties);
    this.construction = construction;
    positions = new HashMap<>();
    for (int i = 0; i < properties.size(); i++) {
      positions.put(properties.get(i).name(), i);
    }
  }

  @Override
  public Class<?> javaType() {
    return javaType;
  }

  /** Unique among the structures of a contract. */
  @Override
  public String label() {
    return label;
  }

  /** The properties, those of superclasses first, then in the order of declaration. */
  public List<Property> properties() {
    return properties;
  }

  /** How it is made of what a client sends. */
  public Construction construction() {
    return construction;
  }

  /** Whether a client's value of a property is used, and not only passed over. */
  public boolean takes(Property property) {
    return construction.takes(property);
  }

  /** The place of a property, or -1. */
  public int position(String property) {
    return positions.getOrDefault(property, -1);
  }

  /** The value of a property. Code of the published class runs. */
  public Object get(Object value, Property property) throws UnreadableValueException {
    return property.get(value);
  }

  /**
   * Makes an instance. Code of the published class runs.
   *
   * @param values one for each property, in their order
   * @param given which of them the client gave; others keep what the class itself gives them
   * @throws ConstructionException the class refused
   */
  public Object make(Object[] values, boolean[] given) throws ConstructionException {
    ByConstructor way = (ByConstructor) construction;
    Object bean = construct(way, values);
    for (int i = 0; i < values.length; i++) {
      Property property = properties.get(i);
      if (given[i] && !way.properties().contains(property.name()) && takes(property)) {
        property.set(bean, values[i]);
      }
    }
    return bean;
  }

  private Object construct(ByConstructor way, Object[] values) throws ConstructionException {
    List<Object> arguments = new ArrayList<>();
    for (String name : way.properties()) {
      int position = position(name);
      Object value = values[position];
      Class<?> type = properties.get(position).shape().javaType();
      arguments.add(value == null && type.isPrimitive() ? zero(type) : value);
    }
    return instantiate(way.constructor(), arguments.toArray());
  }

  private static Object zero(Class<?> primitive) {
    return Array.get(Array.newInstance(primitive, 1), 0);
  }

  static Object instantiate(Constructor<?> constructor, Object... arguments)
      throws ConstructionException {
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw new ConstructionException(constructor.getDeclaringClass(), e.getCause());
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new ConstructionException(constructor.getDeclaringClass(), e);
    }
  }

  @Override
  public String toString() {
    return label;
  }
}
