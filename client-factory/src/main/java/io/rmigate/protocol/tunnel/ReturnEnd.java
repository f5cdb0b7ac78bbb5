package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * Nothing more comes for this request: the server ended its connection. The stream stays open. A
 * mark for an older request than the stream's latest is out of date and ignored.
 *
 * @param request ordinal of the request in its stream, from 1
 */
public record ReturnEnd(int stream, long request) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.RETURN_END;
  }

  @Override
  public String detail() {
    return "request " + request;
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(request);
  }

  static ReturnEnd decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new ReturnEnd(stream, in.varlong(Long.MAX_VALUE));
  }
}
