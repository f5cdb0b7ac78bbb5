package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The agent answers no lookup with this binding any more, and has sent every {@link Dirty} for the
 * lookups that it has answered: this agent does not need the gateway's own lease on it.
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
