package io.rmigate.soap.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rmigate.soap.call.CallPermission;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Operation.Parameter;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.type.Binary;
import io.rmigate.soap.type.Structure;
import java.net.URI;
import java.util.List;

/**
 * The OpenAPI 3.1 document of a publication: what {@link JsonFront} takes and answers, for the
 * published object and for the objects to which it gives handles. Only what its reader may call is
 * in it. Of one document.
 */
public final class OpenApiDocument {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String PROBLEM = "Problem";
  private static final String HANDLE = "handle";

  /** Rules for values that no schema can express. */
  private static final String VALUES =
      "A request has a member for each parameter; one that is null is written as null."
          + " Whole numbers (int8 to int64) are JSON numbers without a fraction and without an"
          + " exponent; 1.0, 1e3 and \"1\" are refused. Programs that keep numbers as doubles, as"
          + " JavaScript does, round an int64 beyond 2^53. Exact numbers (big-integer, decimal) are"
          + " strings; JSON numbers are read, too. Where a handle is read, its href alone will do.";

  private final Publication publication;
  private final CallPermission permission;
  private final JsonSchemas schemas = new JsonSchemas();

  private OpenApiDocument(Publication publication, CallPermission permission) {
    this.publication = publication;
    this.permission = permission;
  }

  /**
   * Makes the document.
   *
   * @param address of the published object as clients reach it, without a slash at its end
   */
  public static JsonNode of(Publication publication, URI address, CallPermission permission) {
    return new OpenApiDocument(publication, permission).make(address);
  }

  private ObjectNode make(URI address) {
    ObjectNode document = NODES.objectNode().put("openapi", "3.1.0");
    document
        .putObject("info")
        .put("title", publication.contract().name())
        .put("summary", "Remote objects of " + publication.entry().interfaceName())
        .put("description", VALUES)
        .put("version", "1");
    document.putArray("servers").addObject().put("url", address.toString());
    ObjectNode paths = document.putObject("paths");
    for (Contract contract : publication.contracts()) {
      for (Operation operation : contract.operations()) {
        if (permission.permits(contract, operation)) {
          path(contract, operation, paths);
        }
      }
    }
    schemas.component(PROBLEM, () -> schemas.define(PROBLEM, problem()));
    document.putObject("components").set("schemas", schemas.components());
    return document;
  }

  /** Operations of the published object are below its address; others below their handle. */
  private void path(Contract contract, Operation operation, ObjectNode paths) {
    boolean published = contract.type() == publication.contract().type();
    ObjectNode path =
        paths.putObject(
            published
                ? "/" + operation.name()
                : "/" + contract.name() + "/{" + HANDLE + "}/" + operation.name());
    if (!published) {
      ObjectNode parameter = path.putArray("parameters").addObject();
      parameter.put("name", HANDLE).put("in", "path").put("required", true);
      parameter.putObject("schema").put("type", "string");
    }
    ObjectNode post = path.putObject("post");
    String id = published ? operation.name() : contract.name() + "." + operation.name();
    post.put("operationId", id);
    post.putArray("tags").add(contract.name());
    if (!operation.parameters().isEmpty()) {
      // Generators name the class of the arguments by its title, and make one of two without.
      post.set("requestBody", request(operation, id + ".Request"));
    }
    post.set("responses", responses(operation));
  }

  private ObjectNode request(Operation operation, String title) {
    ObjectNode properties = NODES.objectNode();
    for (Parameter parameter : operation.parameters()) {
      properties.set(parameter.name(), schemas.of(parameter.shape()));
    }
    List<String> required = operation.parameters().stream().map(Parameter::name).toList();
    ObjectNode request = NODES.objectNode().put("required", true);
    ObjectNode content = request.putObject("content");
    content
        .putObject(JsonFront.JSON)
        .set("schema", JsonSchemas.object(properties, required).put("title", title));
    if (JsonFront.takesBytes(operation)) {
      content.putObject(JsonFront.BYTES);
    }
    return request;
  }

  private ObjectNode responses(Operation operation) {
    ObjectNode responses = NODES.objectNode();
    if (operation.result().isEmpty()) {
      responses.putObject("204").put("description", "Done");
    } else {
      ObjectNode content =
          responses.putObject("200").put("description", "The result").putObject("content");
      content.putObject(JsonFront.JSON).set("schema", schemas.of(operation.result().get()));
      if (operation.result().get() instanceof Binary) {
        content.putObject(JsonFront.BYTES);
        responses.putObject("204").put("description", "Null, where bytes were asked for");
      }
    }
    if (!operation.faults().isEmpty()) {
      ObjectNode content =
          responses
              .putObject(Integer.toString(Problem.DECLARED_STATUS))
              .put("description", "A declared exception")
              .putObject("content");
      content.putObject(Problem.JSON_TYPE).set("schema", faults(operation));
    }
    responses
        .putObject("default")
        .put("description", "Any other failure")
        .putObject("content")
        .putObject(Problem.JSON_TYPE)
        .set("schema", NODES.objectNode().put("$ref", "#/components/schemas/" + PROBLEM));
    return responses;
  }

  private ObjectNode faults(Operation operation) {
    ObjectNode schema = NODES.objectNode();
    ArrayNode faults = schema.putArray("oneOf");
    for (Structure fault : operation.faults()) {
      String name = fault.label() + "." + PROBLEM;
      faults.add(schemas.component(name, () -> schemas.define(name, declared(fault))));
    }
    return faults.size() == 1 ? (ObjectNode) faults.get(0) : schema;
  }

  private ObjectNode declared(Structure fault) {
    ObjectNode properties = NODES.objectNode();
    properties.putObject("type").put("type", "string").put("const", Problem.typeOf(fault));
    properties.putObject("title").put("type", "string").put("const", fault.label());
    properties.putObject("status").put("type", "integer").put("const", Problem.DECLARED_STATUS);
    properties.putObject("detail").put("type", "string");
    properties.putObject("executed").put("type", "string").put("const", "yes");
    properties.set("exception", schemas.exception(fault));
    return JsonSchemas.object(
        properties, List.of("type", "title", "status", "executed", "exception"));
  }

  private static ObjectNode problem() {
    ObjectNode properties = NODES.objectNode();
    ArrayNode types = properties.putObject("type").put("type", "string").putArray("enum");
    for (Problem.Kind kind : Problem.Kind.values()) {
      types.add(kind.type());
    }
    properties.putObject("title").put("type", "string");
    properties.putObject("status").put("type", "integer");
    properties.putObject("detail").put("type", "string");
    properties
        .putObject("executed")
        .put("type", "string")
        .putArray("enum")
        .add("yes")
        .add("no")
        .add("unknown");
    properties.putObject("pointer").put("type", "string").put("format", "json-pointer");
    properties.putObject("refusal").put("type", "string");
    return JsonSchemas.object(properties, List.of("type", "title", "status", "detail", "executed"));
  }
}
