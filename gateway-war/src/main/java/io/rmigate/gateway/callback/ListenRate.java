package io.rmigate.gateway.callback;

import java.time.Duration;

/**
 * How fast one agent may ask for ports. A request that is refused, and a port that is given back
 * and asked for again, cost the gateway work and the agent nothing: so both have a burst and a rate
 * for each second. Ports that an agent keeps do not count: the agent may take all that policy
 * permits at once.
 *
 * <p>Guarded by the session's lock.
 */
final class ListenRate {
  /** Refusals at once. */
  static final int REFUSALS = 16;

  /** Ports given back, at once. */
  static final int CYCLES = 128;

  private static final long REFUSAL_NANOS = Duration.ofMillis(250).toNanos();
  private static final long CYCLE_NANOS = Duration.ofMillis(125).toNanos();

  private final Bucket refused;
  private final Bucket givenBack;

  ListenRate(long now) {
    refused = new Bucket(REFUSALS, REFUSAL_NANOS, now);
    givenBack = new Bucket(CYCLES, CYCLE_NANOS, now);
  }

  /**
   * Whether a question for a port is looked at; otherwise it is refused, and that costs nothing.
   */
  boolean mayAsk(long now) {
    return refused.hasRoom(now) && givenBack.hasRoom(now);
  }

  /** A request was checked and refused. */
  void onRefused(long now) {
    refused.fill(now);
  }

  /** A port was given back. */
  void onGivenBack(long now) {
    givenBack.fill(now);
  }

  /** A leaky bucket. */
  private static final class Bucket {
    private final int size;
    private final long eachNanos;

    /** When it was, or will be, empty. */
    private long emptyNanos;

    Bucket(int size, long eachNanos, long now) {
      this.size = size;
      this.eachNanos = eachNanos;
      this.emptyNanos = now;
    }

    boolean hasRoom(long now) {
      return emptyNanos - now <= (size - 1) * eachNanos;
    }

    void fill(long now) {
      emptyNanos = (emptyNanos - now < 0 ? now : emptyNanos) + eachNanos;
    }
  }
}
