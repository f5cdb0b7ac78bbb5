package io.rmigate.client.socks;

import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.jvm.DefaultLogLevel;
import io.rmigate.client.ladder.ServerLadder;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.transport.net.ServerConnection;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Refused;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The entry to the tunnel for sockets that no RMI socket factory of the agent makes, such as those
 * of stubs with a factory of their own. The JVM's proxy selector sends these sockets to a SOCKS
 * server of the door on loopback. Connections that begin with JRMP are mediated; TLS and all other
 * protocols cross the link as raw streams. A connection past the gateway is not mediated.
 *
 * <pre>
 *   new Socket("inner.example", 9010) ─ select ─► DoorProxySelector ─ add ─► SelectedDestinations
 *        └──── SOCKS 5, on loopback ────► LocalListener ─ was it just selected? ──────┘
 *                                              ├── past the gateway ──► SocketPipe
 *                                              ├── TLS socket ──► RawPipe ══ raw stream ══► gateway
 *                                              └── other socket ──► ConnectionProtocol ══► gateway
 * </pre>
 *
 * <p>The door opens a raw stream for a TLS socket before it answers the SOCKS client, so that the
 * connect fails at once and with a reason. Before it accepts another socket, it only makes sure
 * that there is a link, because the first bytes of the client decide between JRMP and a raw stream.
 * The agent's own link never passes the door, because its sockets ask no proxy selector.
 *
 * <p>Thread-safe.
 */
public final class SocksDoor implements Closeable {
  private static final int MOST_CONNECTIONS = 1024;
  private static final int HANDSHAKE_MILLIS = 10_000;

  private final MediatorAgent agent;
  private final ConnectionProtocol protocol;
  private final Optional<ServerLadder> ladder;
  private final Duration timeout;
  private final SelectedDestinations selections = new SelectedDestinations(System::nanoTime);
  private final DoorProxySelector selector;
  private final ReentrantLock lock = new ReentrantLock();

  /** Null until the first socket is sent here. Guarded by {@code lock}, as is {@code closed}. */
  private LocalListener listener;

  private boolean closed;

  private SocksDoor(
      MediatorAgent agent,
      DestinationPatterns destinations,
      Deadlines deadlines,
      Optional<ServerLadder> ladder,
      Duration timeout) {
    this.agent = agent;
    this.protocol = new ConnectionProtocol(agent, deadlines);
    this.ladder = ladder;
    this.timeout = timeout;
    this.selector =
        new DoorProxySelector(
            destinations, this::listening, selections, ProxySelector.getDefault());
  }

  /**
   * Opens the door: from here on all sockets of this JVM to these destinations go through it.
   *
   * @param deadlines of calls by JRMP
   * @param ladder decides whether they go past the gateway; empty: they never do
   * @param timeout for connecting there
   */
  public static SocksDoor open(
      MediatorAgent agent,
      DestinationPatterns destinations,
      Deadlines deadlines,
      Optional<ServerLadder> ladder,
      Duration timeout) {
    SocksDoor door = new SocksDoor(agent, destinations, deadlines, ladder, timeout);
    ProxySelector.setDefault(door.selector);
    return door;
  }

