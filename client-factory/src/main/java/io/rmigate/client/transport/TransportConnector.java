package io.rmigate.client.transport;

import java.io.IOException;
import java.time.Duration;

/** Opens transport connections to the configured gateway. Thread-safe, keeps no thread. */
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
}
