package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.Optional;

/**
 * The gateway has no binding of a name for the agent to hold. One that the agent holds is void.
 *
 * @param number that of the LOOKUP; 0 when the gateway sends it unasked
 * @param pushed the name, when the gateway sends it unasked; otherwise the LOOKUP has it
 * @param text for the exception's message
 * @param message the registry's exceptional Return, with {@link UnboundReason#NOT_BOUND}; else
 *     empty
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
public record Unbound(
    long number, Optional<RegistryName> pushed, UnboundReason reason, String text, byte[] message)
    implements Frame {
  private static final byte[] NOTHING = {};

  /** The answer to a LOOKUP, without a Return. */
  public static Unbound answer(long number, UnboundReason reason, String text) {
    return new Unbound(number, Optional.empty(), reason, text, NOTHING);
  }

  /** The answer to a LOOKUP that the registry has answered with an exception. */
  public static Unbound notBound(long number, byte[] exceptionalReturn) {
    return new Unbound(number, Optional.empty(), UnboundReason.NOT_BOUND, "", exceptionalReturn);
  }

  /** The agent is to forget what it holds. */
  public static Unbound push(RegistryName name, UnboundReason reason) {
    return new Unbound(0, Optional.of(name), reason, "", NOTHING);
  }

  @Override
  public FrameType type() {
    return FrameType.UNBOUND;
  }

  @Override
  public String detail() {
    return "%d%s %s %s".formatted(number, pushed.map(name -> " " + name).orElse(""), reason, text);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(number);
    pushed.ifPresent(name -> name.encode(out));
    out.u8(reason.code());
    out.text(text);
    out.raw(message, 0, message.length);
  }

  static Unbound decode(int stream, FrameInput in) throws ProtocolViolationException {
    long number = in.varlong(Long.MAX_VALUE);
    Optional<RegistryName> pushed =
        number == 0 ? Optional.of(RegistryName.decode(in)) : Optional.empty();
    UnboundReason reason = UnboundReason.of(in.u8());
    String text = in.text();
    if (reason.isPush() != (number == 0)
        || (reason == UnboundReason.NOT_BOUND) != (in.remaining() > 0)) {
      throw new ProtocolViolationException(
          "expected what belongs to %s, got number %d and a Return of %d bytes"
              .formatted(reason, number, in.remaining()));
    }
    return new Unbound(number, pushed, reason, text, in.rest());
  }
}
