package io.rmigate.client.link;

import io.rmigate.protocol.tunnel.Heartbeat;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Measurements of a link by its own traffic: the shortest of the latest round trips, and the best
 * of the latest rates.
 *
 * <p>A round trip is that of a heartbeat, or of hello and welcome: the gateway answers both at
 * once. The rate is that of reading on while a frame is incomplete: then its rest is on its way,
 * and what the reader waits for is the link, and neither a server nor itself.
 *
 * <p>Threads: {@link #onRead} is confined to the reader of the link; the rest may be called from
 * any. Lock: {@code lock} guards the round trips.
 */
final class LinkGauge {
  /** The number of latest round trips, and of latest rates, that count. */
  private static final int SAMPLES = 8;

  /** Received bytes over which one rate is measured. */
  private static final int STRETCH_BYTES = 64 * 1024;

  /** Fewer rates than that may be an accident. */
  private static final int ENOUGH_RATES = 2;

  private static final long NONE = -1;

  private final LongSupplier nanoClock;

  private final ReentrantLock lock = new ReentrantLock();
  private final long[] roundTrips = new long[SAMPLES];
  private long roundTripCount;
  private long heartbeats;
  private long awaited = NONE;
  private long awaitedSinceNanos;

  // Confined to the reader.
  private final long[] rates = new long[SAMPLES];
  private long rateCount;
  private long stretchBytes;
  private long stretchNanos;

  private volatile long bytesPerSecond = NONE;

  /**
   * @param nanoClock such as {@link System#nanoTime}
   */
  LinkGauge(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** A heartbeat, to be sent at once: its answer makes a round trip. */
  Heartbeat heartbeat() {
    lock.lock();
    try {
      heartbeats++;
      awaited = heartbeats;
      awaitedSinceNanos = nanoClock.getAsLong();
      return new Heartbeat(heartbeats);
    } finally {
      lock.unlock();
    }
  }

  /**
   * A heartbeat has been answered.
   *
   * @return whether this has made a round trip: it was the latest
   */
  boolean onAck(long number) {
    lock.lock();
    try {
      if (number != awaited) {
        return false;
      }
      awaited = NONE;
      onRoundTrip(nanoClock.getAsLong() - awaitedSinceNanos);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Something has been answered that a gateway answers at once. */
  void onRoundTrip(long nanos) {
    lock.lock();
    try {
      roundTrips[(int) (roundTripCount++ % SAMPLES)] = nanos;
    } finally {
      lock.unlock();
    }
  }

  /** The shortest of the latest round trips; empty while there was none. */
  OptionalLong roundTripNanos() {
    lock.lock();
    try {
      if (roundTripCount == 0) {
        return OptionalLong.empty();
      }
      long shortest = Long.MAX_VALUE;
      for (int i = 0; i < Math.min(roundTripCount, SAMPLES); i++) {
        shortest = Math.min(shortest, roundTrips[i]);
      }
      return OptionalLong.of(shortest);
    } finally {
      lock.unlock();
    }
  }

  /** How many round trips there have been. */
  long roundTrips() {
    lock.lock();
    try {
      return roundTripCount;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a heartbeat is unanswered. */
  boolean isWaiting() {
    lock.lock();
    try {
      return awaited != NONE;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Bytes were read whose frame had begun before.
   *
   * @param nanos since the read before
   * @return whether a rate has come of it
   */
  boolean onRead(int bytes, long nanos) {
    stretchBytes += bytes;
    stretchNanos += Math.max(1, nanos);
    if (stretchBytes < STRETCH_BYTES) {
      return false;
    }
    rates[(int) (rateCount++ % SAMPLES)] = (long) (stretchBytes * 1e9 / stretchNanos);
    stretchBytes = 0;
    stretchNanos = 0;
    if (rateCount >= ENOUGH_RATES) {
      long best = 0;
      for (long rate : rates) {
        best = Math.max(best, rate);
      }
      bytesPerSecond = best;
    }
    return true;
  }

  /** The best of the latest rates of receiving; empty while there are too few. */
  OptionalLong bytesPerSecond() {
    long known = bytesPerSecond;
    return known == NONE ? OptionalLong.empty() : OptionalLong.of(known);
  }
}
