package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The last frame of one side on a stream. When both sides have sent theirs the stream is over and
 * its number may be used again by its opener.
 */
public record Close(int stream, CloseCause cause) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.CLOSE;
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.u8(cause.code());
  }

  static Close decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Close(stream, CloseCause.of(in.u8()));
  }
}
