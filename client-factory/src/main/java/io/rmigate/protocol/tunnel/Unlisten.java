package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The agent's JVM has closed a listener: its port is free. What was accepted there before lives on.
 *
 * @param listener as in {@link Listen}
 */
public record Unlisten(long listener) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.UNLISTEN;
  }

  @Override
  public String detail() {
    return Long.toString(listener);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(listener);
  }

  static Unlisten decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Unlisten(Listen.decodeNumber(in));
  }
}
