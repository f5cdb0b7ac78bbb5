package io.rmigate.client.sidecar;

import java.time.Duration;

/**
 * The session of a sidecar that was killed, which may still have the ports that this one asks for:
 * the gateway keeps it for its grace. Who has such a port after that is somebody else. Confined to
 * the thread that asks.
 */
final class SessionBefore {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Duration noticed;
  private boolean awaited;
  private long endNanos;
  private Duration pause;

  /**
   * @param noticed how long the gateway may need to notice that the other sidecar has gone, and
   *     afterwards that the grace is over
   * @param firstPause before the port is asked for again; those that follow are longer
   */
  SessionBefore(Duration noticed, Duration firstPause) {
    this.noticed = noticed;
    this.pause = firstPause;
  }

  /**
   * A port is in use: from now on, at the latest, the grace passes.
   *
   * @param grace the gateway's; zero if it keeps no sessions
   * @return how long that may take; zero unless this is the first time
   */
  Duration begin(Duration grace) {
    if (awaited) {
      return Duration.ZERO;
    }
    awaited = true;
    Duration longest = grace.isZero() ? Duration.ZERO : grace.plus(noticed);
    endNanos = System.nanoTime() + longest.toNanos();
    return longest;
  }

  /** When to ask again; zero when that session is over, if there ever was one. */
  Duration pause() {
    Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    Duration next = shorter(pause, left);
    pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
    return next;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
