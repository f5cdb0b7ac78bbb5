package io.rmigate.gateway.lease;

/** Counters of leases. Called under locks: implementations only add. */
public interface LeaseMeters {

  /** Counts nothing. */
  LeaseMeters NONE = new LeaseMeters() {};

  /** The number of objects that are held for agents has changed. */
  default void leasesHeld(int change) {}

  /**
   * A call was made to a server.
   *
   * @param dirty whether a dirty, with or without objects; else a clean
   */
  default void leaseCall(boolean dirty) {}

  /** A call to a server failed. */
  default void leaseCallFailed() {}

  /** A DgcAck was passed on, the leases before it being in place. */
  default void leaseAcknowledged() {}

  /**
   * Something was refused.
   *
   * @param reason one of a few fixed words
   */
  default void refused(String reason) {}
}
