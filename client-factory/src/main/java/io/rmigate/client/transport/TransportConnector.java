package io.rmigate.client.transport;

import io.rmigate.client.transport.net.ConnectWatch;
import io.rmigate.protocol.tunnel.Hello;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Opens transport connections to the configured gateways. Thread-safe, keeps no thread. */
@FunctionalInterface
public interface TransportConnector {

  /**
   * Connects, passes the HTTP proxy if there is one, does the TLS and the HTTP handshake.
   *
   * @param timeout for all of it together
   * @throws java.net.ConnectException nothing could be reached; the message says what and what to
   *     do
   * @throws IOException refused on the way; the message says by whom (proxy, TLS, gateway login)
   */
  Transport connect(Duration timeout) throws IOException;

  /**
   * Opens a transport connection, as long as {@code watch} lets it.
   *
   * @throws IOException also when it was abandoned
   */
  default Transport connect(Duration timeout, ConnectWatch watch) throws IOException {
    return connect(timeout);
  }

  /**
   * Opens a transport connection for a new session. A transport whose handshake can carry the hello
   * sends it there, which saves a round trip; see {@link Transport#helloNanos}.
   *
   * @param hello what the caller is going to write first, unless the gateway has it then
   */
  default Transport connect(Duration timeout, Hello hello) throws IOException {
    return connect(timeout);
  }

  /**
   * Whether it is time to try whether a better transport than this one works by now. Who asks
   * {@linkplain #climb tries} if so.
   */
  default boolean mayClimbFrom(Transport transport) {
    return false;
  }

  /**
   * Connects by the best transport.
   *
   * @throws IOException it does not work yet
   */
  default Transport climb(Duration timeout) throws IOException {
    throw new UnsupportedOperationException("there is one transport only");
  }

  /** How often to ask {@link #mayClimbFrom}; zero for never. */
  default Duration climbEvery() {
    return Duration.ZERO;
  }

  /** On that transport nothing has come back, although it was connected: another one may do. */
  default void wasSilent(Transport transport) {}

  /** A connector for each gateway by itself, in the order in which they are to be tried. */
  default List<TransportConnector> each() {
    return List.of(this);
  }
}
