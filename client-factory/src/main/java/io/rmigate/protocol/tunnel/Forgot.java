package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The agent answers no lookup with this binding any more, and for those that it has answered every
 * {@link Dirty} has been sent: the gateway's own lease on it is not needed for this agent's sake.
 *
 * @param binding as in {@link Bound}
 */
public record Forgot(long binding) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.FORGOT;
  }

  @Override
  public String detail() {
    return "binding " + binding;
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(binding);
  }

  static Forgot decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Forgot(in.varlong(Long.MAX_VALUE));
  }
}
