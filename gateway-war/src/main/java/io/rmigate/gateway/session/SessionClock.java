package io.rmigate.gateway.session;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Times at which one session began, last received bytes, lost its link and ended, compared with
 * {@link SessionSettings}. {@link TunnelSession#tick} draws the conclusions.
 *
 * <pre>
 *   began ── hello within {@link SessionSettings#helloTimeout} ──► heard of, at least every three heartbeats
 *   link lost ── another one within {@link SessionSettings#grace}
 *   ended ── last words within {@link #LAST_WORDS}
 * </pre>
 *
 * All times are of the clock of sessions. Set by the thread that sees the event, read by the
 * registry's timer; thread-safe.
 */
final class SessionClock {
  /** How long the goodbye, and what was queued before it, may take to leave. */
  static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private static final int SILENT_HEARTBEATS = 3;

  private final SessionSettings settings;
  private final LongSupplier nanoTime;
  private final long sinceNanos;
  private volatile long heardNanos;

  /** Only of interest while there is no link. */
  private volatile long lostNanos;

  /** Only of interest once the session has ended. */
  private volatile long endedNanos;

  /**
   * Whether a HELLO that came with a request is all that is heard of the agent, which may never
   * have had the answer.
   */
  private volatile boolean onlyGreeted;

  /** The session begins. */
  SessionClock(SessionSettings settings, LongSupplier nanoTime) {
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.sinceNanos = nanoTime.getAsLong();
    this.heardNanos = sinceNanos;
  }

  /** Bytes of the agent have come. */
  void heard() {
    heardNanos = nanoTime.getAsLong();
    if (onlyGreeted) {
      onlyGreeted = false;
    }
  }

  /** The HELLO that has been heard came with the request for the connection. */
  void onlyGreeted() {
    onlyGreeted = true;
  }

  /** The link is lost. Called before the carrier shows that there is none. */
  void lost() {
    lostNanos = nanoTime.getAsLong();
  }

  /** The session has ended. Said before the registry is told. */
  void ended() {
    endedNanos = nanoTime.getAsLong();
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** When the link was lost, while there is none. */
  long lostNanos() {
    return lostNanos;
  }

  /** Whether an agent should have said hello by now. */
  boolean isHelloLate(long now) {
    return now - sinceNanos > settings.helloTimeout().toNanos();
  }

  /** Whether a link that there is must be dead, for the agent would have sent heartbeats. */
  boolean isSilent(long now) {
    return now - heardNanos > SILENT_HEARTBEATS * settings.heartbeat().toNanos();
  }

  /** Whether nothing comes at the moment, so that small things are done that can wait. */
  boolean isAtRest(long now) {
    return now - heardNanos > settings.heartbeat().toNanos() / 2;
  }

  /** How long an agent that has lost its link has to come back. */
  Duration grace() {
    Duration grace = settings.grace();
    return onlyGreeted && settings.helloTimeout().compareTo(grace) < 0
        ? settings.helloTimeout()
        : grace;
  }

  /** Whether an agent that has lost its link has had its time to come back. */
  boolean isGraceOver(long now) {
    return now - lostNanos > grace().toNanos();
  }

  /** Whether an ended session gives up what it has not sent. */
  boolean areLastWordsOver(long now) {
    return now - endedNanos > LAST_WORDS.toNanos();
  }
}
