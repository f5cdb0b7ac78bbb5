package io.rmigate.client.config;

/** Mode of the leases: whether the gateway holds the leases of this JVM, and how strictly. */
public enum LeaseMode {
  /** Dirty and clean calls go to their server like any Call. */
  OFF,
  /** The gateway holds the leases; the JVM is answered here. */
  ON,
  /**
   * The gateway holds leases, but a dirty for references behind which no pin of a server stands
   * waits until the gateway has its lease (JRMP.md 5.4). Such references were not marshalled for a
   * Return which the JVM has yet to acknowledge.
   */
  STRICT
}
