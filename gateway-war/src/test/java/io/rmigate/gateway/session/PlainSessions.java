package io.rmigate.gateway.session;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.callback.Callbacks;
import io.rmigate.gateway.grant.GrantKeys;
import io.rmigate.gateway.grant.GrantSeal;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.own.OwnCallSettings;
import io.rmigate.gateway.relay.own.OwnCalls;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.NamePatterns;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Sessions without lookups, callbacks and audit. */
public final class PlainSessions {
  private static final LookupSettings NO_LOOKUPS =
      new LookupSettings(false, NamePatterns.NONE, Duration.ofSeconds(5), List.of());

  /** All sessions of one gateway, without leases. */
  public static SessionRegistry over(Relay relay, SessionSettings settings, TargetPolicy policy) {
    GrantKeys keys = GrantKeys.random();
    return new SessionRegistry(
        settings,
        new InnerParts(
            relay,
            Leases.off(),
            new OwnCalls(relay, OwnCallSettings.DEFAULTS),
            Callbacks.off(relay)),
        new LiveSettings(
            () -> NO_LOOKUPS,
            () -> policy,
            () -> CompressionPolicy.DEFAULT,
            new GrantSeal(() -> keys, () -> GrantSettings.DEFAULTS, Clock.systemUTC())),
        new SessionReports(SessionMeters.NONE, AuditTrail.OFF, RareLines.ofCallers()));
  }

  private PlainSessions() {}
}
