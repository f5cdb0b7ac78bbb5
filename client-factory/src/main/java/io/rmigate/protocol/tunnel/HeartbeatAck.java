package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/** The answer to a {@link Heartbeat}, carrying its number. */
public record HeartbeatAck(long number) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.HEARTBEAT_ACK;
  }

  @Override
  public String detail() {
    return Long.toString(number);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(number);
  }

  static HeartbeatAck decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new HeartbeatAck(in.varlong(Long.MAX_VALUE));
  }
}
