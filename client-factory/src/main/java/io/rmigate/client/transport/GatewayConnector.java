package io.rmigate.client.transport;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.net.ConnectWatch;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.TlsLayer;
import io.rmigate.client.transport.proxy.GatewayDialer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * Connects to one of the gateways of a configuration. Of several the first that can be reached is
 * taken; one that answers and refuses is not passed over. {@link #each} leaves the choice to
 * others.
 *
 * <p>Passwords, tokens and keystores are read anew for each connection.
 *
 * @param <T> what is opened there
 */
public abstract class GatewayConnector<T extends Transport> implements TransportConnector {
  private final List<GatewayAccess> gateways;

  protected GatewayConnector(List<GatewayAccess> gateways) {
    this.gateways = gateways;
  }

  /** Access to each gateway of {@code config}; opens nothing yet. */
  protected static List<GatewayAccess> all(ClientConfig config, GatewayDialer dialer) {
    TlsLayer tls = new TlsLayer(config.tls());
    SecureRandom random = new SecureRandom();
    List<GatewayAccess> all = new ArrayList<>();
    for (URI gateway : config.gateways()) {
      all.add(new GatewayAccess(gateway, config, dialer, tls, random));
    }
    return List.copyOf(all);
  }

  /** Access to each gateway. */
  protected final List<GatewayAccess> gateways() {
    return gateways;
  }

  /** A connector of this kind to these gateways. */
  protected abstract TransportConnector to(List<GatewayAccess> some);

  /** Opens a transport to that gateway. */
  protected abstract T open(GatewayAccess gateway, Deadline deadline) throws IOException;

  @Override
  public List<TransportConnector> each() {
    List<TransportConnector> each = new ArrayList<>();
    for (GatewayAccess gateway : gateways) {
      each.add(to(List.of(gateway)));
    }
    return each;
  }

  @Override
  public T connect(Duration timeout) throws IOException {
    return connect(timeout, new ConnectWatch());
  }

  @Override
  public T connect(Duration timeout, ConnectWatch watch) throws IOException {
    Deadline deadline = Deadline.in(timeout, watch);
    IOException last = null;
    int left = gateways.size();
    for (GatewayAccess gateway : gateways) {
      try {
        return open(gateway, deadline.share(left--));
      } catch (ConnectException | UnknownHostException e) {
        if (last != null) {
          e.addSuppressed(last);
        }
        last = e;
      }
    }
    throw last;
  }

  /** The gateways, for logs. */
  @Override
  public String toString() {
    StringJoiner urls = new StringJoiner("|");
    for (GatewayAccess gateway : gateways) {
      urls.add(gateway.gateway().toString());
    }
    return urls.toString();
  }
}
