package io.rmigate.gateway.policy.type;

import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ModifiedUtf8;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamObserver;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a Return says of the exception that it carries: the classes and messages of it and of those
 * in it, such as its cause, as far as they are there. It is the server's text, and bounded.
 * Confined to one thread.
 */
public final class ThrownExceptions implements StreamObserver {
  private static final String THROWABLE = "java.lang.Throwable";
  private static final String MESSAGE = "detailMessage";

  /** Exceptions that are told of one Return: the outer ones. */
  private static final int MOST = 4;

  /** Most bytes of a message. */
  private static final int MOST_BYTES = 1000;

  private static final int SHORT_STRING_HEAD = 3;
  private static final int LONG_STRING_HEAD = 9;
  private static final int TC_STRING = 0x74;

  /** An exception; its message is null until it is found. */
  private static final class Thrown {
    final String type;
    String message;

    Thrown(String type) {
      this.type = type;
    }

    @Override
    public String toString() {
      return message == null ? type : type + ": " + message;
    }
  }

  /** An object or a class annotation that has begun and is not complete. */
  private static final class Part {
    /** The exception; null where the object is no exception, or one too many. */
    final Thrown thrown;

    /** Whether this is the annotation of a class, and no part of the enclosing object. */
    final boolean isAnnotation;

    /** The data of {@link Throwable} are being told; null otherwise. */
    StreamClass data;

    /** Parts of these data so far. */
    int count;

    Part(Thrown thrown, boolean isAnnotation) {
      this.thrown = thrown;
      this.isAnnotation = isAnnotation;
    }
  }

  private final byte[] buf;
  private final Deque<Part> open = new ArrayDeque<>();
  private final List<Thrown> all = new ArrayList<>();

  private ThrownExceptions(byte[] buf) {
    this.buf = buf;
  }

  /** Whether a message begins as a Return with an exception. */
  public static boolean isIn(byte[] message, int length) {
    return ReturnHeader.decode(message, 0, length).filter(ReturnHeader::exceptional).isPresent();
  }

  /**
   * The exceptions in a Return, for people; empty if there are none, or no class is complete yet.
   */
  public static Optional<String> text(byte[] message, int length) {
    if (!isIn(message, length)) {
      return Optional.empty();
    }
    ThrownExceptions found = new ThrownExceptions(message);
    MessageGrammar.endOfReply(message, 0, length, found);
    return found.all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            found.all.stream().map(Thrown::toString).collect(Collectors.joining("; with ")));
  }

  private void begin(Thrown thrown, boolean isAnnotation) {
    open.push(new Part(thrown, isAnnotation));
  }

  /** A part of what is open is over. */
  private void told() {
    Part outer = open.peek();
    if (outer != null) {
      outer.count++;
    }
  }

  private void text(int at, long length) {
    Part part = open.peek();
    if (part != null && part.data != null && part.thrown != null && isMessage(part)) {
      int most = (int) Math.min(Math.min(length, MOST_BYTES), buf.length - at);
      part.thrown.message =
          LogText.of(ModifiedUtf8.decode(buf, at, most)) + (most < length ? "…" : "");
    }
    told();
  }

  private static boolean isMessage(Part part) {
    return part.count < part.data.objectFields()
        && part.data.objectField(part.count).equals(MESSAGE);
  }

  private static boolean isThrowable(StreamClass type) {
    for (Optional<StreamClass> up = Optional.of(type); up.isPresent(); up = up.get().superclass()) {
      if (up.get().isNamed(THROWABLE)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void beginAnnotation(StreamClass descriptor) {
    begin(null, true);
  }

  @Override
  public void beginObject(int handle, StreamClass type) {
    Thrown thrown = null;
    if (all.size() < MOST && isThrowable(type)) {
      thrown = new Thrown(LogText.brief(type.name()));
      all.add(thrown);
    }
    begin(thrown, false);
  }

  @Override
  public void onClassData(StreamClass type, int primitivesAt) {
    Part part = open.element();
    part.data = type.isNamed(THROWABLE) ? type : null;
    part.count = 0;
  }

  @Override
  public void beginArray(int handle, StreamClass type, int length, int elementsAt) {
    begin(null, false);
  }

  @Override
  public void beginEnum(int handle, StreamClass type) {
    begin(null, false);
  }

  @Override
  public void onEnd() {
    if (!open.pop().isAnnotation) {
      told();
    }
  }

  @Override
  public void onClass(int handle, StreamClass type) {
    told();
  }

  @Override
  public void onDescriptorObject() {
    told();
  }

  @Override
  public void onString(int handle, int at, int length) {
    text(at, length);
  }

  @Override
  public void onReference(int handle, int stringAt) {
    if (stringAt <= 0) {
      told();
    } else if (buf[stringAt] == TC_STRING) {
      int length = (buf[stringAt + 1] & 0xFF) << 8 | (buf[stringAt + 2] & 0xFF);
      text(stringAt + SHORT_STRING_HEAD, length);
    } else {
      text(stringAt + LONG_STRING_HEAD, MOST_BYTES);
    }
  }

  @Override
  public void onNull() {
    told();
  }

  @Override
  public void onReset() {
    open.clear();
  }
}
