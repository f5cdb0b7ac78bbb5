package io.rmigate.soap.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Operation.Parameter;
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
import java.util.Map;
import java.util.Set;

/**
 * A request that {@link JsonFront} takes, to show what one looks like: of structures within each
 * other the first few, and of large ones not all. Of one argument.
 */
public final class JsonSample {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** By the format, where any text will not do. */
  private static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("big-integer", "12345678901234567890"),
          Map.entry("decimal", "12.50"),
          Map.entry("uuid", "123e4567-e89b-12d3-a456-426614174000"),
          Map.entry("uri-reference", "https://example.org/"),
          Map.entry("language-tag", "en"),
          Map.entry("currency", "EUR"),
          Map.entry("date-time", "2026-11-21T14:20:00Z"),
          Map.entry("date-time-local", "2026-11-21T14:20:00"),
          Map.entry("date", "2026-11-21"),
          Map.entry("time", "14:20:00Z"),
          Map.entry("time-local", "14:20:00"),
          Map.entry("duration", "P1D"),
          Map.entry("year", "2026"),
          Map.entry("year-month", "2026-11"),
          Map.entry("month-day", "--11-21"));

  /** Structures within each other. */
  private static final int MAX_DEPTH = 3;

  /**
   * The largest number of values in a sample, because types that refer to each other would make too
   * many.
   */
  private static final int MAX_VALUES = 40;

  private int values;

  /** Structures that are being written; a structure inside itself is left out. */
  private final Set<Structure> within = new HashSet<>();

  private JsonSample() {}

  /** All arguments of an operation. */
  public static ObjectNode of(Operation operation) {
    ObjectNode arguments = NODES.objectNode();
    for (Parameter parameter : operation.parameters()) {
      arguments.set(parameter.name(), new JsonSample().value(parameter.shape()));
    }
    return arguments;
  }

  private JsonNode value(Shape shape) {
    values++;
    if (shape instanceof Scalar scalar) {
      return scalar(scalar);
    } else if (shape instanceof Binary) {
      return NODES.textNode("AAEC");
    } else if (shape instanceof Enumeration enumeration) {
      return constant(enumeration);
    } else if (shape instanceof Sequence sequence) {
      ArrayNode elements = NODES.arrayNode();
      return isWithin(sequence.element()) ? elements : elements.add(value(sequence.element()));
    } else if (shape instanceof Dictionary dictionary) {
      return dictionary(dictionary);
    } else if (shape instanceof Structure structure) {
      return isWithin(structure) ? NODES.nullNode() : structure(structure, NODES.objectNode());
    } else if (shape instanceof Choice choice) {
      Structure first = choice.alternatives().get(0);
      return isWithin(choice)
          ? NODES.nullNode()
          : structure(first, NODES.objectNode().put(JsonNames.ALTERNATIVE, first.label()));
    } else if (shape instanceof Reference) {
      return NODES.textNode("the href of a handle");
    }
    throw new AssertionError(shape);
  }

  /** Whether a shape's value would be one too many. */
  private boolean isWithin(Shape shape) {
    boolean more = shape instanceof Structure || shape instanceof Choice;
    boolean enough = within.size() >= MAX_DEPTH || values >= MAX_VALUES;
    return within.contains(shape)
        || (more && enough)
        || (shape instanceof Choice choice && within.contains(choice.alternatives().get(0)))
        || (shape instanceof Sequence sequence && isWithin(sequence.element()))
        || (shape instanceof Dictionary dictionary
            && (isWithin(dictionary.key()) || isWithin(dictionary.value())));
  }

  private static JsonNode constant(Enumeration enumeration) {
    return enumeration.constants().isEmpty()
        ? NODES.nullNode()
        : NODES.textNode(enumeration.constants().get(0));
  }

  private static JsonNode scalar(Scalar scalar) {
    return switch (scalar.kind()) {
      case BOOLEAN -> NODES.booleanNode(true);
      case INTEGER -> NODES.numberNode(1);
      case FLOATING -> NODES.numberNode(1.5);
      case CHARACTER -> NODES.textNode("c");
      default -> NODES.textNode(text(scalar));
    };
  }

  private static String text(Scalar scalar) {
    String known = TEXTS.get(scalar.format());
    if (known != null) {
      return scalar.javaType().getSimpleName().equals("Period")
              || !scalar.format().equals("duration")
          ? known
          : "PT8H6M";
    }
    return switch (scalar.javaType().getSimpleName()) {
      case "ZonedDateTime" -> "2026-11-21T14:20:00+01:00[Europe/Ljubljana]";
      case "ZoneId" -> "Europe/Ljubljana";
      case "ZoneOffset" -> "+01:00";
      default -> "text";
    };
  }

  private JsonNode dictionary(Dictionary dictionary) {
    boolean ends = isWithin(dictionary.value()) || isWithin(dictionary.key());
    if (dictionary.keysAreWords()) {
      ObjectNode entries = NODES.objectNode();
      if (!ends) {
        entries.set(value(dictionary.key()).asText(), value(dictionary.value()));
      }
      return entries;
    }
    ArrayNode entries = NODES.arrayNode();
    if (!ends) {
      ObjectNode entry = entries.addObject();
      entry.set(JsonNames.KEY, value(dictionary.key()));
      entry.set(JsonNames.VALUE, value(dictionary.value()));
    }
    return entries;
  }

  private static boolean isNeeded(Property property) {
    return !property.shape().nullable();
  }

  private ObjectNode structure(Structure structure, ObjectNode into) {
    within.add(structure);
    for (Property property : structure.properties()) {
      if (structure.takes(property) && (values < MAX_VALUES || isNeeded(property))) {
        into.set(property.name(), value(property.shape()));
      }
    }
    within.remove(structure);
    return into;
  }
}
