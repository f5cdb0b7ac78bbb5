package io.rmigate.client.transport.proxy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.DialedSocket;
import io.rmigate.client.transport.net.GatewayAddress;
import io.rmigate.client.transport.net.TcpDialer;
import io.rmigate.client.transport.net.TlsLayer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Opens TCP connections to gateways, through HTTP proxies where they are configured. Of several
 * ways that a PAC file names the next one is tried when there is no answer; an HTTP proxy that
 * answers and refuses is not passed over, as browsers do not either.
 *
 * <p>Which way was chosen, and by what, goes to the log when it is not the one before. Thread-safe;
 * transports share one.
 */
public final class GatewayDialer {
  private final Routes routes;
  private final TlsLayer proxyTls;
  private final SecureRandom random = new SecureRandom();
  private final AtomicReference<String> chosen = new AtomicReference<>();

  /** Opens nothing yet. */
  public GatewayDialer(ClientConfig config) {
    routes = new Routes(config);
    proxyTls = new TlsLayer(config.proxyTls(), ConfigKey.PROXY_TRUSTSTORE);
  }

  /** The way of the connection made last, for people; empty before the first. */
  public Optional<String> chosen() {
    return Optional.ofNullable(chosen.get());
  }

  /**
   * A connection behind which the gateway listens.
   *
   * @throws ConnectException nothing could be reached; the message says what and what to do
   * @throws IOException an HTTP proxy refused; the message says which and why
   */
  public DialedSocket dial(URI gateway, Deadline deadline) throws IOException {
    List<Route> possible = routes.to(gateway, deadline);
    StringBuilder failures = new StringBuilder();
    IOException last = null;
    int left = possible.size();
    for (Route route : possible) {
      try {
        DialedSocket dialed = dial(gateway, route, deadline.share(left--));
        remember(gateway, route);
        return dialed;
      } catch (ProxyRefusedException answered) {
        throw answered;
      } catch (ConnectException | UnknownHostException | SocketTimeoutException e) {
        failures.append("; ").append(e.getMessage());
        if (last != null) {
          e.addSuppressed(last);
        }
        last = e;
      }
    }
    if (possible.size() == 1) {
      throw last;
    }
    ConnectException all =
        new ConnectException("none of the ways of " + possible.get(0).origin() + failures);
    all.initCause(last);
    throw all;
  }

  private DialedSocket dial(URI gateway, Route route, Deadline deadline) throws IOException {
    if (route.proxy().isEmpty()) {
      return DialedSocket.directly(
          TcpDialer.dial(
              "the gateway",
              GatewayAddress.hostOf(gateway),
              GatewayAddress.portOf(gateway),
              deadline));
    }
    return new HttpTunnel(route, TunnelEnd.of(gateway), proxyTls, random).open(deadline);
  }

  private void remember(URI gateway, Route route) {
    String text = route.toString();
    String before = chosen.getAndSet(text);
    boolean news = !text.equals(before) && (before != null || !route.byDefault());
    log()
        .log(
            news ? System.Logger.Level.INFO : System.Logger.Level.DEBUG,
            "{0} is reached through {1}",
            gateway,
            text);
  }

  /** No constant, see {@code GatewayAccess}. */
  private static System.Logger log() {
    return System.getLogger(GatewayDialer.class.getName());
  }
}
