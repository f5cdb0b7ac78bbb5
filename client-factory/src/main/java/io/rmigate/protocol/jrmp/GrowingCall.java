package io.rmigate.protocol.jrmp;

/**
 * Finds what stands in a Call that comes in pieces: says of each beginning what {@link
 * MessageGrammar#endOfRequest} says of it. For one Call; not thread-safe.
 */
public final class GrowingCall extends GrowingMessage {

  /**
   * A Call of which {@code observer} is told what stands in it, everything once and as soon as it
   * is there. Positions are indexes into the array that was passed last.
   */
  public GrowingCall(StreamObserver observer) {
    super(Jrmp.CALL, Jrmp.CALL_HEADER_BYTES, observer);
  }

  @Override
  MessageEnd endOfAnother(byte[] buf, int length) {
    return MessageGrammar.endOfRequest(buf, 0, length);
  }
}
