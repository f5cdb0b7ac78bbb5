package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamObserver;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Calls by which an agent for traces in a client tells the agent in a server to which trace the
 * next call on that connection belongs. Each kind of agent exports an object with an ObjID of its
 * own.
 *
 * <pre>
 *   operation −1, hash −1   no arguments    is an agent there?
 *   operation −2, hash −2   the context     names and values, all of them strings
 * </pre>
 *
 * <p>These calls are in no interface, so that no jar and no entry of {@code methods} permits them.
 * They pass in exactly these forms and in no other one: older agents deserialize any object
 * (CVE-2026-33701).
 */
enum TraceContext {
  OPENTELEMETRY_MAP("OpenTelemetry", "io.opentelemetry.javaagent.context-call", true),
  OPENTELEMETRY_TEXTS("OpenTelemetry", "io.opentelemetry.javaagent.context-call-v2", false),
  DATADOG_MAP("Datadog", "Datadog.v1.context_call", true),
  DATADOG_TEXTS("Datadog", "Datadog.v2.context_call", false);

  /** More than W3C's trace context and baggage take together. */
  static final int MAX_BYTES = 16 * 1024;

  /** Names with values. */
  static final int MAX_ENTRIES = 1000;

  private static final int QUESTION = -1;
  private static final int CONTEXT = -2;

  private final String agent;
  private final int number;
  private final boolean map;

  /**
   * @param name whose hash code is the number of the agent's object
   * @param map the context is a serialized HashMap; else a count and texts, without an object
   */
  TraceContext(String agent, String name, boolean map) {
    this.agent = agent;
    this.number = name.hashCode();
    this.map = map;
  }

  /** The kind of agent that exports this object; empty when none does. */
  static Optional<TraceContext> of(ObjIdentifier object) {
    return object.unique() == 0 && object.time() == 0 && object.count() == 0
        ? Stream.of(values()).filter(one -> one.number == object.objNum()).findFirst()
        : Optional.empty();
  }

  /** The object of this kind of agent. */
  ObjIdentifier object() {
    return new ObjIdentifier(number, 0, 0, (short) 0);
  }

  /** The objection to the operation; empty when the operation is permitted. */
  Optional<Objection> objection(CallHeader header) {
    return isQuestion(header) || isContext(header)
        ? Optional.empty()
        : Optional.of(objection("operation " + header.operation()));
  }

  /** The objection to a whole call; empty when the call is permitted. */
  Optional<Objection> objection(CallHeader header, byte[] call) {
    if (isQuestion(header)) {
      return Arrays.equals(call, header.encodeCall())
          ? Optional.empty()
          : Optional.of(objection("arguments of a question that has none"));
    }
    if (!isContext(header)) {
      return objection(header);
    }
    return (call.length > MAX_BYTES ? Optional.of("more than 16 KiB") : contents(call))
        .map(this::objection);
  }

  private Optional<String> contents(byte[] call) {
    Contents contents = new Contents(call, map);
    MessageEnd end = MessageGrammar.endOfRequest(call, 0, call.length, contents);
    return end.equals(new MessageEnd.Complete(call.length))
        ? contents.odd()
        : Optional.of("what cannot be read to its end");
  }

  /** Why the call is too long to be one of these. */
  Objection tooLong() {
    return objection("more than 16 KiB");
  }

  private static boolean isQuestion(CallHeader header) {
    return header.operation() == QUESTION && header.hash() == QUESTION;
  }

  private static boolean isContext(CallHeader header) {
    return header.operation() == CONTEXT && header.hash() == CONTEXT;
  }

  /** Whether a record of a call, which does not name the object, may be of one of these. */
  static boolean mayBe(int operation, long hash) {
    return operation == hash && (operation == QUESTION || operation == CONTEXT);
  }

  private Objection objection(String what) {
    return new Objection(Objection.Rule.METHOD, "trace context of " + agent + " with " + what, "");
  }

