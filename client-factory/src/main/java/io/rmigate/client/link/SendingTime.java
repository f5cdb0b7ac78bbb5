package io.rmigate.client.link;

import java.util.concurrent.TimeUnit;

/**
 * Estimates when what was sent has passed a slow link, before which the gateway cannot answer: the
 * operating system takes bytes for a minute of GSM at once. The estimate is a queue that empties at
 * the slowest rate of a link with such round trips, or at half of the rate at which the gateway has
 * confirmed bytes if that is higher.
 *
 * <p>Confined to the timer.
 */
final class SendingTime {
  /** Round trips of this time and more: GSM data at 9.6 kbit/s, without what TLS and TCP add. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

  private static final double SLOW_BYTES_PER_SECOND = 800;

  /** Round trips of this time and more: ISDN at 64 kbit/s. */
  private static final long MIDDLING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final double MIDDLING_BYTES_PER_SECOND = 6_000;
  private static final double FAST_BYTES_PER_SECOND = 256 * 1024;

  private static final double NANOS = 1e9;

  private long position;
  private long confirmed;
  private long confirmedNanos;
  private double confirmedPerSecond;
  private double queued;
  private long queuedNanos;

  /** When the queue is or was empty. */
  private long end;

  /** Another connection has begun, on which all is sent again that is unconfirmed. */
  void begin(long now, long sent, long unconfirmed) {
    position = sent;
    confirmed = 0;
    confirmedPerSecond = 0;
    queued = unconfirmed;
    queuedNanos = now;
    end = now;
  }

  /**
   * When the queue is or was empty, on the clock of {@link System#nanoTime}.
   *
   * @param sent position behind the last byte that was sent
   * @param unconfirmed how many of these bytes the gateway has not confirmed
   * @param roundTripNanos the shortest
   */
  long endNanos(long now, long sent, long unconfirmed, long roundTripNanos) {
    learn(now, sent - unconfirmed);
    double rate = Math.max(slowest(roundTripNanos), confirmedPerSecond / 2);
    queued = Math.max(0, queued - rate * (double) (now - queuedNanos) / NANOS);
    double more = (double) Math.max(0, sent - position);
    double left = Math.min(queued + more, (double) unconfirmed);
    if (left > 0 || end - now > 0) {
      end = now + (long) (left / rate * NANOS);
    }
    queued = left;
    position = sent;
    queuedNanos = now;
    return end;
  }

  private void learn(long now, long confirmedNow) {
    if (confirmedNow <= confirmed) {
      return;
    }
    if (confirmed > 0) {
      double nanos = Math.max(1, now - confirmedNanos);
      double rate = (double) (confirmedNow - confirmed) / nanos * NANOS;
      confirmedPerSecond = Math.max(confirmedPerSecond, rate);
    }
    confirmed = confirmedNow;
    confirmedNanos = now;
  }

  private static double slowest(long roundTripNanos) {
    return roundTripNanos >= SLOW_NANOS
        ? SLOW_BYTES_PER_SECOND
        : roundTripNanos >= MIDDLING_NANOS ? MIDDLING_BYTES_PER_SECOND : FAST_BYTES_PER_SECOND;
  }
}
