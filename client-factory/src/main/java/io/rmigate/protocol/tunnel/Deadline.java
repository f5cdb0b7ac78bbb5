package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.time.Duration;

/**
 * Bounds a request. From the opener it is the time that is left; it goes just before the first
 * data, only if there is a bound. From the acceptor it is the time that was needed to reach the
 * server; it goes just before the acceptor closes the stream with {@link CloseCause#CALL_TIMEOUT}.
 *
 * @param request ordinal of the request in its stream, from 1
 * @param time in whole milliseconds, at most a day
 */
public record Deadline(int stream, long request, Duration time) implements Frame {
  /** No bound is longer. */
  public static final Duration LONGEST = Duration.ofDays(1);

  @Override
  public FrameType type() {
    return FrameType.DEADLINE;
  }

  @Override
  public String detail() {
    return "request %d %d ms".formatted(request, time.toMillis());
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(request);
    out.varint(time.toMillis());
  }

  static Deadline decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Deadline(
        stream, in.varlong(Long.MAX_VALUE), Duration.ofMillis(in.varlong(LONGEST.toMillis())));
  }
}
