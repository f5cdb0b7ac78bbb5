package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ModifiedUtf8;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What an exceptional Return says, for people: the class of the exception and the messages in it,
 * outermost first. Nothing is deserialized, no class is loaded.
 *
 * @param type name of the exception's class, as the sender writes it
 * @param messages of the exception and of those it holds, in stream order; at most {@link
 *     #MAX_MESSAGES}
 */
public record ThrownView(String type, List<String> messages) {
  static final int MAX_MESSAGES = 4;
  private static final int MAX_MESSAGE_BYTES = 2000;
  private static final String FRAME = "java.lang.StackTraceElement";

  public ThrownView {
    messages = List.copyOf(messages);
  }

  /**
   * Reads the Return that fills the range.
   *
   * @return empty when it is no exceptional one
   */
  public static Optional<ThrownView> of(byte[] b, int off, int len) {
    Optional<String> type = ExceptionalReturn.exceptionClass(b, off, len);
    if (type.isEmpty()) {
      return Optional.empty();
    }
    Messages messages = new Messages(b);
    MessageGrammar.endOfReply(b, off, len, messages);
    return Optional.of(new ThrownView(type.get(), messages.found));
  }

  /** {@code java.rmi.ConnectException: Connection refused to host: a (not permitted)}. */
  @Override
  public String toString() {
    return messages.isEmpty()
        ? type
        : type
            + ": "
            + messages.get(0)
            + (messages.size() > 1
                ? " (" + String.join("; ", messages.subList(1, messages.size())) + ")"
                : "");
  }

  /** Strings that stand in an object itself, but not in the lines of a stack trace. */
  private static final class Messages implements StreamObserver {
    private final byte[] bytes;
    private final List<String> found = new ArrayList<>();

    /** Open contents, the innermost first: whether strings in each are messages. */
    private final Deque<Boolean> open = new ArrayDeque<>();

    Messages(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void beginAnnotation(StreamClass descriptor) {
      open.push(false);
    }

    @Override
    public void beginObject(int handle, StreamClass type) {
      open.push(!type.isNamed(FRAME));
    }

    @Override
    public void beginArray(int handle, StreamClass type, int length, int elementsAt) {
      open.push(false);
    }

    @Override
    public void beginEnum(int handle, StreamClass type) {
      open.push(false);
    }

    @Override
    public void onEnd() {
      open.poll();
    }

    @Override
    public void onString(int handle, int at, int length) {
      if (Boolean.TRUE.equals(open.peek()) && found.size() < MAX_MESSAGES && length > 0) {
        String text = ModifiedUtf8.decode(bytes, at, Math.min(length, MAX_MESSAGE_BYTES));
        String line = LogText.of(text.replaceAll("\\s+", " ")).strip();
        if (!found.contains(line)) {
          found.add(line);
        }
      }
    }
  }
}
