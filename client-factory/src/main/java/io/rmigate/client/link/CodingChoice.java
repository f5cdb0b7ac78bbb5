package io.rmigate.client.link;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Decides, for {@code compression=auto}, whether bytes cost more than the time it takes to code
 * them. They do unless the gateway is near and the link is fast: on a local network, or on one
 * machine, coding would only add to every call. What makes the difference once does not unmake it
 * before it is clear: between the two thresholds of each measure things stay as they are.
 *
 * <pre>
 *                          plain, if both           coded, if one
 *   shortest round trip    below 3 ms               5 ms and more; 50 ms before there are three
 *   best rate, if known    above 4 MB/s             below 2 MB/s
 * </pre>
 *
 * <p>The first round trip, from hello to welcome, is often that of a JVM that has to load its
 * classes first. So a doubtful one is followed by a few more: heartbeats that go out together with
 * requests ({@link #isProbeDue}), and cost a few bytes and no thread. Later there is one now and
 * then.
 *
 * <p>Threads: {@link #decide} is confined to the reader of the link, {@link #isProbeDue} may be
 * called from any.
 */
final class CodingChoice {
  static final Duration NEAR = Duration.ofMillis(3);
  static final Duration FAR = Duration.ofMillis(5);
  static final Duration SURELY_FAR = Duration.ofMillis(50);
  static final long SLOW_BYTES_PER_SECOND = 2_000_000;
  static final long FAST_BYTES_PER_SECOND = 4_000_000;

  /** Round trips that settle a doubt. */
  static final int ENOUGH_ROUND_TRIPS = 3;

  /** The age at which a round trip is out of date. */
  static final Duration NOW_AND_THEN = Duration.ofSeconds(30);

  private final LinkGauge gauge;
  private final LongSupplier nanoClock;
  private boolean coded;

  /** When the next probe may go; moved on when one does, and when the first ones have sufficed. */
  private volatile long nextProbeNanos;

  CodingChoice(LinkGauge gauge, LongSupplier nanoClock) {
    this.gauge = gauge;
    this.nanoClock = nanoClock;
    this.nextProbeNanos = nanoClock.getAsLong();
  }

  /** Whether to code, by what is known now. */
  boolean decide() {
    OptionalLong roundTrip = gauge.roundTripNanos();
    if (roundTrip.isEmpty()) {
      return coded;
    }
    boolean enough = gauge.roundTrips() >= ENOUGH_ROUND_TRIPS;
    Duration limit = coded ? NEAR : enough ? FAR : SURELY_FAR;
    boolean far = roundTrip.getAsLong() >= limit.toNanos();
    OptionalLong rate = gauge.bytesPerSecond();
    boolean slow =
        rate.isPresent()
            && rate.getAsLong() < (coded ? FAST_BYTES_PER_SECOND : SLOW_BYTES_PER_SECOND);
    coded = far || slow;
    if (enough || roundTrip.getAsLong() < NEAR.toNanos()) {
      nextProbeNanos = nanoClock.getAsLong() + NOW_AND_THEN.toNanos();
    }
    return coded;
  }

  /**
   * Whether a heartbeat should go out with what is about to be sent.
   *
   * @param nowNanos on this choice's clock
   */
  boolean isProbeDue(long nowNanos) {
    return nowNanos - nextProbeNanos >= 0 && !gauge.isWaiting();
  }
}
