package io.rmigate.gateway.lease;

import java.time.Duration;

/**
 * Whether and how the gateway holds leases.
 *
 * @param enabled whether agents may leave them to the gateway at all
 * @param grace how long the leases of a session outlive it when its agent may come back
 * @param maxObjects that one session may hold, at all endpoints together
 * @param maxEndpoints at which one session may hold objects
 * @param maxObjectsPerPrincipal that all sessions of one principal may hold together
 * @param callTimeout the longest one call to a server may take
 */
public record LeaseSettings(
    boolean enabled,
    Duration grace,
    int maxObjects,
    int maxEndpoints,
    int maxObjectsPerPrincipal,
    Duration callTimeout) {

  /** The shipped defaults. */
  public static final LeaseSettings DEFAULTS =
      new LeaseSettings(
          true, Duration.ofMinutes(2), 100_000, 1_000, 1_000_000, Duration.ofSeconds(30));

  /** With the shipped bound for a principal. */
  public LeaseSettings(
      boolean enabled, Duration grace, int maxObjects, int maxEndpoints, Duration callTimeout) {
    this(enabled, grace, maxObjects, maxEndpoints, DEFAULTS.maxObjectsPerPrincipal(), callTimeout);
  }
}
