package io.rmigate.gateway.lookup;

/** Counters of watched names. Called under the lock: implementations only add. */
public interface LookupMeters {

  /** Counts nothing. */
  LookupMeters NONE = new LookupMeters() {};

  /** The number of watched names has changed by {@code change}, which may be negative. */
  default void namesWatched(int change) {}

  /**
   * An agent was answered.
   *
   * @param known from what was known already
   */
  default void lookupAnswered(boolean known) {}

  /** A registry was asked, for an agent or because it was due. */
  default void registryAsked() {}

  /** An agent was told of a binding, or of its end, unasked. */
  default void bindingPushed() {}
}
