package io.rmigate.protocol.jrmp;

/**
 * Finds the end of a Return that comes in pieces: says of each beginning what {@link
 * MessageGrammar#endOfReply} says of it. For one Return; not thread-safe.
 */
public final class GrowingReturn extends GrowingMessage {

  /** A Return of which only the end is asked. */
  public GrowingReturn() {
    this(null);
  }

  /**
   * A Return of which {@code observer} is told what stands in it, everything once and as soon as it
   * is there. Positions are indexes into the array that was passed last.
   */
  public GrowingReturn(StreamObserver observer) {
    super(Jrmp.RETURN, Jrmp.RETURN_HEADER_BYTES, observer);
  }

  @Override
  MessageEnd endOfAnother(byte[] buf, int length) {
    return MessageGrammar.endOfReply(buf, 0, length);
  }
}
