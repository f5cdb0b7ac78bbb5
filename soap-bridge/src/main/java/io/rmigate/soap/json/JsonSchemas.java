package io.rmigate.soap.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rmigate.soap.type.Binary;
import io.rmigate.soap.type.Choice;
import io.rmigate.soap.type.Construction.ByConstructor;
import io.rmigate.soap.type.Dictionary;
import io.rmigate.soap.type.Enumeration;
import io.rmigate.soap.type.Property;
import io.rmigate.soap.type.Reference;
import io.rmigate.soap.type.Scalar;
import io.rmigate.soap.type.Scalar.Range;
import io.rmigate.soap.type.Sequence;
import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Structure;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;

/**
 * The JSON Schema (2020-12, the dialect of OpenAPI 3.1) of shapes, as {@link ValueWriter} writes
 * and {@link ValueReader} reads them. What has a name is written once, among the components, when
 * it is first met. Of one document.
 */
final class JsonSchemas {
  private static final String PREFIX = "#/components/schemas/";
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** The texts of whole numbers, as strings and as keys of maps. */
  private static final String WHOLE = "^[+-]?[0-9]+$";

  private static final String DECIMAL = "^[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?$";

  private final ObjectNode components = NODES.objectNode();

  /** All schemas that were referred to so far, by name. */
  ObjectNode components() {
    return components;
  }

  /** The schema of what stands for a shape: of a value, or null where there may be none. */
  ObjectNode of(Shape shape) {
    ObjectNode schema = ofValue(shape);
    if (!shape.nullable()) {
      return schema;
    }
    if (schema.path("type").isTextual()) {
      ArrayNode types = NODES.arrayNode().add(schema.get("type").asText()).add("null");
      schema.set("type", types);
      return schema;
    }
    ObjectNode nullable = NODES.objectNode();
    nullable.putArray("anyOf").add(schema).addObject().put("type", "null");
    return nullable;
  }

  /** The schema of an exception, which is never null. */
  ObjectNode exception(Structure fault) {
    return ofValue(fault);
  }

  /** An object with exactly these members. */
  static ObjectNode object(ObjectNode properties, List<String> required) {
    ObjectNode schema = NODES.objectNode().put("type", "object");
    schema.set("properties", properties);
    if (!required.isEmpty()) {
      ArrayNode names = schema.putArray("required");
      required.forEach(names::add);
    }
    return schema.put("additionalProperties", false);
  }

  /** A reference to a component, which {@code content} describes when it is first met. */
  ObjectNode component(String name, Runnable content) {
    if (!components.has(name)) {
      // Reserves the name, since the content may refer to it.
      components.putObject(name);
      content.run();
    }
    return NODES.objectNode().put("$ref", PREFIX + name);
  }

  /** Writes a component whose name {@link #component} has reserved. */
  void define(String name, ObjectNode schema) {
    components.set(name, schema);
  }

  private ObjectNode ofValue(Shape shape) {
    if (shape instanceof Scalar scalar) {
      return scalar(scalar);
    }
    if (shape instanceof Binary) {
      return NODES
          .objectNode()
          .put("type", "string")
          .put("format", "byte")
          .put("contentEncoding", "base64");
    }
    if (shape instanceof Enumeration enumeration) {
      return component(
          enumeration.label(), () -> define(enumeration.label(), constants(enumeration)));
    }
    if (shape instanceof Sequence sequence) {
      ObjectNode schema = NODES.objectNode().put("type", "array");
      schema.set("items", of(sequence.element()));
      return sequence.unique() ? schema.put("uniqueItems", true) : schema;
    }
    if (shape instanceof Dictionary dictionary) {
      return dictionary(dictionary);
    }
    if (shape instanceof Structure structure) {
      return component(
          structure.label(),
          () -> define(structure.label(), object(properties(structure), required(structure))));
    }
    if (shape instanceof Choice choice) {
      return component(choice.label(), () -> define(choice.label(), choice(choice)));
    }
    if (shape instanceof Reference reference) {
      return component(reference.label(), () -> define(reference.label(), handle(reference)));
    }
    throw new AssertionError(shape);
  }

