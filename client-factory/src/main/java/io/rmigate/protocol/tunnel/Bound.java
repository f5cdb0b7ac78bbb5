package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.Optional;

/**
 * What a name is bound to. The agent may answer lookups with it until the gateway says otherwise.
 *
 * @param number that of the LOOKUP; 0 when the gateway sends it unasked
 * @param binding from 1, names this binding in {@link Forgot}; each used once in a session
 * @param pushed the name, when the gateway sends it unasked; otherwise the LOOKUP has it
 * @param message the Return of the lookup as the registry has sent it
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
public record Bound(long number, long binding, Optional<RegistryName> pushed, byte[] message)
    implements Frame {

  /** The longest Return that fits beside any name. */
  public static final int MAX_MESSAGE_BYTES =
      Tunnel.MAX_BODY_BYTES - 2 * 9 - 2 * (2 + Tunnel.MAX_TEXT_BYTES) - 2;

  @Override
  public FrameType type() {
    return FrameType.BOUND;
  }

  @Override
  public String detail() {
    return "%d%s binding %d, %d bytes"
        .formatted(number, pushed.map(name -> " " + name).orElse(""), binding, message.length);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(number);
    out.varint(binding);
    pushed.ifPresent(name -> name.encode(out));
    out.raw(message, 0, message.length);
  }

  static Bound decode(int stream, FrameInput in) throws ProtocolViolationException {
    long number = in.varlong(Long.MAX_VALUE);
    long binding = in.varlong(Long.MAX_VALUE);
    Optional<RegistryName> pushed =
        number == 0 ? Optional.of(RegistryName.decode(in)) : Optional.empty();
    if (binding == 0 || in.remaining() == 0) {
      throw new ProtocolViolationException("expected a binding from 1 and a Return, got none");
    }
    return new Bound(number, binding, pushed, in.rest());
  }
}
