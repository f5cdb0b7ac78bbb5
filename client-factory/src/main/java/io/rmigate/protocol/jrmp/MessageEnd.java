package io.rmigate.protocol.jrmp;

import java.util.Optional;

/**
 * What {@link MessageGrammar} can say about the first message in a range of bytes. Dispatch with an
 * {@code instanceof} chain; only a {@link Complete} message may be forwarded.
 */
public sealed interface MessageEnd {

  /** Whether the message is complete and ends before that index. */
  default boolean isCompleteAt(int index) {
    return this instanceof Complete complete && complete.end == index;
  }

  /**
   * The message ends before index {@code end} of the array (an index, not a length). The bytes from
   * there on, if any, do not belong to it: a caller that asked about one declared message refuses
   * it unless {@code end} is the end of its range.
   */
  record Complete(int end) implements MessageEnd {}

  /**
   * The sender's own serialization failed in mid-message: it wrote TC_EXCEPTION and the exception,
   * which ends before index {@code end}, and no more of this message will come. A Call that ends so
   * is never executed; the client closes the connection. After such a Return the server does.
   */
  record Aborted(int end) implements MessageEnd {}

  /** So far there is nothing wrong, but the message goes on after the last byte of the range. */
  record Truncated() implements MessageEnd {
    static final Truncated INSTANCE = new Truncated();
  }

  /**
   * Perhaps honest, but its end cannot be found: an Externalizable without framing whose layout is
   * unknown, or one of the limits of {@link MessageGrammar} was exceeded.
   *
   * @param reason one line for the log
   * @param externalizable the class whose data cannot be skipped, when that is why
   */
  record Unparseable(String reason, Optional<String> externalizable) implements MessageEnd {}

  /**
   * No honest peer sends this.
   *
   * @param reason one line for the log: what was expected, what came, numbers in hex
   * @param at the index at which it was noticed
   */
  record Malformed(String reason, int at) implements MessageEnd {}
}