  /**
   * Where it listens, from the first socket on that is sent here: a JVM that makes none has neither
   * the listener nor its thread.
   *
   * @throws IOException nothing can listen on loopback
   */
  private InetSocketAddress listening() throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw new SocketException("rmigate is closed");
      }
      if (listener == null) {
        DefaultLogLevel.applyPrepared();
        LocalListener opened =
            new LocalListener(
                InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1}),
                0,
                "rmigate-socks",
                MOST_CONNECTIONS,
                this::handle);
        try {
          listener = opened.start();
        } finally {
          if (listener == null) {
            opened.close();
          }
        }
      }
      return listener.address();
    } finally {
      lock.unlock();
    }
  }

  private void handle(Socket client) throws IOException {
    client.setSoTimeout(HANDSHAKE_MILLIS);
    BufferedInputStream in = new BufferedInputStream(client.getInputStream());
    SocksHandshake handshake = new SocksHandshake(in, client.getOutputStream(), Optional.empty());
    EndpointId requested = handshake.readRequest();
    Optional<SelectedDestinations.Selection> selected = selections.take(requested);
    if (selected.isEmpty()) {
      System.getLogger(SocksDoor.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "a program other than this JVM''s proxy selector asks for a connection to {0}",
              LogText.of(requested.toString()));
      handshake.answer(SocksReply.NOT_ALLOWED);
      return;
    }
    client.setSoTimeout(0);
    EndpointId target = selected.get().endpoint();
    if (passesGateway(client, handshake, target)) {
      return;
    }
    if (selected.get().isTls()) {
      carryTls(client, in, handshake, target);
    } else if (hasLink(handshake, target)) {
      handshake.answer(SocksReply.SUCCEEDED);
      protocol.serve(client, in, target, true);
    }
  }

  private void carryTls(
      Socket client, BufferedInputStream in, SocksHandshake handshake, EndpointId target)
      throws IOException {
    Optional<LinkStream> stream = connect(handshake, target);
    if (stream.isPresent()) {
      try {
        handshake.answer(SocksReply.SUCCEEDED);
        new RawPipe(client, in, stream.get(), agent.account()).run();
      } finally {
        stream.get().close();
        stream.get().closeReason().ifPresent(reason -> warn(target, reason));
      }
    }
  }

  /** Whether there is a link now; without one the client's connect fails. */
  private boolean hasLink(SocksHandshake handshake, EndpointId target) throws IOException {
    try {
      agent.ensureLink();
      return true;
    } catch (IOException failed) {
      refuse(handshake, target, SocksReply.GENERAL_FAILURE, failed.getMessage());
      return false;
    }
  }

  /** Whether the connection was, or was to be, past the gateway; it has ended then. */
  private boolean passesGateway(Socket client, SocksHandshake handshake, EndpointId target)
      throws IOException {
    if (ladder.isEmpty() || !ladder.get().mayPassGateway(target.host())) {
      return false;
    }
    Optional<ServerConnection> opened;
    try {
      opened = ladder.get().open(target.host(), target.port(), timeout);
    } catch (IOException failed) {
      refuse(handshake, target, SocksReply.GENERAL_FAILURE, failed.getMessage());
      return true;
    }
    if (opened.isEmpty()) {
      return false;
    }
    try (ServerConnection server = opened.get()) {
      handshake.answer(SocksReply.SUCCEEDED);
      new SocketPipe(client, server).run();
    }
    return true;
  }

  private Optional<LinkStream> connect(SocksHandshake handshake, EndpointId target)
      throws IOException {
    LinkStream stream = null;
    String reason;
    SocksReply reply;
    try {
      stream = agent.openRaw(target.host(), target.port());
      Optional<Refused> refused = stream.awaitConnected();
      if (refused.isEmpty()) {
        return Optional.of(stream);
      }
      reason = refused.get().text();
      reply = SocksReply.of(refused.get().reason());
    } catch (IOException failed) {
      reason = failed.getMessage();
      reply = SocksReply.GENERAL_FAILURE;
    }
    if (stream != null) {
      stream.close();
    }
    refuse(handshake, target, reply, reason);
    return Optional.empty();
  }

  private static void refuse(
      SocksHandshake handshake, EndpointId target, SocksReply reply, String reason)
      throws IOException {
    warn(target, reason);
    handshake.answer(reply);
  }

  private static void warn(EndpointId target, String reason) {
    System.getLogger(SocksDoor.class.getName())
        .log(System.Logger.Level.WARNING, "no connection to {0}: {1}", target, reason);
  }

  /** Closes it: the selector that was there before decides again, unless it has been replaced. */
  @Override
  public void close() {
    if (ProxySelector.getDefault() == selector) {
      ProxySelector.setDefault(selector.before());
    }
    lock.lock();
    try {
      closed = true;
      if (listener != null) {
        listener.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
