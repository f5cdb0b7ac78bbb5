package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * A request was certainly not delivered: no byte of it reached an RMI server. The stream stays
 * open.
 *
 * @param request ordinal of the request in its stream, from 1
 * @param text for the exception's message
 */
public record Refused(int stream, long request, RefusalReason reason, String text)
    implements Frame {

  @Override
  public FrameType type() {
    return FrameType.REFUSED;
  }

  @Override
  public String detail() {
    return "request %d %s %s".formatted(request, reason, text);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(request);
    out.u8(reason.code());
    out.text(text);
  }

  static Refused decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Refused(stream, in.varlong(Long.MAX_VALUE), RefusalReason.of(in.u8()), in.text());
  }
}
