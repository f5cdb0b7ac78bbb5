package io.rmigate.perf.box;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * A firewall that forgets idle connections: passes bytes on, and cuts connections without traffic.
 */
public final class IdleCut implements Closeable {
  private static final int CONNECT_MILLIS = 5_000;

  private final Listener listener;

  /**
   * @param at with port 0 for any free one
   */
  public IdleCut(InetSocketAddress at, InetSocketAddress target, Duration idle) throws IOException {
    listener =
        new Listener(
            "idle cut",
            at,
            connection -> {
              Socket inner = connection.connect(target, CONNECT_MILLIS);
              try {
                new Splice(connection.client(), inner, idle).run();
              } finally {
                connection.forget(inner);
              }
            });
  }

  /** Where it listens. */
  public int port() {
    return listener.port();
  }

  @Override
  public void close() {
    listener.close();
  }
}
