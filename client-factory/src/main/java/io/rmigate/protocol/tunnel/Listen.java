package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The agent's JVM exports objects: the gateway is to listen for inner JVMs that call them. Answered
 * with {@link Listening}.
 *
 * @param listener the agent's number for it, from 1, never used twice in a session
 * @param port the very port; 0: as the gateway pleases
 */
public record Listen(long listener, int port) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.LISTEN;
  }

  @Override
  public String detail() {
    return "%d port %d".formatted(listener, port);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(listener);
    out.u16(port);
  }

  static Listen decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Listen(decodeNumber(in), in.u16());
  }

  /** The number of a listener, with which the bodies of all frames of callbacks begin but one. */
  static long decodeNumber(FrameInput in) throws ProtocolViolationException {
    long listener = in.varlong(Long.MAX_VALUE);
    if (listener == 0) {
      throw new ProtocolViolationException("expected the number of a listener from 1, got 0");
    }
    return listener;
  }
}
