package io.rmigate.soap.json;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.Caller;
import io.rmigate.soap.call.FailureText;
import io.rmigate.soap.http.BodyTooLargeException;
import io.rmigate.soap.http.BoundedInput;
import io.rmigate.soap.http.DamagedBodyException;
import io.rmigate.soap.http.HeldOutput;
import io.rmigate.soap.http.HttpReply;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.type.Binary;
import io.rmigate.soap.type.Structure;
import io.rmigate.soap.type.UnreadableValueException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the calls of one contract: reads the arguments, calls, and writes the result or a
 * problem. Nothing is called before all arguments have been read and made. Thread-safe.
 */
public final class JsonFront {
  private static final Logger LOG = LoggerFactory.getLogger(JsonFront.class);

  static final String JSON = "application/json";
  static final String BYTES = "application/octet-stream";

  private final Contract contract;
  private final JsonLimits limits;
  private final ArgumentReader arguments;
  private final JsonFactory factory;

  public JsonFront(Contract contract, JsonLimits limits) {
    this(contract, new JsonDialect(limits));
  }

  JsonFront(Contract contract, JsonDialect dialect) {
    this.contract = contract;
    limits = dialect.limits();
    arguments = dialect.arguments();
    factory = dialect.factory();
  }

  /**
   * Answers one call.
   *
   * @throws IOException the client is gone, or the result failed after its head was sent: the
   *     connection must be cut, so that the client does not take a part for the whole
   */
  public void call(JsonRequest request, Caller caller, HttpReply reply) throws IOException {
    Optional<Operation> operation =
        contract
            .operation(request.operation())
            .filter(found -> caller.permission().permits(contract, found));
    if (operation.isEmpty()) {
      answer(Problem.of(Problem.Kind.NOT_FOUND, "There is no such operation."), reply);
      return;
    }
    Object[] given;
    try {
      given = arguments(operation.get(), request, caller);
    } catch (BadArgumentException e) {
      answer(badArgument(e), reply);
      return;
    } catch (BodyTooLargeException e) {
      answer(Problem.of(Problem.Kind.TOO_LARGE, e.getMessage()), reply);
      return;
    } catch (DamagedBodyException e) {
      answer(Problem.of(Problem.Kind.BAD_ARGUMENT, "The request " + e.getMessage() + "."), reply);
      return;
    } catch (WrongMediaType e) {
      answer(Problem.of(Problem.Kind.MEDIA_TYPE, e.getMessage()), reply);
      return;
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      tell("The arguments of {}.{} could not be made: {}", operation.get(), e);
      answer(Problem.of(Problem.Kind.INTERNAL, "The arguments could not be made."), reply);
      return;
    }
    call(operation.get(), given, request, caller, reply);
  }

  private void tell(String what, Operation operation, Throwable failure) {
    LOG.warn(what, contract.name(), operation.name(), FailureText.of(failure));
    LOG.debug("where {}.{} failed", contract.name(), operation.name(), failure);
  }

  private Problem badArgument(BadArgumentException e) {
    String subject = e.pointer().isEmpty() ? "The request" : e.pointer();
    return new Problem(Problem.Kind.BAD_ARGUMENT, subject + " " + e.getMessage(), e.pointer());
  }

  private static final class WrongMediaType extends Exception {
    private static final long serialVersionUID = 1L;

    WrongMediaType(String message) {
      super(message);
    }
  }

  private Object[] arguments(Operation operation, JsonRequest request, Caller caller)
      throws IOException, BadArgumentException, WrongMediaType {
    String type = request.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    boolean takesBytes = takesBytes(operation);
    if (takesBytes && type.equals(BYTES)) {
      return new Object[] {new BoundedInput(request.body(), limits.bodyBytes()).readAllBytes()};
    }
    boolean nothingIsNeeded = operation.parameters().isEmpty() && type.isEmpty();
    if (!nothingIsNeeded && !type.equals(JSON)) {
      throw new WrongMediaType(
          "This operation takes " + JSON + (takesBytes ? " or " + BYTES : "") + ".");
    }
    return arguments.read(operation, request.body(), request.room(), caller.references());
  }

  /** Whether the bytes alone are enough of a request. */
  static boolean takesBytes(Operation operation) {
    return operation.parameters().size() == 1
        && operation.parameters().get(0).shape() instanceof Binary;
  }

  private void call(
      Operation operation, Object[] given, JsonRequest request, Caller caller, HttpReply reply)
      throws IOException {
    Object result;
    try {
      result = caller.target().call(operation.method(), given);
    } catch (CallFailure e) {
      failed(operation, e, caller, reply);
      return;
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      tell("The call of {}.{} could not be finished: {}", operation, e);
      answer(Problem.of(Problem.Kind.BROKEN, "The call may have been executed."), reply);
      return;
    }
    if (operation.result().isEmpty()) {
      reply.begin(204, "");
    } else if (operation.result().get() instanceof Binary && asBytes(request)) {
      bytes((byte[]) result, reply);
    } else {
      Written written = (json, values) -> values.write(operation.result().get(), result);
      write(written, 200, JSON, operation, caller, reply);
    }
  }

