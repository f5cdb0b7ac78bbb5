package io.rmigate.gateway.legacy;

/** Counters of old clients. Called from any thread. */
public interface LegacyMeters {

  /** Counts nothing. */
  LegacyMeters NONE = new LegacyMeters() {};

  /**
   * A request was taken.
   *
   * @param what of a closed set
   */
  default void legacyRequest(String what) {}

  /** Something was refused. */
  default void refused(String reason) {}
}
