package io.rmigate.client.transport.post;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.GatewayAccess;
import io.rmigate.client.transport.GatewayConnector;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.proxy.GatewayDialer;
import java.io.IOException;
import java.util.List;

/**
 * Connects to the gateway by HTTP POSTs at {@code <gateway URL>/tunnel}, for networks that let no
 * WebSocket through.
 */
public final class PostConnector extends GatewayConnector<PostTransport> {
  private final HoldTime hold = new HoldTime();

  /** A connector to the gateways of {@code config}; opens nothing yet. */
  public PostConnector(ClientConfig config) {
    this(config, new GatewayDialer(config));
  }

  /** A connector by connections of {@code dialer}. */
  public PostConnector(ClientConfig config, GatewayDialer dialer) {
    this(all(config, dialer));
  }

  private PostConnector(List<GatewayAccess> gateways) {
    super(gateways);
  }

  @Override
  protected TransportConnector to(List<GatewayAccess> some) {
    return new PostConnector(some);
  }

  @Override
  protected PostTransport open(GatewayAccess gateway, Deadline deadline) throws IOException {
    return PostTransport.open(new PostDialer(gateway), hold, deadline);
  }
}