  private static ObjectNode scalar(Scalar scalar) {
    ObjectNode schema = NODES.objectNode();
    switch (scalar.kind()) {
      case BOOLEAN -> schema.put("type", "boolean");
      case INTEGER -> integer(scalar, schema);
      case FLOATING -> {
        // By which generators name the class that they make of it.
        schema.put("title", scalar.format().equals("float") ? "FloatNumber" : "DoubleNumber");
        ArrayNode either = schema.putArray("anyOf");
        either.addObject().put("type", "number").put("format", scalar.format());
        either
            .addObject()
            .put("type", "string")
            .putArray("enum")
            .add("NaN")
            .add("Infinity")
            .add("-Infinity");
      }
      case EXACT ->
          schema.put("type", "string").put("format", scalar.format()).put("pattern", exact(scalar));
      case CHARACTER -> schema.put("type", "string").put("minLength", 1).put("maxLength", 1);
      default -> {
        schema.put("type", "string");
        if (!scalar.format().isEmpty()) {
          schema.put("format", scalar.format());
        }
      }
    }
    return schema;
  }

  private static void integer(Scalar scalar, ObjectNode schema) {
    Range range = scalar.range();
    schema
        .put("type", "integer")
        .put("format", scalar.format())
        .put("minimum", range.minimum())
        .put("maximum", range.maximum());
  }

  private static String exact(Scalar scalar) {
    return scalar.javaType() == BigInteger.class ? WHOLE : DECIMAL;
  }

  private static ObjectNode constants(Enumeration enumeration) {
    ObjectNode schema = NODES.objectNode().put("type", "string");
    ArrayNode names = schema.putArray("enum");
    enumeration.constants().forEach(names::add);
    return schema;
  }

  private ObjectNode dictionary(Dictionary dictionary) {
    if (!dictionary.keysAreWords()) {
      ObjectNode entry = NODES.objectNode();
      entry.set(JsonNames.KEY, of(dictionary.key()));
      entry.set(JsonNames.VALUE, of(dictionary.value()));
      ObjectNode schema = NODES.objectNode().put("type", "array");
      schema.set("items", object(entry, List.of(JsonNames.KEY)));
      return schema;
    }
    ObjectNode schema = NODES.objectNode().put("type", "object");
    if (dictionary.key() instanceof Enumeration enumeration) {
      schema.set("propertyNames", ofValue(enumeration));
    } else if (dictionary.key() instanceof Scalar key && key.kind() == Scalar.Kind.INTEGER) {
      schema.putObject("propertyNames").put("pattern", WHOLE);
    }
    schema.set("additionalProperties", of(dictionary.value()));
    return schema;
  }

  private ObjectNode properties(Structure structure) {
    ObjectNode properties = NODES.objectNode();
    boolean argument = structure.construction() instanceof ByConstructor;
    for (Property property : structure.properties()) {
      ObjectNode schema = of(property.shape());
      if (argument && !structure.takes(property)) {
        schema.put("readOnly", true);
      }
      properties.set(property.name(), schema);
    }
    return properties;
  }

  /**
   * Properties a value must have: those its constructor needs, or all if no constructor makes it.
   */
  private static List<String> required(Structure structure) {
    return structure.properties().stream()
        .filter(
            property ->
                !(structure.construction() instanceof ByConstructor way)
                    || (way.properties().contains(property.name()) && !property.shape().nullable()))
        .map(Property::name)
        .toList();
  }

  /** Each alternative with its name in it, which the structure alone does not have. */
  private ObjectNode choice(Choice choice) {
    ObjectNode schema = NODES.objectNode();
    ArrayNode alternatives = schema.putArray("oneOf");
    ObjectNode discriminator =
        schema.putObject("discriminator").put("propertyName", JsonNames.ALTERNATIVE);
    ObjectNode mapping = discriminator.putObject("mapping");
    for (Structure alternative : choice.alternatives()) {
      String name = choice.label() + "." + alternative.label();
      alternatives.add(component(name, () -> define(name, alternative(alternative))));
      mapping.put(alternative.label(), PREFIX + name);
    }
    return schema;
  }

  private ObjectNode alternative(Structure structure) {
    ObjectNode properties = NODES.objectNode();
    properties
        .putObject(JsonNames.ALTERNATIVE)
        .put("type", "string")
        .put("const", structure.label());
    properties.setAll(properties(structure));
    List<String> required =
        Stream.concat(Stream.of(JsonNames.ALTERNATIVE), required(structure).stream()).toList();
    return object(properties, required);
  }

  private static ObjectNode handle(Reference reference) {
    ObjectNode properties = NODES.objectNode();
    properties.putObject(JsonNames.HREF).put("type", "string").put("format", "uri");
    properties.putObject(JsonNames.INTERFACE).put("type", "string").put("const", reference.label());
    properties.putObject(JsonNames.EXPIRES).put("type", "string").put("format", "date-time");
    return object(properties, List.of(JsonNames.HREF));
  }
}
