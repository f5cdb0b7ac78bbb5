package io.rmigate.client.program.sidecar;

import io.rmigate.client.callback.CallbackSettings;
import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ExportPorts;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.ladder.LinkLadder;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.client.socks.LocalListener;
import io.rmigate.client.socks.RareWarning;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A running sidecar: one mediator agent, and the ports at which clients come to it. */
final class Sidecar implements Closeable {
  private static final int MOST_CONNECTIONS = 2000;

  private final MediatorAgent agent;
  private final ClientConnections connections;
  private final Set<InetAddress> clients;
  private final List<LocalListener> listeners = new CopyOnWriteArrayList<>();
  private final ReverseForwards reverses;
  private final RareWarning stranger =
      new RareWarning(Sidecar.class, "{0} is not among the clients: refused");

  /**
   * Makes the agent; nothing listens and nothing is connected yet.
   *
   * @param self the agent's description of itself
   */
  Sidecar(SidecarOptions options, Map<String, String> self) {
    ClientConfig config = options.config();
    this.clients = options.clients();
    this.agent =
        new MediatorAgent(
            LinkLadder.of(config),
            MediatorSettings.from(config, self)
                .forOthers(options.lease())
                .withCallbacks(new CallbackSettings(ports(options), Optional.empty())));
    this.reverses = new ReverseForwards(agent, options.reverses());
    this.connections = new ClientConnections(agent, config, options.login());
  }

  private static ExportPorts ports(SidecarOptions options) {
    return ExportPorts.of(
        options.reverses().stream().map(ReversePort::port).collect(Collectors.toSet()));
  }

  /** Begins to take SOCKS clients; returns where. */
  InetSocketAddress listen(InetSocketAddress address) throws IOException {
    return listen(address, "rmigate-socks", connections::socks);
  }

  /** Begins to take clients of one server; returns where. */
  InetSocketAddress listen(Forward forward) throws IOException {
    return listen(
        forward.listen(),
        "rmigate-forward " + forward.target().port(),
        client -> connections.forward(client, forward.target()));
  }

  private InetSocketAddress listen(
      InetSocketAddress address, String name, LocalListener.Handler handler) throws IOException {
    LocalListener listener =
        new LocalListener(
            address.getAddress(),
            address.getPort(),
            name,
            MOST_CONNECTIONS,
            client -> {
              if (isPermitted(client)) {
                handler.handle(client);
              }
            });
    listeners.add(listener);
    return listener.start().address();
  }

  private boolean isPermitted(Socket client) {
    InetAddress peer = client.getInetAddress();
    boolean permitted = clients.isEmpty() || peer.isLoopbackAddress() || clients.contains(peer);
    if (!permitted) {
      stranger.log(peer.getHostAddress());
    }
    return permitted;
  }

  /** Runs the task once there has been a link. */
  void whenLinked(Runnable task) {
    agent.whenFirstLinked(task);
  }

  /**
   * Makes the link now, without waiting for a client.
   *
   * @throws IOException there is none; one is made when a client comes
   */
  void link() throws IOException {
    agent.ensureLink();
  }

  /**
   * Makes the gateway listen for the JVMs here.
   *
   * @param hears a line for people for each port
   * @throws IOException the gateway does not listen; the message says what to do
   */
  void reverse(Consumer<String> hears) throws IOException {
    reverses.open(hears);
  }

  /** Makes the gateway listen for the JVMs here as soon as there is a link. */
  void reverseLater(Consumer<String> hears) throws NoThreadException {
    reverses.openLater(hears);
  }

  /** Ends all connections, and then the link, in order, which releases all leases. */
  @Override
  public void close() {
    listeners.forEach(LocalListener::close);
    reverses.close();
    agent.close();
  }
}
