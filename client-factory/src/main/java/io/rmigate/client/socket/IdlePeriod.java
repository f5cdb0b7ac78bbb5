package io.rmigate.client.socket;

import java.time.Duration;
import java.util.Optional;

/**
 * Since when the RMI runtime has not used a connection: it pings one that has rested before it uses
 * it again, unless that was for less than two round trips of its last ping, or 5 ms before the
 * first (JRMP.md 1.4), in whole milliseconds. Confined to the thread that uses the connection.
 */
final class IdlePeriod {
  private static final Duration SPARED_AT_FIRST = Duration.ofMillis(5);

  /** By a call; before the first it has rested for ever. */
  private boolean used;

  private boolean pinged;

  private long sinceNanos;

  /** A call begins. */
  void end() {
    used = true;
  }

  /** Something is read, the last of which ends the use; on the clock of {@link System#nanoTime}. */
  void begin(long nowNanos) {
    sinceNanos = nowNanos;
  }

  /**
   * Whether the runtime would ping, and then does, if pings took a round trip.
   *
   * @param roundTrip empty when that is not known: it would
   */
  boolean isToBePinged(Optional<Duration> roundTrip, long nowNanos) {
    Duration spared =
        pinged ? roundTrip.map(IdlePeriod::spared).orElse(Duration.ZERO) : SPARED_AT_FIRST;
    boolean due = !used || nowNanos - sinceNanos >= spared.toNanos();
    pinged |= due;
    return due;
  }

  private static Duration spared(Duration roundTrip) {
    return Duration.ofMillis(2 * roundTrip.toMillis());
  }
}
