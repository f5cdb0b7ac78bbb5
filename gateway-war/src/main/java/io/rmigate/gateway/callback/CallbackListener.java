package io.rmigate.gateway.callback;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.relay.listener.InnerConnection;
import io.rmigate.gateway.relay.listener.InnerListener;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One port at which the gateway listens for an agent: who may connect, who is connected, and what
 * inner JVMs hold there.
 *
 * <p>Threads: connections come on the session's relay loop. {@link #leases} and {@link #releases}
 * are guarded by {@link SessionCallbacks}' lock.
 */
final class CallbackListener implements InnerListener.Acceptor {
  private static final Logger LOG = LoggerFactory.getLogger(CallbackListener.class);

  private static final int MAX_PEERS_SHOWN = 100;

  private final SessionCallbacks session;
  private final long number;
  private final InnerListener socket;
  private final InetAddress address;
  private final Instant since = Instant.now();
  private final Set<CallbackStream> streams = ConcurrentHashMap.newKeySet();
  private final AtomicLong calls = new AtomicLong();

  /**
   * The agent whose JVM made the connection that was admitted last; see {@link Callbacks#expected}.
   * Confined to the loop.
   */
  private Optional<Optional<InetAddress>> admitted = Optional.empty();

  final InnerLeases leases;

  /** Objects that no inner JVM holds any more, before the agent is told. */
  final Set<ObjIdentifier> releases = new LinkedHashSet<>();

  CallbackListener(
      SessionCallbacks session, long number, InnerListener socket, InetAddress address) {
    this.session = session;
    this.number = number;
    this.socket = socket;
    this.address = address;
    this.leases = session.references().newLeases();
  }

  long number() {
    return number;
  }

  int port() {
    return socket.port();
  }

  void start() {
    socket.start(this);
  }

  /** Frees the port; connections live on. */
  void close() {
    socket.close();
  }

  @Override
  public boolean admits(InetSocketAddress peer) {
    Callbacks all = session.all();
    admitted = all.expected(peer);
    if (admitted.isEmpty() && !all.admits(peer.getAddress())) {
      all.meters().refused("callback-peer");
      Refusal refusal =
          Refusal.of(
              peer.getAddress().getHostAddress() + " may not connect",
              "to allow it add \"" + peer.getAddress().getHostAddress() + "\" to callbacks.from");
      auditRefusal(peer, "callback-peer", refusal);
      if (all.mayWrite("peer", AddressOwner.of(peer.getAddress()))) {
        session
            .link()
            .warnRefused(LOG, refusal, "callback port " + port(), "connection of " + peer);
      }
      return false;
    }
    return true;
  }

  @Override
  public void onConnection(InnerConnection connection, InetSocketAddress peer) throws IOException {
    CallbackStream stream =
        new CallbackStream(
            session,
            this,
            connection,
            new InnerPeer(
                peer,
                told(peer.getAddress()),
                admitted.flatMap(agent -> agent).orElse(peer.getAddress())));
    streams.add(stream);
    if (!session.add(stream)) {
      streams.remove(stream);
      connection.close();
      auditRefusal(
          peer, "callback-limit", Refusal.of("too many connections of inner JVMs at a time"));
      return;
    }
    audit(entry(peer).outcome(AuditOutcome.ACCEPTED).with(AuditField.VERDICT, AuditEntry.ALLOWED));
    boolean open = false;
    try {
      stream.open();
      open = true;
    } finally {
      if (!open) {
        stream.end();
      }
    }
  }

  /** Bytes of an accepted connection end it. */
  void auditRefusal(InetSocketAddress peer, String rule, Refusal refusal) {
    audit(entry(peer).refused(rule, refusal));
  }

  /** An audit entry with the peer of a connection and the port. */
  private AuditEntry entry(InetSocketAddress peer) {
    return session
        .link()
        .entry(AuditEvent.CALLBACK_CONNECTION)
        .with(AuditField.PEER, peer.getAddress().getHostAddress() + ":" + peer.getPort())
        .with(AuditField.PORT, port());
  }

  private void audit(AuditEntry entry) {
    session.link().audit(entry);
  }

  void forget(CallbackStream stream) {
    streams.remove(stream);
  }

  /**
   * The peer as the agent's JVM is told. A registry takes a loopback address for permission to
   * bind; but this machine's loopback is not the agent's.
   */
  private InetAddress told(InetAddress peer) {
    Optional<Optional<InetAddress>> own = admitted;
    if (own.isPresent()) {
      return own.get().filter(agent -> !agent.isLoopbackAddress()).orElse(unknown());
    }
    if (!peer.isLoopbackAddress()) {
      return peer;
    }
    return address.isLoopbackAddress() ? unknown() : address;
  }

  /** The wildcard address, of which a registry says that its origin is unknown. */
  private static Inet4Address unknown() {
    try {
      return (Inet4Address) InetAddress.getByAddress(new byte[4]);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  void countCall() {
    calls.incrementAndGet();
    session.all().meters().callback();
  }

  /** With the session's lock held. */
  ListenerView view() {
    Map<String, Integer> peers = new LinkedHashMap<>();
    for (CallbackStream stream : streams) {
      if (peers.size() < MAX_PEERS_SHOWN) {
        peers.merge(stream.peer(), 1, Integer::sum);
      }
    }
    return new ListenerView(
        port(),
        session.link().session(),
        session.link().principal().name(),
        since,
        streams.size(),
        peers,
        leases.holders(),
        leases.held(),
        calls.get());
  }

  @Override
  public String toString() {
    return session + " port " + port();
  }
}
