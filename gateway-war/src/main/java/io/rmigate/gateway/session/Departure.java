package io.rmigate.gateway.session;

import java.time.Duration;

/**
 * How far a session has come that has been asked to go elsewhere (PROTOCOL.md, section 6, "Drain").
 *
 * <pre>
 *   STAYING ── DRAIN sent ──► ASKED ── DRAIN received, or its time is over ──► no new requests
 * </pre>
 *
 * Written by the thread that drains and by the edge's; thread-safe.
 */
final class Departure {
  /** An agent that has not answered by then may be one that does not. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** As long as an agent may take from one request to the next over a slow link. */
  private static final Duration BETWEEN_REQUESTS = Duration.ofSeconds(2);

  private volatile boolean asked;
  private volatile long askedNanos;
  private volatile boolean gone;

  /** The agent is asked now. */
  void ask(long nowNanos) {
    askedNanos = nowNanos;
    asked = true;
  }

  /** The agent has said that no new request follows. */
  void onAnswer() {
    gone = true;
  }

  boolean isAsked() {
    return asked;
  }

  /** Whether the agent has said that no new request follows. */
  boolean isAnswered() {
    return gone;
  }

  /** Whether no request need be expected any more. */
  boolean isOver(long nowNanos) {
    return gone || (asked && isBeyondPatience(nowNanos - askedNanos));
  }

  /** Whether an agent that has been silent for so long may be gone. */
  boolean isBeyondPatience(long nanos) {
    return nanos > PATIENCE.toNanos();
  }

  /**
   * Whether an agent that has been asked, has said that its JVM ends, and has been silent for so
   * long is gone. One that has not been asked may still be busy with a long answer.
   */
  boolean isJvmGone(long nanos) {
    return asked && nanos > BETWEEN_REQUESTS.toNanos();
  }
}
