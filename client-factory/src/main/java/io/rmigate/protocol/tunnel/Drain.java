package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.time.Duration;

/**
 * From the gateway: it is about to shut down; open no new streams in this session, let calls in
 * flight end. From the agent, in answer: no new request follows.
 *
 * @param within after this time the gateway says goodbye; nothing in the answer
 */
public record Drain(Duration within) implements Frame {

  private static final long MAX_MILLIS = Duration.ofDays(1).toMillis();

  @Override
  public FrameType type() {
    return FrameType.DRAIN;
  }

  @Override
  public String detail() {
    return "within " + within;
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(within.toMillis());
  }

  static Drain decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Drain(Duration.ofMillis(in.varlong(MAX_MILLIS)));
  }
}
