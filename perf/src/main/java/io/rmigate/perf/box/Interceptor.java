package io.rmigate.perf.box;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;

/**
 * An HTTP intermediary in front of the gateway that passes no upgrade: it drops hop-by-hop fields,
 * among them those of an upgrade, as a reverse proxy does by default. It passes on complete
 * messages. With {@code closesEach} it closes the connection after each answer.
 */
public final class Interceptor implements Closeable {
  private static final int CONNECT_MILLIS = 5_000;

  private final Listener listener;
  private final InetSocketAddress target;
  private final boolean closesEach;

  /**
   * @param at with port 0 for any free one
   */
  public Interceptor(InetSocketAddress at, InetSocketAddress target, boolean closesEach)
      throws IOException {
    this.target = target;
    this.closesEach = closesEach;
    listener = new Listener("interceptor", at, this::serve);
  }

  /** Where it listens. */
  public int port() {
    return listener.port();
  }

  private void serve(Listener.Connection connection) throws IOException {
    InputStream in = new BufferedInputStream(connection.client().getInputStream());
    Optional<HttpHead> first = HttpHead.read(in);
    if (first.isEmpty()) {
      return;
    }
    Socket inner = connection.connect(target, CONNECT_MILLIS);
    try {
      HttpExchange exchange = new HttpExchange(inner);
      for (Optional<HttpHead> head = first; head.isPresent(); head = HttpHead.read(in)) {
        byte[] body = HttpBody.ofRequest(head.get(), in);
        exchange.pass(
            head.get(),
            head.get().start(),
            body,
            connection.client().getOutputStream(),
            closesEach ? Optional.of("Connection: close") : Optional.empty());
        if (closesEach) {
          return;
        }
      }
    } finally {
      connection.forget(inner);
    }
  }

  @Override
  public void close() {
    listener.close();
  }
}
