package io.rmigate.client.ladder;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.Way;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.net.ConnectWatch;
import io.rmigate.client.transport.post.PostConnector;
import io.rmigate.client.transport.proxy.GatewayDialer;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tries each way by itself, even those that the configuration excludes, to find out what the
 * network lets pass. Remembers nothing, calls nothing, and begins no session at a gateway. For the
 * doctor. Thread-safe.
 */
public final class WayTrial {
  private final ClientConfig config;
  private final ServerRungs servers;

  /** Opens nothing yet. */
  public WayTrial(ClientConfig config) {
    this.config = config;
    this.servers = new ServerRungs(config);
  }

  /**
   * All ways, one after the other.
   *
   * @param host of an RMI server
   * @param each the time of one attempt
   */
  public List<Attempt> tryAll(String host, int port, Duration each) {
    List<Attempt> attempts = new ArrayList<>();
    for (Way way : Way.values()) {
      attempts.add(attempt(way, host, port, each));
    }
    return attempts;
  }

  /**
   * One way. A server counts as reached when it has answered the RMI handshake; a gateway when it
   * has answered the first exchange of the transport, login included, at the first of its URLs that
   * can be reached.
   *
   * @param host of an RMI server; the ways over the link do not ask for it
   * @param timeout for all of it
   */
  public Attempt attempt(Way way, String host, int port, Duration timeout) {
    long start = System.nanoTime();
    try {
      String words = way.isLink() ? link(way, timeout) : server(way, host, port, timeout);
      return new Attempt(way, AttemptOutcome.REACHED, since(start), words, Optional.empty());
    } catch (IOException failed) {
      return new Attempt(
          way,
          AttemptOutcome.of(failed),
          since(start),
          Optional.ofNullable(failed.getMessage()).orElse(failed.toString()),
          Optional.of(failed));
    }
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private String server(Way way, String host, int port, Duration timeout) throws IOException {
    try (ReachedServer reached = servers.reach(way, host, port, timeout, new ConnectWatch())) {
      return "an RMI server answers at " + host + ":" + port + reached.connection().via();
    }
  }

  private String link(Way way, Duration timeout) throws IOException {
    GatewayDialer dialer = new GatewayDialer(config);
    try (Transport transport =
        way == Way.POST
            ? new PostConnector(config, dialer).connect(timeout)
            : new WebSocketConnector(config, dialer).proving().connect(timeout)) {
      return "a gateway answers: " + transport;
    }
  }
}
