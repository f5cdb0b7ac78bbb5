package io.rmigate.gateway.session;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.callback.Callbacks;
import io.rmigate.gateway.grant.GrantKeys;
import io.rmigate.gateway.grant.GrantSeal;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.own.OwnCallSettings;
import io.rmigate.gateway.relay.own.OwnCalls;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.CloseCause;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One timer watches all sessions: it goes on after each failure. */
class SessionTimerTest {
  private static final SessionSettings DEFAULTS = SessionSettings.DEFAULTS;
  private static final SessionSettings HASTY =
      new SessionSettings(
          DEFAULTS.heartbeat(),
          Duration.ofMillis(50),
          new SessionSettings.Limits(
              DEFAULTS.limits().streamCredit(),
              DEFAULTS.limits().maxStreams(),
              DEFAULTS.limits().maxSessionsPerPrincipal(),
              DEFAULTS.limits().maxSessions()),
          DEFAULTS.sendTimeout(),
          Duration.ZERO,
          SessionSettings.DEFAULTS.choresPerSecond());

  private final Relay relay =
      new Relay(new RelaySettings(PATIENCE, PATIENCE, PATIENCE, 64 * 1024, 1));
  private SessionRegistry registry;

  @AfterEach
  void end() {
    registry.close();
    relay.close();
  }

  /** Takes what is sent, or never does; closes, or fails to. */
  private static final class Port implements LinkPort {
    private final boolean healthy;
    volatile CloseCause closed;

    Port(boolean healthy) {
      this.healthy = healthy;
    }

    @Override
    public void send(ByteBuffer bytes, SendEnd end) {
      if (healthy) {
        end.sendEnded(null);
      }
    }

    @Override
    public void close(CloseCause cause) {
      closed = cause;
      if (!healthy) {
        throw new StackOverflowError("wanted by the test");
      }
    }

    @Override
    public String peer() {
      return "192.0.2.1";
    }
  }

  private void open(Supplier<LookupSettings> lookups) {
    GrantKeys keys = GrantKeys.random();
    registry =
        new SessionRegistry(
            HASTY,
            new InnerParts(
                relay,
                Leases.off(),
                new OwnCalls(relay, OwnCallSettings.DEFAULTS),
                Callbacks.off(relay)),
            new LiveSettings(
                lookups,
                () -> new TargetPolicy(List.of()),
                () -> new CompressionPolicy(Compression.AUTO, List.of()),
                new GrantSeal(() -> keys, () -> GrantSettings.DEFAULTS, Clock.systemUTC())),
            new SessionReports(SessionMeters.NONE, AuditTrail.OFF, RareLines.ofCallers()));
  }

  private void expectHelloTimeout(Port port) {
    registry.begin(port, SessionBed.ANN);
    await().until(() -> port.closed == CloseCause.HELLO_TIMEOUT);
  }

  @Test
  void failureOfWatchedNamesEndsNoTimeOut() {
    open(
        () -> {
          throw new StackOverflowError("wanted by the test");
        });
    expectHelloTimeout(new Port(true));
  }

  @Test
  void failureOfOneSessionsLinkEndsNoTimeOutOfAnother() {
    open(() -> LookupSettings.DEFAULTS);
    expectHelloTimeout(new Port(false));
    expectHelloTimeout(new Port(true));
  }
}
