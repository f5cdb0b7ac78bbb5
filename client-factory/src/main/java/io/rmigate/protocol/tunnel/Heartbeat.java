package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * "I am here, are you?" Either side may ask; the answer is a {@link HeartbeatAck} of the same
 * number.
 */
public record Heartbeat(long number) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.HEARTBEAT;
  }

  @Override
  public String detail() {
    return Long.toString(number);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(number);
  }

  static Heartbeat decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Heartbeat(in.varlong(Long.MAX_VALUE));
  }
}
