package io.rmigate.soap.type;

/**
 * What the values of one Java type look like outside. Immutable once {@link Shapes} gave it out.
 */
public sealed interface Shape
    permits Scalar, Binary, Enumeration, Sequence, Dictionary, Structure, Choice, Reference {

  /** The erased type of the values. */
  Class<?> javaType();

  /** Whether there may be no value at all: anything but a primitive. */
  default boolean nullable() {
    return !javaType().isPrimitive();
  }

  /** How a schema calls a type made of this one: {@code PageOf…}. */
  String label();
}
