package io.rmigate.client.transport.proxy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.HttpProxy;
import io.rmigate.client.config.ProxySource;
import io.rmigate.client.pac.PacHop;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.GatewayAddress;
import io.rmigate.client.transport.net.NameLookup;
import io.rmigate.client.transport.net.TlsLayer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The ways to a gateway, as configured. Thread-safe. */
final class Routes {
  private final ClientConfig config;
  private final TlsLayer tls;

  /** All gateways have the same; made when it is first needed. */
  private volatile PacFile pacFile;

  Routes(ClientConfig config) {
    this.config = config;
    this.tls = new TlsLayer(config.proxyTls());
  }

  /**
   * The ways in the order in which they are to be tried; at least one.
   *
   * @throws IOException what says so cannot be read or understood
   */
  List<Route> to(URI gateway, Deadline deadline) throws IOException {
    ProxySource source = config.proxyTowards(gateway);
    if (source instanceof ProxySource.None none) {
      return List.of(new Route(Optional.empty(), none.origin(), none.byDefault()));
    }
    if (source instanceof ProxySource.Unusable unusable) {
      throw new IOException(
          unusable + "; correct it, or name the HTTP proxy by proxy=, or proxy=none for none");
    }
    if (source instanceof ProxySource.Fixed fixed) {
      return List.of(Route.through(fixed.proxy(), fixed.origin()));
    }
    if (source instanceof ProxySource.Script script) {
      return byScript(script, gateway, deadline);
    }
    throw new AssertionError(source);
  }

  private List<Route> byScript(ProxySource.Script source, URI gateway, Deadline deadline)
      throws IOException {
    PacFile file = pacFile(source);
    List<PacHop> hops;
    try {
      hops =
          file.script(deadline)
              .findProxy(
                  urlFor(gateway),
                  GatewayAddress.hostOf(gateway),
                  new PacWorld(deadline, NameLookup.SYSTEM));
    } catch (ConnectException e) {
      // As browsers do: a computer that is carried out of the company's network must still work.
      return List.of(Route.direct(source + " cannot be reached: " + e.getMessage()));
    }
    String withheld = source.withholdsLogin() ? whyWithheld(source) : "";
    List<Route> routes = new ArrayList<>();
    for (PacHop hop : hops) {
      switch (hop.kind()) {
        case DIRECT -> routes.add(Route.direct(source.toString()));
        case HTTP, HTTPS ->
            routes.add(
                Route.through(
                    new HttpProxy(
                        hop.kind() == PacHop.Kind.HTTPS,
                        hop.host(),
                        hop.port(),
                        withheld.isEmpty() ? source.login() : Optional.empty(),
                        withheld),
                    source.toString()));
        case UNUSED -> {} // is in the message below if there is nothing else
      }
    }
    if (routes.isEmpty()) {
      throw new IOException(
          source
              + " leads to "
              + gateway
              + " by "
              + hops.stream().map(PacHop::text).collect(Collectors.joining("; "))
              + " only; rmigate goes through HTTP proxies (PROXY, HTTPS) and DIRECT");
    }
    return routes;
  }

  private static String whyWithheld(ProxySource.Script source) {
    return "the login of proxy-user is for no HTTP proxy that "
        + source
        + " names, which came without TLS, so that an attacker on the way may have named one; use"
        + " an https URL or a local file, name the HTTP proxy (proxy=), or set plain-pac-login=on";
  }

  private PacFile pacFile(ProxySource.Script source) {
    PacFile file = pacFile;
    if (file == null) {
      if (source.withholdsLogin()) {
        System.getLogger(Routes.class.getName())
            .log(System.Logger.Level.WARNING, whyWithheld(source));
      }
      file = new PacFile(source.location(), tls); // a second one made meanwhile does no harm
      pacFile = file;
    }
    return file;
  }

  /** As browsers give it: of https nothing but the origin. */
  private static String urlFor(URI gateway) {
    String path = GatewayAddress.isTls(gateway) ? "" : gateway.getRawPath();
    return gateway.getScheme() + "://" + gateway.getRawAuthority() + path + "/";
  }
}
