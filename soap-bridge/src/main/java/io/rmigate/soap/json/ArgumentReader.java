package io.rmigate.soap.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.rmigate.soap.call.RemoteReferences;
import io.rmigate.soap.http.BodyRoom;
import io.rmigate.soap.http.BodyTooLargeException;
import io.rmigate.soap.http.BoundedInput;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Operation.Parameter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the arguments of a call: one JSON object with a member for each parameter. Thread-safe. */
final class ArgumentReader {
  private static final int MAX_NUMBER_LENGTH = 1000;
  private static final int MAX_NAME_LENGTH = 1000;

  private final JsonLimits limits;
  private final JsonFactory factory;

  ArgumentReader(JsonLimits limits) {
    this.limits = limits;
    factory =
        new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(limits.depth())
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxNameLength(MAX_NAME_LENGTH)
                    .maxStringLength(limits.textChars())
                    .maxTokenCount(limits.tokens())
                    .build())
            .build();
  }

  /**
   * Reads all arguments. A null is written as one: few methods can do without what a client forgot.
   *
   * @param room for the values
   * @throws BadArgumentException one is not what its parameter takes, or the body is no JSON
   * @throws BodyTooLargeException it has too many bytes
   * @throws IOException it could not be read, or there is no room for its values
   */
  Object[] read(Operation operation, InputStream body, BodyRoom room, RemoteReferences references)
      throws IOException, BadArgumentException {
    BoundedInput bytes = new BoundedInput(body, limits.bodyBytes());
    // Strict, unlike Jackson's own decoder; and of one encoding only.
    Reader text =
        new InputStreamReader(
            bytes,
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT));
    try (JsonParser json = factory.createParser(text)) {
      return arguments(
          operation,
          json,
          new ValueReader(json, references, new ValueRoom(room, bytes::bytesRead)));
    } catch (JsonProcessingException e) {
      throw new BadArgumentException("", "is not valid JSON: " + e.getOriginalMessage());
    } catch (CharacterCodingException e) {
      throw new BadArgumentException("", "is not in UTF-8");
    }
  }

  private static Object[] arguments(Operation operation, JsonParser json, ValueReader reader)
      throws IOException, BadArgumentException {
    List<Parameter> parameters = operation.parameters();
    Object[] arguments = new Object[parameters.size()];
    boolean[] given = new boolean[arguments.length];
    JsonToken first = json.nextToken();
    if (first == null && arguments.length == 0) {
      return arguments;
    }
    if (first != JsonToken.START_OBJECT) {
      throw reader.bad("is not an object of named arguments");
    }
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      int place = operation.position(name);
      reader.firstOf(place, given);
      json.nextToken();
      arguments[place] = reader.read(parameters.get(place).shape());
    }
    for (int i = 0; i < given.length; i++) {
      if (!given[i]) {
        Parameter missing = parameters.get(i);
        throw new BadArgumentException(
            "/" + missing.name(),
            missing.shape().nullable()
                ? "is missing; if null is meant, write null"
                : "is missing, and cannot be null");
      }
    }
    if (json.nextToken() != null) {
      throw reader.bad("has something behind its end");
    }
    return arguments;
  }
}
