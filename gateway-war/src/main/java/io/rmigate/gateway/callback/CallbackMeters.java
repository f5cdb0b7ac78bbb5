package io.rmigate.gateway.callback;

/** What callbacks count. Called under locks: implementations only add. */
public interface CallbackMeters {

  /** Counts nothing. */
  CallbackMeters NONE = new CallbackMeters() {};

  /** So many ports more, or less, are listened at for agents. */
  default void callbackListeners(int change) {}

  /** So many connections of inner JVMs more, or less. */
  default void callbackConnections(int change) {}

  /** So many objects of agents' JVMs more, or less, are held by inner JVMs. */
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
