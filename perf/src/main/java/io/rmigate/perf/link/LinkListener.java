package io.rmigate.perf.link;

import java.net.InetSocketAddress;

/**
 * Receives the events of a link. Called from the link's threads, for different connections and
 * directions at the same time, and must return quickly: the link waits.
 */
public interface LinkListener {
  /**
   * A connection was opened. Its first byte will be sent when a round trip has passed.
   *
   * @param connection its number, from 1
   */
  default void opened(int connection, InetSocketAddress target, long nanos) {}

  /** A packet arrives; what the receiver does with it comes later. */
  default void crossed(Crossing crossing) {}

  /** Both directions of a connection have ended, or it was cut. */
  default void closed(int connection) {}
}
