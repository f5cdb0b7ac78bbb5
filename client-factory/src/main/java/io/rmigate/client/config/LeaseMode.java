package io.rmigate.client.config;

/** What is done about distributed garbage collection. */
public enum LeaseMode {
  /** Dirty and clean go to their server like any Call. */
  OFF,
  /** The gateway holds the leases; the JVM is answered here. */
  ON,
  /**
   * Likewise, but a dirty for references that did not come in a Return just now waits until the
   * gateway has its lease: no pin of a server stands behind those (JRMP.md 5.4).
   */
  STRICT
}
