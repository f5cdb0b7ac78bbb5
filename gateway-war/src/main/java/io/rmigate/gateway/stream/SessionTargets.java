package io.rmigate.gateway.stream;

import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.limit.PeerAddress;
import io.rmigate.gateway.lookup.RegistryWatch;
import io.rmigate.gateway.relay.ConnectionListener;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ServerConnection;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.route.Route;
import io.rmigate.gateway.route.SessionRoutes;
import io.rmigate.gateway.route.TargetPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The servers that one session's streams go to: where a permitted way leads, how long connecting
 * may take, and the connections themselves, which all belong to the session's relay loop. It
 * permits nothing: what comes here has been judged ({@link SessionRoutes}, {@link TargetPolicy}).
 *
 * <p>Immutable; from any thread.
 */
public final class SessionTargets {
  private final Relay relay;
  private final RelayLoop loop;
  private final Supplier<Caller> caller;
  private final Supplier<String> peer;
  private final RegistryWatch watch;
  private final Function<String, TargetStats.Row> stats;

  /**
   * @param loop of the session
   * @param caller whose it is
   * @param peer {@code address:port} of the agent's latest connection
   * @param watch told what is bound through here
   * @param stats of a target, for admins
   */
  public SessionTargets(
      Relay relay,
      RelayLoop loop,
      Supplier<Caller> caller,
      Supplier<String> peer,
      RegistryWatch watch,
      Function<String, TargetStats.Row> stats) {
    this.relay = relay;
    this.loop = loop;
    this.caller = caller;
    this.peer = peer;
    this.watch = watch;
    this.stats = stats;
  }

  /** Where a way leads; an agent may ask for shorter times than the gateway's, or for zero. */
  public Target target(Route.Permitted way, Duration connectTimeout, Duration handshakeTimeout) {
    RelaySettings ours = relay.settings();
    return way.target(
        shorter(connectTimeout, ours.connectTimeout()),
        shorter(handshakeTimeout, ours.handshakeTimeout()));
  }

  /** A place that policy names for raw streams. */
  Target rawTarget(String host, int port, AddressRule addresses, Duration connectTimeout) {
    RelaySettings ours = relay.settings();
    return new Target(
        host,
        port,
        addresses,
        shorter(connectTimeout, ours.connectTimeout()),
        ours.handshakeTimeout());
  }

  private static Duration shorter(Duration asked, Duration ours) {
    return asked.isZero() || asked.compareTo(ours) > 0 ? ours : asked;
  }

  /** A connection that is not open yet, on the session's loop. */
  ServerConnection connect(
      Target target, ServerConnection.Protocol protocol, ConnectionListener listener) {
    return new ServerConnection(
        relay, loop, target, protocol, caller.get(), PeerAddress.of(peer.get()), listener);
  }

  /** Bindings of a registry change now. */
  void bindingsChange(Route.Permitted way, Optional<String> name) {
    watch.changed(target(way, Duration.ZERO, Duration.ZERO), name);
  }

  /** The statistics of a target, by the name that agents use. */
  TargetStats.Row stats(String target) {
    return stats.apply(target);
  }
}
