package io.rmigate.client.transport.proxy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.transport.net.ConnectWatch;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.DialedSocket;
import io.rmigate.client.transport.net.ServerConnection;
import io.rmigate.client.transport.net.TcpDialer;
import io.rmigate.client.transport.net.TlsLayer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

/**
 * Opens TCP connections to RMI servers themselves: directly, or by CONNECT through the HTTP proxy
 * that would be used for https to their host. Thread-safe.
 */
public final class ServerDialer {
  private static final String SERVER = "the server";

  private final Routes routes;
  private final TlsLayer proxyTls;
  private final SecureRandom random = new SecureRandom();

  /** Opens nothing yet. */
  public ServerDialer(ClientConfig config) {
    routes = new Routes(config);
    proxyTls = new TlsLayer(config.proxyTls(), ConfigKey.PROXY_TRUSTSTORE);
  }

  /**
   * A connection without anything in between that we know of.
   *
   * @throws ConnectException there is no answer; the message says from which host, and what to do
   */
  public ServerConnection direct(String host, int port, Duration timeout, ConnectWatch watch)
      throws IOException {
    Deadline deadline = Deadline.in(timeout, watch);
    return connection(DialedSocket.directly(TcpDialer.dial(SERVER, host, port, deadline)));
  }

  /**
   * A connection by CONNECT.
   *
   * @throws NoHttpProxyException there is none on the way to this server
   * @throws ConnectException the HTTP proxy cannot be reached, or does not reach the server
   * @throws IOException the HTTP proxy refuses; the message says which and why
   */
  public ServerConnection connect(String host, int port, Duration timeout, ConnectWatch watch)
      throws IOException {
    Deadline deadline = Deadline.in(timeout, watch);
    TunnelEnd end = new TunnelEnd(SERVER, "another way", host, port);
    List<Route> all = routes.to(url(end), deadline);
    List<Route> possible = all.stream().filter(route -> route.proxy().isPresent()).toList();
    IOException last =
        new NoHttpProxyException("no HTTP proxy for " + end.authority() + ": " + all.get(0));
    int left = possible.size();
    for (Route route : possible) {
      try {
        return connection(
            new HttpTunnel(route, end, proxyTls, random).open(deadline.share(left--)));
      } catch (ProxyRefusedException answered) {
        throw answered;
      } catch (ConnectException | UnknownHostException | SocketTimeoutException e) {
        e.addSuppressed(last);
        last = e;
      }
    }
    throw last;
  }

  private static ServerConnection connection(DialedSocket dialed) {
    return new ServerConnection(dialed.plain(), dialed.top(), dialed.via());
  }

  /** The URL that stands for the server in the configuration of HTTP proxies. */
  private static URI url(TunnelEnd end) throws IOException {
    try {
      return new URI("https://" + end.authority());
    } catch (URISyntaxException e) {
      throw new NoHttpProxyException(
          "no HTTP proxy can be asked for '" + end.authority() + "': " + e.getReason());
    }
  }
}
