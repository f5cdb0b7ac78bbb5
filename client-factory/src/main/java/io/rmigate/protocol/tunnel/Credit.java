package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/** Allows the other side to send more bytes of {@link Data} on the stream. */
public record Credit(int stream, int moreBytes) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.CREDIT;
  }

  @Override
  public String detail() {
    return moreBytes + " bytes";
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(moreBytes);
  }

  static Credit decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Credit(stream, in.varint(Tunnel.MAX_CREDIT_BYTES));
  }
}
