package io.rmigate.client.program.doctor;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.config.Way;
import io.rmigate.client.ladder.LinkLadder;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.mediator.LookupSettings;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.client.socket.TunnelSocket;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.client.transport.post.PostConnector;
import io.rmigate.client.transport.proxy.GatewayDialer;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Refused;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Through the gateway, over a link of its own by one way. Lookups are asked for each time: what an
 * agent remembers is not what stands in the registry.
 */
final class LinkAccess implements Access {
  private final MediatorAgent agent;

  private LinkAccess(MediatorAgent agent) {
    this.agent = agent;
  }

  /**
   * Opens the link.
   *
   * @param self what the agent says of itself
   */
  static LinkAccess open(ClientConfig config, Way way, Duration timeout, Map<String, String> self)
      throws IOException {
    GatewayDialer dialer = new GatewayDialer(config);
    return open(
        way == Way.POST
            ? new PostConnector(config, dialer)
            : new WebSocketConnector(config, dialer),
        timeout,
        self);
  }

  /** Opens the link by a way that the configuration allows. */
  static LinkAccess open(ClientConfig config, Duration timeout, Map<String, String> self)
      throws IOException {
    return open(LinkLadder.of(config), timeout, self);
  }

  private static LinkAccess open(
      TransportConnector connector, Duration timeout, Map<String, String> self) throws IOException {
    MediatorAgent agent =
        new MediatorAgent(
            connector,
            MediatorSettings.of(timeout, self, Compression.OFF)
                .mediating(new LookupSettings(false, NamePatterns.NONE, List.of()), LeaseMode.OFF));
    boolean done = false;
    try {
      agent.ensureLink();
      done = true;
      return new LinkAccess(agent);
    } finally {
      if (!done) {
        agent.close();
      }
    }
  }

  @Override
  public Socket open(EndpointId endpoint, Duration timeout) throws IOException {
    return TunnelSocket.connect(agent, endpoint.host(), endpoint.port());
  }

  /** Whether the gateway connects a raw stream there; else why not. */
  Optional<Refused> tryRaw(EndpointId endpoint) throws IOException {
    LinkStream stream = agent.openRaw(endpoint.host(), endpoint.port());
    try {
      return stream.awaitConnected();
    } finally {
      stream.close();
    }
  }

  /** Whether stubs that name loopback, or unknown hosts, are led to their registry. */
  boolean mapsLoopback() {
    return agent.mapsLoopback();
  }

  @Override
  public void close() {
    agent.close();
  }
}
