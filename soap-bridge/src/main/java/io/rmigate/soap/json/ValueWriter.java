package io.rmigate.soap.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.RemoteReferences;
import io.rmigate.soap.call.RemoteReferences.Handle;
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
import io.rmigate.soap.type.UnreadableValueException;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;

/** Writes Java values as JSON, straight to the wire. Of one answer; confined to its thread. */
final class ValueWriter {
  private final JsonGenerator json;
  private final RemoteReferences references;
  private final int maxDepth;
  private int depth;

  ValueWriter(JsonGenerator json, RemoteReferences references, int maxDepth) {
    this.json = json;
    this.references = references;
    this.maxDepth = maxDepth;
  }

  /**
   * Writes a value.
   *
   * @throws UnreadableValueException it is not what was declared, an accessor of it failed, or it
   *     is too deep
   * @throws CallFailure a reference in it could not be held
   */
  void write(Shape shape, Object value) throws IOException, UnreadableValueException, CallFailure {
    if (value == null) {
      json.writeNull();
      return;
    }
    if (!(shape instanceof Scalar) && ++depth > maxDepth) {
      throw new UnreadableValueException(
          "the result is deeper than " + maxDepth + " or contains itself");
    }
    try {
      present(shape, value);
    } catch (ClassCastException e) {
      throw new UnreadableValueException(
          value.getClass().getName() + " came as a " + shape.label(), e);
    }
    if (!(shape instanceof Scalar)) {
      depth--;
    }
  }

  private void present(Shape shape, Object value)
      throws IOException, UnreadableValueException, CallFailure {
    if (shape instanceof Scalar scalar) {
      scalar(scalar, value);
    } else if (shape instanceof Binary) {
      json.writeBinary((byte[]) value);
    } else if (shape instanceof Enumeration enumeration) {
      json.writeString(enumeration.print(value));
    } else if (shape instanceof Sequence sequence) {
      json.writeStartArray();
      for (Iterator<?> i = sequence.elements(value); i.hasNext(); ) {
        write(sequence.element(), i.next());
      }
      json.writeEndArray();
    } else if (shape instanceof Dictionary dictionary) {
      dictionary(dictionary, (Map<?, ?>) value);
    } else if (shape instanceof Structure structure) {
      json.writeStartObject();
      properties(structure, value);
    } else if (shape instanceof Choice choice) {
      Structure alternative = choice.of(value);
      json.writeStartObject();
      json.writeStringField(JsonNames.ALTERNATIVE, alternative.label());
      properties(alternative, value);
    } else if (shape instanceof Reference reference) {
      reference(reference, value);
    } else {
      throw new AssertionError(shape);
    }
  }

  private void scalar(Scalar scalar, Object value) throws IOException {
    switch (scalar.kind()) {
      case BOOLEAN -> json.writeBoolean((Boolean) value);
      case INTEGER -> json.writeNumber(((Number) value).longValue());
      case FLOATING -> floating((Number) value);
      default -> json.writeString(scalar.print(value));
    }
  }

  /** Writes a floating-point number; NaN and the infinities are written as strings. */
  private void floating(Number value) throws IOException {
    if (!Double.isFinite(value.doubleValue())) {
      json.writeString(value.toString());
    } else if (value instanceof Float) {
      json.writeNumber(value.floatValue());
    } else {
      json.writeNumber(value.doubleValue());
    }
  }

  private void dictionary(Dictionary dictionary, Map<?, ?> map)
      throws IOException, UnreadableValueException, CallFailure {
    if (!dictionary.keysAreWords()) {
      json.writeStartArray();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeStartObject();
        json.writeFieldName(JsonNames.KEY);
        write(dictionary.key(), entry.getKey());
        json.writeFieldName(JsonNames.VALUE);
        write(dictionary.value(), entry.getValue());
        json.writeEndObject();
      }
      json.writeEndArray();
      return;
    }
    json.writeStartObject();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      json.writeFieldName(word(dictionary.key(), entry.getKey()));
      write(dictionary.value(), entry.getValue());
    }
    json.writeEndObject();
  }

  private static String word(Shape shape, Object key) throws UnreadableValueException {
    if (key == null) {
      throw new UnreadableValueException("a key of a map is null");
    }
    return shape instanceof Enumeration enumeration
        ? enumeration.print(key)
        : ((Scalar) shape).print(key);
  }

  private void properties(Structure structure, Object value)
      throws IOException, UnreadableValueException, CallFailure {
    for (Property property : structure.properties()) {
      json.writeFieldName(property.name());
      write(property.shape(), structure.get(value, property));
    }
    json.writeEndObject();
  }

  private void reference(Reference reference, Object value) throws IOException, CallFailure {
    Handle handle = references.hold(value, reference.javaType());
    json.writeStartObject();
    json.writeStringField(JsonNames.HREF, handle.href());
    json.writeStringField(JsonNames.INTERFACE, reference.label());
    json.writeStringField(JsonNames.EXPIRES, handle.expires().toString());
    json.writeEndObject();
  }
}
