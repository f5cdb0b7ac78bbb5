package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The stream takes part in a sequence: of the Calls of all streams that do, at most one is at a
 * server at a time, in the order in which they have come. Goes before the stream's first request.
 *
 * @param sequence number, chosen by the agent; the streams with the same one take part together
 * @param endsAtNull whether a Return whose value is null ends the sequence, as an exception does
 */
public record Sequence(int stream, int sequence, boolean endsAtNull) implements Frame {
  private static final int ENDS_AT_NULL = 1;

  @Override
  public FrameType type() {
    return FrameType.SEQUENCE;
  }

  @Override
  public String detail() {
    return "%d%s".formatted(sequence, endsAtNull ? " until null" : "");
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(sequence);
    out.u8(endsAtNull ? ENDS_AT_NULL : 0);
  }

  static Sequence decode(int stream, FrameInput in) throws ProtocolViolationException {
    int sequence = in.varint(Integer.MAX_VALUE);
    int flags = in.u8();
    if (flags > ENDS_AT_NULL) {
      throw new ProtocolViolationException("expected the flags 0 or 1 of a sequence, got " + flags);
    }
    return new Sequence(stream, sequence, flags == ENDS_AT_NULL);
  }
}
