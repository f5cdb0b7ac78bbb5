package io.rmigate.gateway.bridge;

/** Meters of the gateway's own calls. Implementations only add. */
public interface BridgeMeters {

  /** Counts nothing. */
  BridgeMeters NONE = new BridgeMeters() {};

  /**
   * A call is over.
   *
   * @param outcome {@code returned}, or how it failed: one of a few fixed words
   * @param nanos from its beginning, lookup and waiting included
   */
  default void bridgeCall(String outcome, long nanos) {}

  /** A registry was asked for a name. */
  default void bridgeLookup() {}

  /** The number of objects held for web clients changes. */
  default void bridgeReferences(int change) {}
}
