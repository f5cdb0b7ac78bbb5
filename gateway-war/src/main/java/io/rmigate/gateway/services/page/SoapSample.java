package io.rmigate.gateway.services.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.soap.json.JsonSample;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Operation.Parameter;
import io.rmigate.soap.type.Binary;
import io.rmigate.soap.type.Choice;
import io.rmigate.soap.type.Dictionary;
import io.rmigate.soap.type.Enumeration;
import io.rmigate.soap.type.Reference;
import io.rmigate.soap.type.Scalar;
import io.rmigate.soap.type.Sequence;
import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Structure;
import java.time.MonthDay;
import java.time.Year;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The arguments of {@link JsonSample} in the structure that soap-bridge's XML.md gives them, which
 * is also that of the values by which clients of SOAP are called: maps are lists of entries, an
 * alternative is an element, a reference has an address.
 *
 * <p>Values are: {@code Map<String, Object>} for what has named parts, {@code List<Object>} for
 * repeated ones, {@code byte[]}, {@link Boolean}, {@link Number}, {@link String}, {@link Address};
 * {@link Year}, {@link YearMonth} and {@link MonthDay}, which not every language has as text.
 */
final class SoapSample {
  private static final String ITEM = "item";
  private static final String ENTRY = "entry";
  private static final String KEY = "key";
  private static final String VALUE = "value";

  /**
   * Where a referenced object is.
   *
   * @param text a placeholder for the URL of a handle, which has to be random
   */
  record Address(String text) {}

  private SoapSample() {}

  /** Sample arguments of an operation. */
  static Map<String, Object> of(Operation operation) {
    JsonNode json = JsonSample.of(operation);
    Map<String, Object> arguments = new LinkedHashMap<>();
    for (Parameter parameter : operation.parameters()) {
      put(arguments, parameter.name(), parameter.shape(), json.get(parameter.name()));
    }
    return arguments;
  }

  /** Adds a part of the sample; null values are left out. */
  private static void put(Map<String, Object> parts, String name, Shape shape, JsonNode json) {
    if (json != null && !json.isNull()) {
      parts.put(name, value(shape, json));
    }
  }

  private static Object value(Shape shape, JsonNode json) {
    if (shape instanceof Scalar scalar) {
      return scalar(scalar, json);
    } else if (shape instanceof Binary) {
      return Base64.getDecoder().decode(json.asText());
    } else if (shape instanceof Enumeration) {
      return json.asText();
    } else if (shape instanceof Sequence sequence) {
      return sequence(sequence, json);
    } else if (shape instanceof Dictionary dictionary) {
      return Map.of(ENTRY, entries(dictionary, json));
    } else if (shape instanceof Structure structure) {
      return structure(structure, json);
    } else if (shape instanceof Choice choice) {
      Structure first = choice.alternatives().get(0); // as the sample has it
      return Map.of(first.label(), structure(first, json));
    } else if (shape instanceof Reference) {
      return new Address(json.asText());
    }
    throw new AssertionError(shape);
  }

  private static Object scalar(Scalar scalar, JsonNode json) {
    return switch (scalar.format()) {
      case "char" -> (int) json.asText().charAt(0);
      case "year" -> Year.parse(json.asText());
      case "year-month" -> YearMonth.parse(json.asText());
      case "month-day" -> MonthDay.parse(json.asText());
      default ->
          json.isBoolean()
              ? (Object) json.asBoolean()
              : json.isNumber() ? json.numberValue() : json.asText();
    };
  }

  private static List<Object> sequence(Sequence sequence, JsonNode json) {
    List<Object> elements = new ArrayList<>();
    for (JsonNode element : json) {
      Object value = value(sequence.element(), element);
      elements.add(value instanceof List ? Map.of(ITEM, value) : value);
    }
    return elements;
  }

  private static List<Object> entries(Dictionary dictionary, JsonNode json) {
    List<Object> entries = new ArrayList<>();
    if (json.isObject()) {
      for (Map.Entry<String, JsonNode> entry : json.properties()) {
        Map<String, Object> parts = new LinkedHashMap<>();
        // An enum's constant, a text or a number: written alike.
        parts.put(KEY, entry.getKey());
        put(parts, VALUE, dictionary.value(), entry.getValue());
        entries.add(parts);
      }
      return entries;
    }
    for (JsonNode entry : json) {
      Map<String, Object> parts = new LinkedHashMap<>();
      put(parts, KEY, dictionary.key(), entry.get(KEY));
      put(parts, VALUE, dictionary.value(), entry.get(VALUE));
      entries.add(parts);
    }
    return entries;
  }

  private static Map<String, Object> structure(Structure structure, JsonNode json) {
    Map<String, Object> parts = new LinkedHashMap<>();
    structure
        .properties()
        .forEach(
            property -> put(parts, property.name(), property.shape(), json.get(property.name())));
    return parts;
  }
}
