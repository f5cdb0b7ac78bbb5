package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * How a {@link Dirty} went that asked for an answer; unasked, that one has been refused that did
 * not.
 *
 * @param number that of the DIRTY; 0 unasked
 * @param text for the exception's message; empty when held
 */
public record Leased(long number, Outcome outcome, String text) implements Frame {

  /** Outcome of the dirty call. */
  public enum Outcome {
    /** The server has granted a lease on all of them. */
    HELD(0x00),
    /** The gateway's policy or bounds do not allow it; nothing was asked of the server. */
    REFUSED(0x01),
    /** The server has not granted it. The gateway goes on trying. */
    FAILED(0x02);

    private static final Outcome[] BY_CODE = values();

    private final int code;

    Outcome(int code) {
      this.code = code;
    }

    /** The byte on the wire. */
    public int code() {
      return code;
    }

    static Outcome of(int code) throws ProtocolViolationException {
      if (code >= BY_CODE.length) {
        throw new ProtocolViolationException(
            String.format("expected an outcome of a dirty, got 0x%02x", code));
      }
      return BY_CODE[code];
    }
  }

  @Override
  public FrameType type() {
    return FrameType.LEASED;
  }

  @Override
  public String detail() {
    return "%d %s %s".formatted(number, outcome, text);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(number);
    out.u8(outcome.code());
    out.text(text);
  }

  static Leased decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Leased(in.varlong(Long.MAX_VALUE), Outcome.of(in.u8()), in.text());
  }
}
