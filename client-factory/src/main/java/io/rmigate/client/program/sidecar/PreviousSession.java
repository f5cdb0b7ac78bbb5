package io.rmigate.client.program.sidecar;

import java.time.Duration;

/**
 * The session of a sidecar that was killed, which may still have the ports that this one asks for:
 * the gateway keeps it for its grace. After that, a taken port belongs to another client. Confined
 * to the thread that asks.
 */
final class PreviousSession {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Duration slack;
  private boolean awaited;
  private long endNanos;
  private Duration pause;

  /**
   * @param slack how much later than after silence and grace the gateway may give a port back
   * @param firstPause before the port is asked for again; those that follow are longer
   */
  PreviousSession(Duration slack, Duration firstPause) {
    this.slack = slack;
    this.pause = firstPause;
  }

  /**
   * A port is in use: from now on, at the latest, the silence passes, and then the grace.
   *
   * @param silence after which the gateway takes the other sidecar for gone, if its link was by
   *     POSTs: of these nothing else says that there will be no further one
   * @param grace the gateway's; zero if it keeps no sessions
   * @return how long that may take; zero unless this is the first time
   */
  Duration begin(Duration silence, Duration grace) {
    if (awaited) {
      return Duration.ZERO;
    }
    awaited = true;
    Duration longest = grace.isZero() ? Duration.ZERO : silence.plus(grace).plus(slack);
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
