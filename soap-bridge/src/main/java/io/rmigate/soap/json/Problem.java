package io.rmigate.soap.json;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.http.HttpReply;
import io.rmigate.soap.type.Structure;
import io.rmigate.soap.type.UnreadableValueException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;

/**
 * A failure as its client sees it: a problem document of RFC 9457.
 *
 * @param kind which; its URN is the document's type
 * @param detail for people; says nothing about the inside
 * @param pointer the value in the request that is wrong; empty if that is the request itself, or if
 *     nothing in it is
 */
public record Problem(Kind kind, String detail, String pointer) {
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  static final String JSON_TYPE = "application/problem+json";

  /** Every failure that is not an exception declared by the published interface. */
  public enum Kind {
    BAD_ARGUMENT(400, "Bad argument", "no"),
    NOT_LOGGED_IN(401, "Not logged in", "no"),
    FORBIDDEN(403, "Forbidden", "no"),
    NOT_FOUND(404, "Not found", "no"),
    METHOD(405, "Method not allowed", "no"),
    TOO_SLOW(408, "Request too slow", "no"),
    TOO_LARGE(413, "Request too large", "no"),
    MEDIA_TYPE(415, "Unsupported media type", "no"),
    TOO_MANY(429, "Too many", "no"),
    FAILED(500, "The remote object failed", "yes"),
    RESULT(500, "The result cannot be shown", "yes"),
    TOO_MANY_REFERENCES(500, "Too many handles", "yes"),
    INTERNAL(500, "The gateway failed", "no"),
    BROKEN(500, "The gateway failed during the call", "unknown"),
    BUSY(503, "The gateway is busy", "no"),
    UNREACHABLE(502, "The remote object cannot be reached", "no"),
    LOST(502, "The connection to the remote object was lost", "unknown"),
    TIMED_OUT(504, "The remote object did not answer in time", "unknown");

    private final int status;
    private final String title;
    private final String executed;

    Kind(int status, String title, String executed) {
      this.status = status;
      this.title = title;
      this.executed = executed;
    }

    /** Whether it is by itself a refusal: a request that goes no further. */
    boolean isRefusal() {
      return executed.equals("no") && this != UNREACHABLE && this != NOT_LOGGED_IN;
    }

    /** The HTTP status. */
    public int status() {
      return status;
    }

    /** A title in words. */
    String title() {
      return title;
    }

    /** The problem's type: a name, not an address. */
    String type() {
      return "urn:rmigate:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the method was executed: yes, no or unknown; what a client has to know to retry. */
    String executed() {
      return executed;
    }
  }

  /**
   * Status of an exception that the interface declares: the call was executed, and this is its
   * answer.
   */
  static final int DECLARED_STATUS = 422;

  /** One that no value of the request is the reason of. */
  public static Problem of(Kind kind, String detail) {
    return new Problem(kind, detail, "");
  }

  /** Sends it as the whole answer. */
  public void sendTo(HttpReply reply) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(body, JsonEncoding.UTF8)) {
      write(json, reply.refusal(kind.isRefusal(), kind.title()));
    }
    reply.send(kind.status(), JSON_TYPE, body.toByteArray(), body.size());
  }

  private void write(JsonGenerator json, String refusal) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", kind.type());
    json.writeStringField("title", kind.title());
    json.writeNumberField("status", kind.status());
    json.writeStringField("detail", detail);
    json.writeStringField("executed", kind.executed());
    if (!pointer.isEmpty()) {
      json.writeStringField("pointer", pointer);
    }
    if (!refusal.isEmpty()) {
      json.writeStringField("refusal", refusal);
    }
    json.writeEndObject();
  }

  /** The type of a declared exception's problem. */
  static String typeOf(Structure fault) {
    return "urn:rmigate:exception:" + fault.javaType().getName();
  }

  /** A declared exception, with its properties under its own name so that they meet no others. */
  static void writeDeclared(
      Structure fault, Throwable exception, JsonGenerator json, ValueWriter values)
      throws IOException, UnreadableValueException, CallFailure {
    json.writeStartObject();
    json.writeStringField("type", typeOf(fault));
    json.writeStringField("title", fault.label());
    json.writeNumberField("status", DECLARED_STATUS);
    if (exception.getMessage() != null) {
      json.writeStringField("detail", exception.getMessage());
    }
    json.writeStringField("executed", "yes");
    json.writeFieldName("exception");
    values.write(fault, exception);
    json.writeEndObject();
  }
}
