package io.rmigate.client.program.sidecar;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.socks.RawPipe;
import io.rmigate.client.socks.SocksHandshake;
import io.rmigate.client.socks.SocksLogin;
import io.rmigate.client.socks.SocksReply;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Refused;
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
  private static final byte[] JRMP = {'J', 'R', 'M', 'I'};
  private static final int HANDSHAKE_MILLIS = 10_000;

  private final MediatorAgent agent;
  private final ClientConfig config;
  private final Deadlines deadlines;
  private final Optional<SocksLogin> login;

  ClientConnections(MediatorAgent agent, ClientConfig config, Optional<SocksLogin> login) {
    this.agent = agent;
    this.config = config;
    this.deadlines = new Deadlines(config.callTimeouts());
    this.login = login;
  }

  /** A client that speaks SOCKS. */
  void socks(Socket client) throws IOException {
    client.setSoTimeout(HANDSHAKE_MILLIS);
    BufferedInputStream in = new BufferedInputStream(client.getInputStream());
    SocksHandshake handshake = new SocksHandshake(in, client.getOutputStream(), login);
    EndpointId target = handshake.readRequest();
    if (!isMediated(target) && !isRaw(target) && !isExportedHere(client, target)) {
      warn("{0} is neither in tunnel nor in sockets: refused", target);
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
    } else if (speaksJrmp(in)) {
      new MediatedConnection(agent, deadlines, target, client, in).run();
    } else if (isRaw(target)) {
      carry(client, in, target);
    } else {
      warn("what is not JRMP is not carried to {0}, which is not in sockets", target);
    }
  }

  /** Whether the first bytes are those of JRMP; they stay to be read. */
  private static boolean speaksJrmp(BufferedInputStream in) throws IOException {
    in.mark(JRMP.length);
    boolean same = true;
    for (int i = 0; i < JRMP.length && same; i++) {
      same = in.read() == JRMP[i];
    }
    in.reset();
    return same;
  }

  private void carry(Socket client, BufferedInputStream in, EndpointId target) throws IOException {
    LinkStream stream = agent.openRaw(target.host(), target.port());
    try {
      Optional<Refused> refused = stream.awaitConnected();
      if (refused.isPresent()) {
        warn("no connection to {0}: " + refused.get().text().replace("'", "''"), target);
      } else {
        new RawPipe(client, in, stream, agent.account()).run();
      }
    } finally {
      stream.close();
    }
  }

  private static void warn(String text, EndpointId target) {
    System.getLogger(ClientConnections.class.getName())
        .log(System.Logger.Level.WARNING, text, LogText.of(target.toString()));
  }
}
