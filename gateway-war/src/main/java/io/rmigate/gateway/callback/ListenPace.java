package io.rmigate.gateway.callback;

import java.time.Duration;

/**
 * How fast one agent may ask for ports. Whatever is refused, and whatever is given back to be asked
 * for again, costs the gateway something and the agent nothing: so there are so many of each at
 * once, and then so many a second. Ports that an agent keeps cost it nothing here: of them it may
 * have as many as policy says, at once.
 *
 * <p>Guarded by the session's lock.
 */
final class ListenPace {
  /** Refusals at once. */
  static final int REFUSALS = 16;

  /** Ports given back, at once. */
  static final int CYCLES = 128;

  private static final long REFUSAL_NANOS = Duration.ofMillis(250).toNanos();
  private static final long CYCLE_NANOS = Duration.ofMillis(125).toNanos();

  private final Bucket refused;
  private final Bucket givenBack;

  ListenPace(long now) {
    refused = new Bucket(REFUSALS, REFUSAL_NANOS, now);
    givenBack = new Bucket(CYCLES, CYCLE_NANOS, now);
  }

  /**
   * Whether a question for a port is looked at; otherwise it is refused, and that costs nothing.
   */
  boolean mayAsk(long now) {
    return refused.hasRoom(now) && givenBack.hasRoom(now);
  }

  /** One was looked at and refused. */
  void onRefused(long now) {
    refused.fill(now);
  }

  /** A port was given back. */
  void onGivenBack(long now) {
    givenBack.fill(now);
  }

  /** It leaks. */
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
