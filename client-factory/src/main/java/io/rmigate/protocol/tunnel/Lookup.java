package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The agent's JVM looks a name up, and the agent holds no binding of it. Answered by {@link Bound}
 * or {@link Unbound} with the same number.
 *
 * @param number from 1, each used once in a session
 * @param fresh the registry is to be asked even if the gateway knows a binding, because the one
 *     that the agent held was wrong
 */
public record Lookup(long number, boolean fresh, RegistryName name) implements Frame {
  private static final int FRESH = 1;

  @Override
  public FrameType type() {
    return FrameType.LOOKUP;
  }

  @Override
  public String detail() {
    return "%d %s%s".formatted(number, name, fresh ? " fresh" : "");
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(number);
    out.u8(fresh ? FRESH : 0);
    name.encode(out);
  }

  static Lookup decode(int stream, FrameInput in) throws ProtocolViolationException {
    long number = in.varlong(Long.MAX_VALUE);
    int flags = in.u8();
    if (number == 0 || flags > FRESH) {
      throw new ProtocolViolationException(
          "expected a number from 1 and flags up to 1, got %d and 0x%02x".formatted(number, flags));
    }
    return new Lookup(number, flags == FRESH, RegistryName.decode(in));
  }
}