  /**
   * JSON unless the bytes are preferred to it: generated clients name all that a document lists.
   */
  private static boolean asBytes(JsonRequest request) {
    return weight(BYTES, request.accept()) > weight(JSON, request.accept());
  }

  /** How much a media type is wanted that the header Accept names (RFC 9110, 12.4.2, 12.5.1). */
  private static double weight(String type, String accept) {
    for (String range : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = range.split(";", -1);
      if (parts[0].strip().equals(type)) {
        return Stream.of(parts)
            .map(String::strip)
            .filter(part -> part.matches("q=[01](?:\\.[0-9]{0,3})?"))
            .mapToDouble(part -> Double.parseDouble(part.substring(2)))
            .findFirst()
            .orElse(1);
      }
    }
    return 0;
  }

  private static void bytes(byte[] result, HttpReply reply) throws IOException {
    if (result == null) {
      reply.begin(204, "");
      return;
    }
    OutputStream body = reply.begin(200, BYTES);
    body.write(result);
    body.flush();
  }

  private void failed(Operation operation, CallFailure failure, Caller caller, HttpReply reply)
      throws IOException {
    Optional<Structure> declared =
        failure.kind() == CallFailure.Kind.THROWN
            ? operation.fault(failure.getCause())
            : Optional.empty();
    if (declared.isPresent()) {
      Structure fault = declared.get();
      Throwable exception = failure.getCause();
      write(
          (json, values) -> Problem.writeDeclared(fault, exception, json, values),
          Problem.DECLARED_STATUS,
          Problem.JSON_TYPE,
          operation,
          caller,
          reply);
      return;
    }
    LOG.info("{}.{} failed: {}", contract.name(), operation.name(), FailureText.of(failure));
    LOG.debug("where {}.{} failed", contract.name(), operation.name(), failure);
    answer(problem(failure), reply);
  }

  /** Undeclared exceptions tell of the inside of a server: clients see that there was one, only. */
  private static Problem problem(CallFailure failure) {
    return switch (failure.kind()) {
      case THROWN ->
          Problem.of(Problem.Kind.FAILED, "The remote object threw an undeclared exception.");
      case NOT_PERMITTED -> Problem.of(Problem.Kind.NOT_FOUND, "There is no such operation.");
      case NOT_SENDABLE ->
          Problem.of(Problem.Kind.INTERNAL, "The arguments cannot be sent to the remote object.");
      case UNREACHABLE -> Problem.of(Problem.Kind.UNREACHABLE, "Nothing was executed.");
      case LOST -> Problem.of(Problem.Kind.LOST, "The call may have been executed.");
      case TIMED_OUT -> Problem.of(Problem.Kind.TIMED_OUT, "The call may have been executed.");
      case ANSWER_REFUSED -> Problem.of(Problem.Kind.RESULT, "The call was executed.");
      case TOO_MANY -> Problem.of(Problem.Kind.TOO_MANY, "Nothing was executed.");
    };
  }

  private interface Written {
    void to(JsonGenerator json, ValueWriter values)
        throws IOException, UnreadableValueException, CallFailure;
  }

  private void write(
      Written content,
      int status,
      String contentType,
      Operation operation,
      Caller caller,
      HttpReply reply)
      throws IOException {
    HeldOutput out = new HeldOutput(reply, status, contentType, limits.heldBytes());
    JsonGenerator json = factory.createGenerator(out, JsonEncoding.UTF8);
    try {
      content.to(json, new ValueWriter(json, caller.references(), limits.resultDepth()));
      json.close();
      out.finish();
    } catch (UnreadableValueException
        | CallFailure
        | JsonProcessingException
        | RuntimeException
        | LinkageError
        | StackOverflowError e) {
      tell("The answer of {}.{} cannot be shown: {}", operation, e);
      if (out.isBegun()) {
        throw new IOException("the result failed after its head was sent", e);
      }
      answer(notShown(e), reply);
    }
  }

  private static Problem notShown(Throwable failure) {
    return failure instanceof CallFailure held && held.kind() == CallFailure.Kind.TOO_MANY
        ? Problem.of(
            Problem.Kind.TOO_MANY_REFERENCES,
            "The call was executed, but there are too many handles already.")
        : Problem.of(Problem.Kind.RESULT, "The call was executed.");
  }

  private static void answer(Problem problem, HttpReply reply) throws IOException {
    problem.sendTo(reply);
  }
}
