package io.rmigate.client.link;

import java.util.concurrent.TimeUnit;

/**
 * Estimates when what was sent has passed a slow link, before which the gateway cannot answer: the
 * operating system takes bytes for a minute of GSM at once. The estimate is a queue that empties at
 * the slowest rate of a link with such round trips. Where acknowledgements, or the answer to a
 * heartbeat behind the queue, have shown a higher rate, it is half of that.
 *
 * <p>Confined to the timer.
 */
final class SendingTime {
  /** Round trips of this time and more: GSM data at 9.6 kbit/s, without what TLS and TCP add. */
  private static final long SLOWEST_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  private static final double SLOWEST_BYTES_PER_SECOND = 800;

  /** Round trips of this time and more: a modem at 28.8 kbit/s. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final double SLOW_BYTES_PER_SECOND = 3_000;

  /** Round trips of this time and more: ISDN at 64 kbit/s. */
  private static final long MIDDLING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final double MIDDLING_BYTES_PER_SECOND = 6_000;
  private static final double FAST_BYTES_PER_SECOND = 256 * 1024;

  /** A shorter queue delays nothing that matters. */
  private static final long WORTH_ASKING_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final double NANOS = 1e9;

  private long position;
  private long confirmed;
  private long confirmedNanos;
  private double confirmedPerSecond;
  private double queued;
  private long queuedNanos;

  /** When the queue is or was empty. */
  private long end;

  /** Whether a heartbeat behind the queue is unanswered. */
  private boolean isAsking;

  private long heartbeatNanos;
  private long heartbeatPosition;
  private double queuedAtHeartbeat;

  /** Another connection has begun, on which all is sent again that is unconfirmed. */
  void begin(long now, long sent, long unconfirmed) {
    position = sent;
    confirmed = 0;
    confirmedPerSecond = 0;
    queued = unconfirmed;
    queuedNanos = now;
    end = now;
    isAsking = false;
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

  /** Whether a heartbeat would tell when the queue is empty; one at a time. */
  boolean wantsHeartbeat(long now) {
    return !isAsking && end - now > WORTH_ASKING_NANOS;
  }

  /** A heartbeat is sent behind the queue. */
  void onHeartbeat(long now) {
    isAsking = true;
    heartbeatNanos = now;
    heartbeatPosition = position;
    queuedAtHeartbeat = queued;
  }

  /** The latest heartbeat is answered: what was sent before it has arrived. */
  void onAnswered(long now) {
    if (!isAsking) {
      return;
    }
    double nanos = Math.max(1, now - heartbeatNanos);
    confirmedPerSecond = Math.max(confirmedPerSecond, queuedAtHeartbeat / nanos * NANOS);
    queued = Math.min(queued, (double) (position - heartbeatPosition));
    end = queued > 0 ? end : Math.min(end, now);
    isAsking = false;
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
    if (roundTripNanos >= SLOWEST_NANOS) {
      return SLOWEST_BYTES_PER_SECOND;
    }
    if (roundTripNanos >= SLOW_NANOS) {
      return SLOW_BYTES_PER_SECOND;
    }
    return roundTripNanos >= MIDDLING_NANOS ? MIDDLING_BYTES_PER_SECOND : FAST_BYTES_PER_SECOND;
  }
}
