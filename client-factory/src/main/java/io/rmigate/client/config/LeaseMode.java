package io.rmigate.client.config;

/** Mode of the leases: which side answers the dirty and clean calls of this JVM. */
public enum LeaseMode {
  /** Dirty and clean go to their server like any Call. */
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
