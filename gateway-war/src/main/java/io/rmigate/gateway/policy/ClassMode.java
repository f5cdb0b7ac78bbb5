package io.rmigate.gateway.policy;

/** What is done with a message that the rules object to. */
public enum ClassMode {
  /** Messages are not looked into. */
  OFF,

  /** It passes, and what would have to be allowed is noted. */
  LEARN,

  /** It is refused. */
  ENFORCE
}
