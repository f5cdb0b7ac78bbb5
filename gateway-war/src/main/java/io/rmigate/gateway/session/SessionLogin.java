package io.rmigate.gateway.session;

import io.rmigate.gateway.login.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The login by which a session goes on: the latest proof of who asks, and until when it holds.
 *
 * <pre>
 *   HOLDS ── its time is over, or it is found not to hold ──► EXPIRED: no new request is let through
 *     ▲                                                          │
 *     └───────── the agent comes back with a new login ──────────┘
 * </pre>
 *
 * {@link TunnelSession} sees to it that the same principal comes back. Changed with {@code
 * TunnelSession.reading} held, except that the registry's timer says when it has expired; read from
 * any thread.
 */
final class SessionLogin {
  /** Upper limit for tokens; keeps the sums of nanoseconds in range. */
  private static final Duration LONGEST = Duration.ofDays(3650);

  private volatile Principal proven;

  /** on the clock of sessions; empty when the proof of who asks does not expire. */
  private volatile Optional<Long> endsNanos;

  private volatile boolean expired;

  /**
   * @param since now
   * @param sinceNanos the same on the clock of sessions
   */
  SessionLogin(Principal principal, Instant since, long sinceNanos) {
    this.proven = principal;
    this.endsNanos =
        principal.expires().map(end -> sinceNanos + nanos(Duration.between(since, end)));
  }

  private static long nanos(Duration rest) {
    return rest.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : rest.toNanos();
  }

  /** The principal, as the latest login has proven it. */
  Principal proven() {
    return proven;
  }

  /** The agent has come back with that one. */
  synchronized void renew(SessionLogin later) {
    proven = later.proven;
    endsNanos = later.endsNanos;
    expired = false;
  }

  /**
   * The login was found invalid. No effect if the agent has logged in again since, or if the login
   * has ended anyway.
   *
   * @param asked the principal whose login is invalid
   * @return whether the login ends now by this call
   */
  synchronized boolean revoke(Principal asked, long now) {
    if (!proven.equals(asked) || isOver(now)) {
      return false;
    }
    endsNanos = Optional.of(now - 1);
    return true;
  }

  /**
   * Whether its time is over: no request is let through any more, until it is renewed. Not between
   * the two, or what has been renewed meanwhile would stay expired.
   */
  synchronized boolean expireIfOver(long now) {
    if (!isOver(now)) {
      return false;
    }
    expired = true;
    return true;
  }

  /** Whether its time is over. */
  boolean isOver(long now) {
    return endsNanos.filter(end -> now - end > 0).isPresent();
  }

  /** Whether no new request may be let through. */
  boolean hasExpired() {
    return expired;
  }
}
