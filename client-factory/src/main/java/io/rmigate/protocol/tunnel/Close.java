package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The last frame of one side on a stream. When both sides have sent theirs the stream is over and
 * its number may be used again by its opener.
 *
 * @param text why, and whether the request was executed, for the caller; empty: not said, as it is
 *     without {@link Feature#REASONS}
 */
public record Close(int stream, CloseCause cause, String text) implements Frame {

  /** Without a text. */
  public Close(int stream, CloseCause cause) {
    this(stream, cause, "");
  }

  @Override
  public FrameType type() {
    return FrameType.CLOSE;
  }

  @Override
  public String detail() {
    return (cause + " " + text).stripTrailing();
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.u8(cause.code());
    if (!text.isEmpty()) {
      out.text(text);
    }
  }

  static Close decode(int stream, FrameInput in) throws ProtocolViolationException {
    CloseCause cause = CloseCause.of(in.u8());
    if (in.remaining() == 0) {
      return new Close(stream, cause);
    }
    String text = in.text();
    if (text.isEmpty()) {
      throw new ProtocolViolationException("expected no text or one that is not empty");
    }
    return new Close(stream, cause, text);
  }
}
