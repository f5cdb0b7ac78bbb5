package io.rmigate.gateway;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.bridge.BridgeCalls;
import io.rmigate.gateway.bridge.RelayBridge;
import io.rmigate.gateway.callback.Callbacks;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.lease.OwnCallLeaseServers;
import io.rmigate.gateway.lease.TimerLeaseClock;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.metrics.GatewayMetrics;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.own.OwnCallSettings;
import io.rmigate.gateway.relay.own.OwnCalls;
import io.rmigate.gateway.route.LocalTargets;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.session.InnerParts;
import io.rmigate.gateway.session.LiveSettings;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.session.SessionReports;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a gateway behind its servlets: sessions, calls of web services, and the relay, the
 * leases and the callbacks that both use. Thread-safe.
 */
final class GatewayCore {
  private static final Logger log = LoggerFactory.getLogger(GatewayBootstrap.class);

  private final TimerLeaseClock leaseClock = new TimerLeaseClock();
  private final Relay relay;
  private final Leases leases;
  private final Callbacks callbacks;
  private final BridgeCalls bridge;
  private final SessionRegistry sessions;

  /**
   * Starts the parts; {@link #endSessions} and {@link #close} end them, in this order.
   *
   * @param config at the start; what a reload changes is in {@code live}
   */
  GatewayCore(
      GatewayConfig config,
      LiveConfiguration live,
      GatewayMetrics metrics,
      AuditTrail audit,
      RareLines lines) {
    relay = new Relay(config.inside().relay());
    logLocalTargets(live.policy().get());
    live.policy().onChange((before, next) -> logLocalTargets(next));
    OwnCalls inside = new OwnCalls(relay, OwnCallSettings.DEFAULTS);
    leases =
        new Leases(
            config.inside().leases(),
            new OwnCallLeaseServers(inside, config.inside().leases().callTimeout()),
            leaseClock,
            metrics);
    bridge =
        new RelayBridge(relay, leases, live.policy(), live.lookups(), metrics.services(), lines);
    callbacks =
        new Callbacks(live.callbacks(), relay, Optional.of(config.operation().state()), metrics);
    sessions =
        new SessionRegistry(
            config.tunnel().session(),
            new InnerParts(relay, leases, inside, callbacks),
            new LiveSettings(live.lookups(), live.policy(), live.compression(), live.seal()),
            new SessionReports(metrics, audit, lines));
  }

  /**
   * Logs which targets are on this machine, on a thread that may wait for the name service; nothing
   * is logged while too many names wait for it, so that a reload of the policy does not fail.
   */
  private void logLocalTargets(TargetPolicy policy) {
    try {
      relay.resolvers().execute(new LocalTargets(policy, relay.localAddresses()));
    } catch (RejectedExecutionException overloaded) {
      log.debug("targets on this machine are not logged: {}", overloaded.getMessage());
    }
  }

  SessionRegistry sessions() {
    return sessions;
  }

  BridgeCalls bridge() {
    return bridge;
  }

  /** Ends all sessions and the calls of web services. */
  void endSessions() {
    bridge.close();
    sessions.close();
  }

  /** Ends the other parts, which sessions use while they end. */
  void close() {
    callbacks.close();
    leases.close();
    relay.close();
    leaseClock.close();
  }
}
