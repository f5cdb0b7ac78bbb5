package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * Whether the agent would have the gateway code what it sends: the agent is the side that knows
 * what the link is like. The gateway may have its own reasons to do otherwise.
 */
public record Coding(boolean wanted) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.CODING;
  }

  @Override
  public String detail() {
    return wanted ? "on" : "off";
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.u8(wanted ? 1 : 0);
  }

  static Coding decode(int stream, FrameInput in) throws ProtocolViolationException {
    int wanted = in.u8();
    if (wanted > 1) {
      throw new ProtocolViolationException("expected 0 or 1, got 0x%02x".formatted(wanted));
    }
    return new Coding(wanted == 1);
  }
}
