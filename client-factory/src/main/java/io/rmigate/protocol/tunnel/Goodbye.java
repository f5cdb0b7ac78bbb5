package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * Ends the session: the last frame of the side that sends it.
 *
 * @param text for the log of the other side; may be empty, never holds anything secret
 */
public record Goodbye(CloseCause cause, String text) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.GOODBYE;
  }

  @Override
  public String detail() {
    return cause + " " + text;
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.u8(cause.code());
    out.text(text);
  }

  static Goodbye decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Goodbye(CloseCause.of(in.u8()), in.text());
  }
}
