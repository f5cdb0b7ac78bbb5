package io.rmigate.gateway.session;

import java.time.Duration;

/**
 * How far a session has come that was asked to go to another gateway (PROTOCOL.md, section 6,
 * "Drain").
 *
 * <pre>
 *   STAYING ── DRAIN sent ──► ASKED ── DRAIN received, or {@link #PATIENCE} over ──► no new requests
 * </pre>
 *
 * Written by the thread that drains and by the edge's; thread-safe.
 */
final class DrainProgress {
  /** An agent that has not answered within this time may be one that never does. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The longest pause between two requests of an agent over a slow link. */
  private static final Duration BETWEEN_REQUESTS = Duration.ofSeconds(2);

  private volatile boolean asked;
  private volatile long askedNanos;
  private volatile boolean answered;

  /** DRAIN is sent now. */
  void ask(long nowNanos) {
    askedNanos = nowNanos;
    asked = true;
  }

  /** The agent has answered that no new request follows. */
  void onAnswer() {
    answered = true;
  }

  boolean isAsked() {
    return asked;
  }

  boolean isAnswered() {
    return answered;
  }

  /** Whether no new request is to be expected. */
  boolean isOver(long nowNanos) {
    return answered || (asked && isBeyondPatience(nowNanos - askedNanos));
  }

  /** Whether an agent that has been silent for that time may be gone. */
  boolean isBeyondPatience(long nanos) {
    return nanos > PATIENCE.toNanos();
  }

  /**
   * Whether the agent's JVM is gone after that time of silence: it was asked, and has said that it
   * ends. An agent that was not asked may still wait for a long answer.
   */
  boolean isJvmGone(long nanos) {
    return asked && nanos > BETWEEN_REQUESTS.toNanos();
  }
}
