package io.rmigate.gateway.policy.rule;

/** Modes of handling messages that the rules object to. */
public enum ClassMode {
  /** Messages are not looked into. */
  OFF,

  /** All calls pass, and missing rules are noted. */
  LEARN,

  /** Contents that are not allowed are refused. */
  ENFORCE
}
