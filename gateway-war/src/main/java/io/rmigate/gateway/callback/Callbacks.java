package io.rmigate.gateway.callback;

import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.relay.address.OwnListeners;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.io.Closeable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state that callbacks of all sessions share: ports ({@link InnerPorts}), and who may connect
 * to them ({@link PeerNames}). Thread-safe.
 *
 * <p>Tells listeners of connections that come from this gateway itself, since one tunnelled JVM
 * calls another one ({@link OwnListeners}): such a connection is known by where it comes from,
 * which is registered before the connection is made and which no other connection can have
 * meanwhile.
 */
public final class Callbacks implements OwnListeners, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);

  private final Supplier<Optional<CallbackSettings>> settings;
  private final Relay relay;
  private final CallbackMeters meters;
  private final InnerPorts ports;
  private final PeerNames peers;
  private final ConnectionPlaces places = new ConnectionPlaces();
  private final RareLines lines = new RareLines();
  private final SecureRandom random = new SecureRandom();

  /** Where the gateway listens, by port. */
  private final ConcurrentMap<Integer, InetAddress> live = new ConcurrentHashMap<>();

  private final ConcurrentMap<InetSocketAddress, Optional<InetAddress>> expected =
      new ConcurrentHashMap<>();

  private final Set<SessionCallbacks> sessions = ConcurrentHashMap.newKeySet();

  /**
   * @param settings in force; empty: agents may not listen. Asked again and again
   * @param state directory of what must outlive a restart; empty: nothing does
   */
  public Callbacks(
      Supplier<Optional<CallbackSettings>> settings,
      Relay relay,
      Optional<Path> state,
      CallbackMeters meters) {
    this.settings = settings;
    this.relay = relay;
    this.meters = meters;
    this.ports = new InnerPorts(settings, state, relay.resolvers(), meters);
    this.peers = new PeerNames(settings, relay.resolvers());
    relay.ownListeners(this);
    tick();
  }

  /** For a gateway without listeners. */
  public static Callbacks off(Relay relay) {
    return new Callbacks(Optional::empty, relay, Optional.empty(), CallbackMeters.NONE);
  }

  /** Whether agents may listen. */
  public boolean enabled() {
    return settings.get().isPresent();
  }

  /** How stubs of agents' JVMs name this gateway; empty when agents may not listen. */
  public Optional<String> innerHost() {
    return settings.get().map(CallbackSettings::host);
  }

  /** The callbacks of a new session. */
  public SessionCallbacks open(CallbackLink link) {
    SessionCallbacks session = new SessionCallbacks(this, link);
    sessions.add(session);
    return session;
  }

  void forget(SessionCallbacks session) {
    sessions.remove(session);
  }

  /** Empty while agents may not listen. */
  Optional<CallbackSettings> settings() {
    return settings.get();
  }

  CallbackMeters meters() {
    return meters;
  }

  Duration handshakeTimeout() {
    return relay.settings().handshakeTimeout();
  }

  VmIdentifier newVmId() {
    return new VmIdentifier(
        random.nextLong(), random.nextInt(), System.currentTimeMillis(), (short) random.nextInt());
  }

  /**
   * Takes a port.
   *
   * @param port 0: any
   */
  InnerPorts.Bound listen(Principal principal, RelayLoop loop, int port) {
    InnerPorts.Bound bound = ports.listen(principal, loop, port);
    bound.listener().ifPresent(listener -> live.put(listener.port(), bound.address()));
    return bound;
  }

  /** Does something when whose ports are whose outlives this process, or should by now. */
  void whenOwnersAreKept(Runnable then) {
    ports.whenOwnersAreKept(then);
  }

  /** A port is not listened at any more. */
  void freed(int port) {
    live.remove(port);
    ports.freed(port);
  }

  /** Places for connections to the listeners of all sessions. */
  ConnectionAdmission.Bound connections() {
    int most = settings.get().map(now -> now.connections().inAll()).orElse(0);
    return new ConnectionAdmission.Bound("connections in all", places, most);
  }

  /** An inner host has had its share of something, or all of it is taken. Under locks. */
  void tooMuch(SessionCallbacks session, String of, String taken, AddressOwner host) {
    meters.refused("callback-limit");
    if (mayWrite(of, host)) {
      LOG.warn(
          "{}: no more {} for {}: {}; see \"Bounds\" in docs/explanation/callbacks.md",
          session,
          of,
          host,
          taken);
    }
  }

  /** Whether a line about a peer is worth writing. */
  boolean mayWrite(String what, AddressOwner host) {
    return lines.mayWrite(List.of(what, host));
  }

  /** Whether an inner host may connect to listeners. */
  boolean admits(InetAddress peer) {
    return peers.admits(peer);
  }

  /**
   * The agent for which this gateway has a connection of its own from this address. The outer value
   * is empty if the gateway has none from there, the inner one if the connection is for no agent.
   */
  Optional<Optional<InetAddress>> expected(InetSocketAddress source) {
    return Optional.ofNullable(expected.get(source));
  }

  @Override
  public Optional<InetAddress> address(String host, int port) {
    InetAddress here = live.get(port);
    return here != null && innerHost().filter(host::equalsIgnoreCase).isPresent()
        ? Optional.of(here)
        : Optional.empty();
  }

  @Override
  public boolean isOne(InetAddress address, int port) {
    return address.equals(live.get(port));
  }

  @Override
  public void expect(InetSocketAddress source, Optional<InetAddress> caller) {
    expected.put(source, caller);
  }

  @Override
  public void forget(InetSocketAddress source) {
    expected.remove(source);
  }

  /** Looks at the clock; on the timer of sessions. Does not block. */
  public void tick() {
    peers.tick(System.nanoTime());
    ports.tick(System.nanoTime());
  }

  /** A snapshot. */
  public CallbackView view() {
    return new CallbackView(
        sessions.stream()
            .flatMap(session -> session.views().stream())
            .sorted(Comparator.comparingInt(ListenerView::port))
            .toList(),
        ports.quarantined());
  }

  /** After the sessions have ended. What must outlive this is written. */
  @Override
  public void close() {
    ports.close();
  }
}
