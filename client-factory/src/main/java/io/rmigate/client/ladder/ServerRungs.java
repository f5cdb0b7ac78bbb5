package io.rmigate.client.ladder;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.Way;
import io.rmigate.client.transport.net.ConnectWatch;
import io.rmigate.client.transport.net.ServerConnection;
import io.rmigate.client.transport.proxy.ServerDialer;
import java.io.IOException;
import java.time.Duration;

/** The ways to a server past the gateway, each by itself. Thread-safe. */
final class ServerRungs {
  private final ServerDialer dialer;

  ServerRungs(ClientConfig config) {
    dialer = new ServerDialer(config);
  }

  /** A connection on which nothing has been said. */
  ServerConnection open(Way way, String host, int port, Duration timeout, ConnectWatch watch)
      throws IOException {
    return switch (way) {
      case DIRECT -> dialer.direct(host, port, timeout, watch);
      case CONNECT -> dialer.connect(host, port, timeout, watch);
      case WEBSOCKET, POST -> throw new AssertionError(way);
    };
  }

  /**
   * A connection on which an RMI server has answered.
   *
   * @param timeout for all of it
   */
  ReachedServer reach(Way way, String host, int port, Duration timeout, ConnectWatch watch)
      throws IOException {
    long start = System.nanoTime();
    ServerConnection connection = open(way, host, port, timeout, watch);
    boolean done = false;
    try {
      Duration left = timeout.minusNanos(System.nanoTime() - start);
      byte[] answer = JrmpHandshake.shake(connection, host + ":" + port + connection.via(), left);
      done = true;
      return new ReachedServer(way, connection, JrmpHandshake.header(), answer);
    } finally {
      if (!done) {
        connection.close();
      }
    }
  }
}