  /** Looks for what is not in the form. */
  private static final class Contents implements StreamObserver {
    private static final String MAP = "java.util.HashMap";
    private static final String NOT_TOLD = "what is no string";

    private final byte[] call;
    private final boolean map;
    private final ByteArrayOutputStream blocks = new ByteArrayOutputStream();

    /** Number of open elements: the map is 1. */
    private int depth;

    private int objects;
    private int strings;
    private boolean annotation;

    /** The first thing that is not in the form; null while there is none. */
    private String odd;

    Contents(byte[] call, boolean map) {
      this.call = call;
      this.map = map;
    }

    Optional<String> odd() {
      if (odd == null) {
        odd = map ? oddMap() : oddTexts(blocks.toByteArray());
      }
      return Optional.ofNullable(odd);
    }

    private String oddMap() {
      if (objects != 1 || blocks.size() != Jrmp.CALL_HEADER_BYTES) {
        return "something beside its map";
      }
      return strings <= 2 * MAX_ENTRIES ? null : "more than " + MAX_ENTRIES + " entries";
    }

    private static String oddTexts(byte[] bytes) {
      ByteBuffer texts =
          ByteBuffer.wrap(bytes, Jrmp.CALL_HEADER_BYTES, bytes.length - Jrmp.CALL_HEADER_BYTES);
      int entries = texts.remaining() < Integer.BYTES ? -1 : texts.getInt();
      if (entries < 0 || entries > MAX_ENTRIES) {
        return entries < 0 ? "no count" : "more than " + MAX_ENTRIES + " entries";
      }
      for (int i = 0; i < 2 * entries; i++) {
        int length = texts.remaining() < Short.BYTES ? -1 : texts.getShort() & 0xFFFF;
        if (length < 0 || length > texts.remaining()) {
          return "texts that are not there";
        }
        texts.position(texts.position() + length);
      }
      return texts.hasRemaining() ? "something behind its texts" : null;
    }

    private void odd(String what) {
      odd = odd == null ? what : odd;
    }

    private void string() {
      if (annotation) {
        return; // a codebase, of which other rules say what they say
      }
      if (map && depth == 1) {
        strings++;
      } else {
        odd("a string that is not in its map");
      }
    }

    @Override
    public void onClassDescriptor(StreamClass descriptor) {
      if (!map || descriptor.isProxy() || !descriptor.isNamed(MAP)) {
        odd(descriptor.isProxy() ? "a proxy" : Objection.printable(descriptor.name()));
      }
    }

    @Override
    public void beginAnnotation(StreamClass descriptor) {
      depth++;
      annotation = true;
    }

    @Override
    public void beginObject(int handle, StreamClass type) {
      objects++;
      depth++;
      if (!map || depth > 1) {
        odd(NOT_TOLD);
      }
    }

    @Override
    public void onString(int handle, int at, int length) {
      string();
    }

    @Override
    public void onReference(int handle, int stringAt) {
      if (stringAt > 0) {
        string();
      } else {
        odd(NOT_TOLD);
      }
    }

    @Override
    public void onBlockData(int at, int length) {
      if (depth == 0) {
        blocks.write(call, at, length);
      }
    }

    @Override
    public void onNull() {
      if (!annotation) {
        odd("null");
      }
    }

    @Override
    public void onDescriptorObject() {
      odd(NOT_TOLD);
    }

    @Override
    public void beginArray(int handle, StreamClass type, int length, int elementsAt) {
      odd(NOT_TOLD);
      depth++;
    }

    @Override
    public void beginEnum(int handle, StreamClass type) {
      odd(NOT_TOLD);
      depth++;
    }

    @Override
    public void onClass(int handle, StreamClass type) {
      odd(NOT_TOLD);
    }

    @Override
    public void onEnd() {
      depth--;
      annotation = false;
    }

    @Override
    public void onReset() {
      odd(NOT_TOLD);
    }
  }
}
