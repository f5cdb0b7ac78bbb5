package io.rmigate.protocol.jrmp;

/**
 * Finds the ends of requests as {@link MessageGrammar} does, of one caller's, one after the other:
 * small ones without a class, which most calls are, in the same memory. Confined to one thread at a
 * time.
 */
public final class RequestGrammar {
  /** Most bytes of a request whose parser is kept for the next request. */
  private static final int SMALL_BYTES = 1024;

  /** The parser of the last request, if it was small and had no class in it; else null. */
  private StreamParser parser;

  /**
   * Finds the end of the request (Call, Ping or DgcAck) that begins at {@code off}.
   *
   * @param observer is told of the Call's header block first, and of what else stands in its stream
   */
  public MessageEnd end(byte[] buf, int off, int len, StreamObserver observer) {
    if (len > SMALL_BYTES) {
      parser = null;
      return MessageGrammar.endOfRequest(buf, off, len, observer);
    }
    if (parser == null) {
      parser = StreamParser.reusable(MessageGrammar.FREE_CLASS_DESCRIPTORS);
    }
    MessageEnd end = MessageGrammar.endOfRequest(buf, off, len, observer, parser);
    if (parser.knowsClasses()) {
      parser = null;
    }
    return end;
  }

  /** Whether the last request was small, and had no class in it. */
  public boolean isBlank() {
    return parser != null;
  }
}
