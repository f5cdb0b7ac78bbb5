package io.rmigate.soap.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The OpenAPI 3.0 form of an {@link OpenApiDocument}, for programs that do not know 3.1. Its
 * schemas are no JSON Schema: a null is {@code nullable}, a constant an enum of one, and bytes are
 * formats. What the names of an object's members are like it cannot say.
 */
public final class OpenApi30 {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String NULL = "null";

  private OpenApi30() {}

  /** Converts a document. */
  public static JsonNode of(JsonNode document) {
    ObjectNode converted = document.deepCopy();
    converted.put("openapi", "3.0.3");
    ObjectNode info = (ObjectNode) converted.get("info");
    String summary = info.remove("summary").asText();
    info.put("description", summary + ". " + info.get("description").asText());
    for (JsonNode path : converted.get("paths")) {
      for (JsonNode parameter : path.path("parameters")) {
        ((ObjectNode) parameter).set("schema", schema(parameter.get("schema")));
      }
      JsonNode post = path.get("post");
      content(post.path("requestBody"));
      post.get("responses").forEach(OpenApi30::content);
    }
    ((ObjectNode) converted.get("components"))
        .set("schemas", schemas(converted.at("/components/schemas")));
    return converted;
  }

  /** Converts the content of a request or an answer, if it has any. */
  private static void content(JsonNode message) {
    for (JsonNode media : message.path("content")) {
      JsonNode schema = media.get("schema");
      ((ObjectNode) media).set("schema", schema == null ? bytes() : schema(schema));
    }
  }

  private static ObjectNode bytes() {
    return NODES.objectNode().put("type", "string").put("format", "binary");
  }

  private static ObjectNode schemas(JsonNode named) {
    ObjectNode converted = NODES.objectNode();
    named.forEachEntry((name, each) -> converted.set(name, schema(each)));
    return converted;
  }

  private static ObjectNode schema(JsonNode schema) {
    ObjectNode converted = NODES.objectNode();
    schema.forEachEntry((keyword, value) -> convert(keyword, value, converted));
    return converted;
  }

  private static void convert(String keyword, JsonNode value, ObjectNode into) {
    switch (keyword) {
      case "type" -> type(value, into);
      case "anyOf", "oneOf" -> alternatives(keyword, value, into);
      case "const" -> into.putArray("enum").add(value);
      case "contentEncoding", "propertyNames" -> {} // it has neither
      case "properties" -> into.set(keyword, schemas(value));
      case "items" -> into.set(keyword, schema(value));
      case "additionalProperties" -> into.set(keyword, value.isObject() ? schema(value) : value);
      default -> into.set(keyword, value);
    }
  }

  /** One, or one and null. */
  private static void type(JsonNode type, ObjectNode into) {
    if (type.isArray()) {
      into.put("type", type.get(0).asText()).put("nullable", true);
    } else {
      into.set("type", type);
    }
  }

  /** One alternative is left where null was the other; beside a reference nothing would count. */
  private static void alternatives(String keyword, JsonNode alternatives, ObjectNode into) {
    List<ObjectNode> left = new ArrayList<>();
    for (JsonNode alternative : alternatives) {
      if (alternative.path("type").asText().equals(NULL)) {
        into.put("nullable", true);
      } else {
        left.add(schema(alternative));
      }
    }
    if (left.size() > 1 || !into.has("nullable")) {
      ArrayNode several = into.putArray(keyword);
      left.forEach(several::add);
    } else if (left.get(0).has("$ref")) {
      into.putArray("allOf").add(left.get(0));
    } else {
      into.setAll(left.get(0));
    }
  }
}
