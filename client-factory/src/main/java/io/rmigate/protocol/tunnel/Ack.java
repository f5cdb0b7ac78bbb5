package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * Says how much of the session has come, so that the peer need not keep it any longer.
 *
 * @param received bytes, counted since the beginning of the session (PROTOCOL.md, section 6)
 */
public record Ack(long received) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.ACK;
  }

  @Override
  public String detail() {
    return received + " bytes";
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(received);
  }

  static Ack decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Ack(in.varlong(Long.MAX_VALUE));
  }
}
