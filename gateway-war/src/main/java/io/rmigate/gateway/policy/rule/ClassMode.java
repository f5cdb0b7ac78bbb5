package io.rmigate.gateway.policy.rule;

/** What is done with a message that the rules object to. */
public enum ClassMode {
  /** Messages are not looked into. */
  OFF,

  /** All calls pass, and missing rules are noted. */
  LEARN,

  /** Contents that are not allowed are refused. */
  ENFORCE
}
