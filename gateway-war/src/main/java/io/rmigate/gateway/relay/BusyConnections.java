package io.rmigate.gateway.relay;

import java.util.concurrent.TimeUnit;

/**
 * Whether many servers' connections are busy at once. In a crowd a round of the relay loop that has
 * found a few Returns gives the processor away once before it sends them on, so that the servers
 * which it has just woken can answer and leave with them: at 64 calls at a time that saves nine of
 * ten hand-overs and a quarter of the gateway's CPU. With few calls it would only keep them
 * waiting.
 *
 * <p>Counts the different connections that were read from within a short window; the window before
 * decides for the current one. Confined to the loop's thread.
 */
public final class BusyConnections {
  /** The number of busy connections that makes a crowd; measured, see perf/README.md. */
  static final int LEAST = 24;

  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private long window = 1;
  private long windowEndsNanos;
  private int busy;
  private boolean crowded;

  /** A round has begun. */
  void onRound(long nowNanos) {
    if (nowNanos - windowEndsNanos >= 0) {
      boolean directlyBefore = nowNanos - windowEndsNanos < WINDOW_NANOS;
      crowded = directlyBefore && busy >= LEAST;
      busy = 0;
      window++;
      windowEndsNanos = nowNanos + WINDOW_NANOS;
    }
  }

  /**
   * A connection was read from.
   *
   * @param lastSeen what this method has returned for that connection before; at first 0
   */
  public long seen(long lastSeen) {
    if (lastSeen != window) {
      busy++;
    }
    return window;
  }

  boolean isCrowded() {
    return crowded;
  }
}
