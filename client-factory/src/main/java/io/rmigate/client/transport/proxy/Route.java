package io.rmigate.client.transport.proxy;

import io.rmigate.client.config.HttpProxy;
import java.util.Optional;

/**
 * One way to a gateway.
 *
 * @param proxy the HTTP proxy on it; empty: directly
 * @param origin what says so, for messages
 * @param byDefault whether no configuration names the route
 */
record Route(Optional<HttpProxy> proxy, String origin, boolean byDefault) {
  static Route through(HttpProxy proxy, String origin) {
    return new Route(Optional.of(proxy), origin, false);
  }

  static Route direct(String origin) {
    return new Route(Optional.empty(), origin, false);
  }

  /** {@code HTTP proxy p:3128 (environment variable https_proxy)}, for logs and figures. */
  @Override
  public String toString() {
    return (proxy.isPresent() ? proxy.get().toString() : "no HTTP proxy") + " (" + origin + ")";
  }
}
