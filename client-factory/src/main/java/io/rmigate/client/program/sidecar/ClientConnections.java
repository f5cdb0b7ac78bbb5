package io.rmigate.client.program.sidecar;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.socks.ConnectionProtocol;
import io.rmigate.client.socks.SocksHandshake;
import io.rmigate.client.socks.SocksLogin;
import io.rmigate.client.socks.SocksReply;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Optional;

/**
 * Takes the connections of clients, finds out where each wants to go and what it speaks, and serves
 * it: JRMP is mediated, anything else is carried as it is where {@code sockets} says so. Nothing is
 * ever connected to directly. Any number of threads.
 */
final class ClientConnections {
  private static final int HANDSHAKE_MILLIS = 10_000;

  private final MediatorAgent agent;
  private final ClientConfig config;
  private final ConnectionProtocol protocol;
  private final Optional<SocksLogin> login;

  ClientConnections(MediatorAgent agent, ClientConfig config, Optional<SocksLogin> login) {
    this.agent = agent;
    this.config = config;
    this.protocol = new ConnectionProtocol(agent, new Deadlines(config.callTimeouts()));
    this.login = login;
  }

  /** A client that speaks SOCKS. */
  void socks(Socket client) throws IOException {
    client.setSoTimeout(HANDSHAKE_MILLIS);
    BufferedInputStream in = new BufferedInputStream(client.getInputStream());
    SocksHandshake handshake = new SocksHandshake(in, client.getOutputStream(), login);
    EndpointId target = handshake.readRequest();
    if (!isMediated(target) && !isRaw(target) && !isExportedHere(client, target)) {
      warnNotListed(target);
      handshake.answer(SocksReply.NOT_ALLOWED);
      return;
    }
    handshake.answer(SocksReply.SUCCEEDED); // what fails later says so in JRMP
    client.setSoTimeout(0);
    serve(client, in, target);
  }

  /** A client of a port that stands for one server. */
  void forward(Socket client, EndpointId target) throws IOException {
    serve(client, new BufferedInputStream(client.getInputStream()), target);
  }

  private boolean isMediated(EndpointId target) {
    return config.tunnels(target.host(), target.port())
        || (agent.loopback().isInside(target.host(), target.port())
            && !config.isDirect(target.host(), target.port()));
  }

  /**
   * Whether that is what a JVM here exports by way of the gateway. Clients on this machine are
   * brought there without it. Others, which that JVM would take for local ones, are not.
   */
  private boolean isExportedHere(Socket client, EndpointId target) {
    return config.callsOwnStubsDirectly()
        && client.getInetAddress().isLoopbackAddress()
        && agent.callbacks().isOurs(target.host(), target.port());
  }

  private boolean isRaw(EndpointId target) {
    return config.sockets().matches(target.host(), target.port());
  }

  private void serve(Socket client, BufferedInputStream in, EndpointId target) throws IOException {
    Optional<Socket> within =
        isExportedHere(client, target)
            ? agent.callbacks().connectWithin(target.host(), target.port())
            : Optional.empty();
    if (within.isPresent()) {
      try (Socket jvm = within.get()) {
        new LocalPipe(client, in, jvm).run();
      }
    } else {
      protocol.serve(client, in, target, isRaw(target));
    }
  }

  private static void warnNotListed(EndpointId target) {
    System.getLogger(ClientConnections.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "{0} is neither in tunnel nor in sockets: refused",
            LogText.of(target.toString()));
  }
}
