package io.rmigate.gateway.callback;

/** Counters of callbacks. Called under locks: implementations only add. */
public interface CallbackMeters {

  /** Counts nothing. */
  CallbackMeters NONE = new CallbackMeters() {};

  /** The number of ports that the gateway listens at for agents changes. */
  default void callbackListeners(int change) {}

  /** The number of connections of inner JVMs changes. */
  default void callbackConnections(int change) {}

  /** The number of agents' objects that inner JVMs hold changes. */
  default void callbackObjects(int change) {}

  /** An inner JVM calls an object of an agent's JVM. */
  default void callback() {}

  /** A dirty or clean call, a Ping or a handshake of an inner JVM was answered here. */
  default void callbackAnswered() {}

  /**
   * Something was refused.
   *
   * @param reason one of a few fixed words
   */
  default void refused(String reason) {}
}
