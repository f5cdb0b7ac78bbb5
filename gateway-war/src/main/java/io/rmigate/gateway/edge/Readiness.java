package io.rmigate.gateway.edge;

/**
 * Whether load balancers should send new work here. Goes one way only: starting, ready, draining.
 * Thread-safe.
 */
public final class Readiness {

  /** The phases of a gateway's life, as health and admin show them in lower case. */
  public enum Phase {
    STARTING,
    READY,
    DRAINING
  }

  private volatile Phase phase = Phase.STARTING;

  /** The phase now. */
  public Phase phase() {
    return phase;
  }

  /** New links are welcome. */
  public void toReady() {
    if (phase == Phase.STARTING) {
      phase = Phase.READY;
    }
  }

  /** The first step of stopping: health says no before anything else changes. */
  public void toDraining() {
    phase = Phase.DRAINING;
  }
}
