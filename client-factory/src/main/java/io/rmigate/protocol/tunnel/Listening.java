package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * Answers a {@link Listen}.
 *
 * @param listener as in the question
 * @param port on which inner JVMs may connect from now on; 0 when there is none
 * @param text for the exception's message; empty when there is a port
 */
public record Listening(long listener, Outcome outcome, int port, String text) implements Frame {

  /** Outcome of the request to listen. */
  public enum Outcome {
    /** Inner JVMs may connect. */
    LISTENING(0x00),
    /** The port that was asked for is not free. */
    PORT_IN_USE(0x01),
    /** The gateway's policy does not allow it. */
    NOT_PERMITTED(0x02),
    /** The gateway's bounds, or its range of ports, are exhausted. */
    TOO_MANY(0x03),
    /** The gateway could not do it. */
    FAILED(0x04);

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
            String.format("expected an outcome of a listen, got 0x%02x", code));
      }
      return BY_CODE[code];
    }
  }

  /** The gateway listens at {@code port}. */
  public static Listening on(long listener, int port) {
    return new Listening(listener, Outcome.LISTENING, port, "");
  }

  /** The gateway does not listen. */
  public static Listening refused(long listener, Outcome outcome, String text) {
    return new Listening(listener, outcome, 0, text);
  }

  @Override
  public FrameType type() {
    return FrameType.LISTENING;
  }

  @Override
  public String detail() {
    return "%d %s port %d %s".formatted(listener, outcome, port, text);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(listener);
    out.u8(outcome.code());
    out.u16(port);
    out.text(text);
  }

  static Listening decode(int stream, FrameInput in) throws ProtocolViolationException {
    Listening listening =
        new Listening(Listen.decodeNumber(in), Outcome.of(in.u8()), in.u16(), in.text());
    if ((listening.outcome == Outcome.LISTENING) == (listening.port == 0)) {
      throw new ProtocolViolationException(
          "expected a port exactly with LISTENING, got "
              + listening.outcome
              + " and port "
              + listening.port);
    }
    return listening;
  }
}
