package io.rmigate.soap.testing;

import io.rmigate.soap.type.Binary;
import io.rmigate.soap.type.Choice;
import io.rmigate.soap.type.Dictionary;
import io.rmigate.soap.type.Enumeration;
import io.rmigate.soap.type.Property;
import io.rmigate.soap.type.Reference;
import io.rmigate.soap.type.Scalar;
import io.rmigate.soap.type.Sequence;
import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Structure;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** A shape in one line; a structure that was written before, by its label only. */
public final class ShapeText {
  private final Set<Shape> written = new HashSet<>();

  private ShapeText() {}

  public static String of(Shape shape) {
    return new ShapeText().text(shape);
  }

  private String text(Shape shape) {
    if (shape instanceof Scalar scalar) {
      return scalar.javaType().getSimpleName();
    }
    if (shape instanceof Binary) {
      return "binary";
    }
    if (shape instanceof Enumeration enumeration) {
      return enumeration.label() + enumeration.constants();
    }
    if (shape instanceof Sequence sequence) {
      return (sequence.unique() ? "set " : "") + "[" + text(sequence.element()) + "]";
    }
    if (shape instanceof Dictionary map) {
      return "{" + text(map.key()) + " -> " + text(map.value()) + "}";
    }
    if (shape instanceof Reference reference) {
      return "&" + reference.label();
    }
    if (!written.add(shape)) {
      return shape.label();
    }
    if (shape instanceof Choice choice) {
      return choice.alternatives().stream()
          .map(this::text)
          .collect(Collectors.joining(" | ", choice.label() + "(", ")"));
    }
    Structure structure = (Structure) shape;
    return structure.properties().stream()
        .map(property -> property(structure, property))
        .collect(Collectors.joining(", ", structure.label() + "(", ")"));
  }

  /** With a {@code !} if it is only shown. */
  private String property(Structure structure, Property property) {
    return property.name() + (structure.takes(property) ? "" : "!") + " " + text(property.shape());
  }
}
