package io.rmigate.client.link;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import java.time.Duration;

/**
 * The latest request of a stream, and how far its answer has come. One object serves all requests
 * of a stream. Guarded by the lock of the stream; the thread that converses may read what {@link
 * #begin} sets without it.
 */
final class StreamRequest {
  private long number;

  /** The unit that the request begins in ({@link Carrier#isHandedOver}); 0 before the first. */
  private long unit;

  private boolean isSending;
  private long sentBytes;
  private boolean returnEnded;
  private Refused refusal;

  private CallClock clock = CallClock.UNBOUNDED;

  /** Null when the request has no deadline. */
  private QueuedRequest queued;

  /** Whether a DEADLINE goes before the next data. */
  private boolean deadlineDue;

  private boolean deadlineTold;
  private boolean answerBegun;

  /** Round-trip time of the link when the request began. */
  private long roundTripNanos;

  /** How long the gateway needed to connect to the server; zero until the gateway has told. */
  private Duration connect = Duration.ZERO;

  /**
   * The next request begins; the state of the one before is forgotten.
   *
   * @param bounded the part of it that waits to be written; null when it has no deadline
   * @param tellsDeadline whether the gateway has to be told of the deadline
   * @param linkRoundTripNanos the link's now
   */
  void begin(
      CallClock bound, QueuedRequest bounded, boolean tellsDeadline, long linkRoundTripNanos) {
    isSending = true;
    unit = 0;
    sentBytes = 0;
    number++;
    returnEnded = false;
    refusal = null;
    clock = bound;
    queued = bounded;
    deadlineDue = tellsDeadline;
    deadlineTold = false;
    answerBegun = false;
    roundTripNanos = linkRoundTripNanos;
    connect = Duration.ZERO;
  }

  /**
   * All of the request has been sent, or nothing more will be.
   *
   * @return false when that was known before
   */
  boolean endSending() {
    boolean ends = isSending;
    isSending = false;
    return ends;
  }

  CallClock clock() {
    return clock;
  }

  boolean isBounded() {
    return queued != null;
  }

  /** The part of the request that waits to be written; null when the request has no deadline. */
  QueuedRequest queued() {
    return queued;
  }

  long unit() {
    return unit;
  }

  /** Data of the request leaves with that unit. */
  void onSent(long withUnit) {
    unit = unit == 0 ? withUnit : unit;
  }

  long sentBytes() {
    return sentBytes;
  }

  void addSentBytes(int bytes) {
    sentBytes += bytes;
  }

  /** The DEADLINE that goes before the next data; null when none does. */
  Deadline takeDeadline(int stream) {
    if (!deadlineDue) {
      return null;
    }
    deadlineDue = false;
    deadlineTold = true;
    // The gateway gets the time less one round trip, so that its refusal arrives in time.
    long left = Math.max(0, clock.leftNanos());
    long there = left - Math.min(roundTripNanos, left / 2);
    return new Deadline(stream, number, Duration.ofNanos(Math.max(1_000_000, there)));
  }

  boolean isDeadlineTold() {
    return deadlineTold;
  }

  void onAnswerData() {
    answerBegun = true;
  }

  boolean isAnswerBegun() {
    return answerBegun;
  }

  void onReturnEnd(ReturnEnd end) {
    returnEnded |= end.request() == number;
  }

  boolean isReturnEnded() {
    return returnEnded;
  }

  void onRefused(Refused refused) {
    if (refused.request() == number) {
      refusal = refused;
    }
  }

  /** Null when the gateway has not refused the request. */
  Refused refusal() {
    return refusal;
  }

  void onDeadline(Deadline told) {
    if (told.request() == number) {
      connect = told.time();
    }
  }

  Duration connect() {
    return connect;
  }
}
