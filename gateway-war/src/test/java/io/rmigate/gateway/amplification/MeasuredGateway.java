package io.rmigate.gateway.amplification;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.callback.Callbacks;
import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.edge.post.PostConnections;
import io.rmigate.gateway.edge.post.PostDoor;
import io.rmigate.gateway.grant.GrantKeys;
import io.rmigate.gateway.grant.GrantSeal;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.grant.NamedRegistry;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.lease.OwnCallLeaseServers;
import io.rmigate.gateway.lease.TimerLeaseClock;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassRule;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.ObjectRule;
import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.own.OwnCallSettings;
import io.rmigate.gateway.relay.own.OwnCalls;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.session.InnerParts;
import io.rmigate.gateway.session.LiveSettings;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.session.SessionReports;
import io.rmigate.gateway.session.SessionSettings;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Grant;
import java.io.Closeable;
import java.io.IOException;
import java.rmi.MarshalledObject;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The gateway with its default settings, without a container, and a server behind it. Class rules
 * are enforced and allow MarshalledObject. Any object may be called, because clients look none up.
 */
final class MeasuredGateway implements Closeable {
  private static final RelaySettings NEVER_PINGED =
      new RelaySettings(
          RelaySettings.DEFAULTS.connectTimeout(),
          RelaySettings.DEFAULTS.handshakeTimeout(),
          Duration.ofHours(1),
          RelaySettings.DEFAULTS.maxHeldCallBytes(),
          RelaySettings.DEFAULTS.threads());

  private static final EntryRules ENFORCED =
      EntryRules.NONE
          .with(EntryRules.MODE, Optional.of(ClassMode.ENFORCE))
          .with(
              ClassRule.KEY,
              List.of(ClassPattern.parse(MarshalledObject.class.getName()).orElseThrow()))
          .with(ObjectRule.KEY, Optional.of(false));

  private final ReturningServer server = new ReturningServer();
  private final EmptyRegistry names = new EmptyRegistry();
  private final Relay relay = new Relay(NEVER_PINGED);
  private final TimerLeaseClock leaseClock = new TimerLeaseClock();
  private final CountingMeters meters = new CountingMeters();
  private final Leases leases;
  private final GrantSeal seal;
  private final SessionRegistry registry;
  private final PostConnections posts;
  private final PostDoor door;
  private int strangers;

  MeasuredGateway() throws IOException {
    TargetPolicy policy =
        new TargetPolicy(
            List.of(
                new TargetGrant(
                    Set.of(TargetPolicy.ANYONE),
                    List.of("127.0.0.1:*"),
                    EnumSet.allOf(RegistryOperation.class),
                    ENFORCED)));
    OwnCalls inside = new OwnCalls(relay, OwnCallSettings.DEFAULTS);
    this.leases =
        new Leases(
            LeaseSettings.DEFAULTS,
            new OwnCallLeaseServers(inside, LeaseSettings.DEFAULTS.callTimeout()),
            leaseClock,
            meters);
    GrantKeys keys = GrantKeys.random();
    this.seal = new GrantSeal(() -> keys, () -> GrantSettings.DEFAULTS, Clock.systemUTC());
    this.registry =
        new SessionRegistry(
            SessionSettings.DEFAULTS,
            new InnerParts(relay, leases, inside, Callbacks.off(relay)),
            new LiveSettings(
                () -> LookupSettings.DEFAULTS,
                () -> policy,
                () -> new CompressionPolicy(Compression.ON, List.of()),
                seal),
            new SessionReports(meters, AuditTrail.OFF, RareLines.ofCallers()));
    this.posts =
        new PostConnections(
            registry, new PostConnections.Limits(Duration.ofSeconds(25), 1000, 100));
    this.door = new PostDoor(posts, DoorAudit.OFF);
  }

  ReturningServer server() {
    return server;
  }

  CountingMeters meters() {
    return meters;
  }

  /** A grant of an earlier session of this principal; without objects: a grant of an endpoint. */
  Grant sealed(Principal principal, EndpointId endpoint, List<ObjIdentifier> objects) {
    String owner = principal.scheme().word() + ":" + principal.name();
    List<NamedRegistry> registries =
        objects.isEmpty() ? List.of(new NamedRegistry(registry(), registry().host())) : List.of();
    return seal.seal(owner, endpoint, objects, registries).orElseThrow();
  }

  /** A registry without bindings, whose server grants leases. */
  EndpointId registry() {
    return new EndpointId("127.0.0.1", names.port());
  }

  /** Transport and coding of a client's frames. */
  enum Link {
    PLAIN,
    CODED,
    POSTED;

    @Override
    public String toString() {
      return switch (this) {
        case PLAIN -> "plain frames";
        case CODED -> "coded frames";
        case POSTED -> "POST";
      };
    }
  }

  /** A client of a new principal. */
  LinkClient client(Link link) throws IOException {
    return client(link, stranger());
  }

  /** A principal without a session before. */
  Principal stranger() {
    return new Principal("client" + ++strangers, Principal.Scheme.BASIC);
  }

  /** A client of this principal, in a session of its own. */
  LinkClient client(Link link, Principal who) throws IOException {
    Inbox inbox = new Inbox();
    ClientTransport transport =
        link == Link.POSTED
            ? new PostTransport(door, who, inbox)
            : new LinkTransport(registry, who, inbox);
    return LinkClient.open(transport, inbox, link == Link.CODED, server.port());
  }

  @Override
  public void close() throws IOException {
    posts.close();
    registry.close();
    leases.close();
    leaseClock.close();
    relay.close();
    server.close();
    names.close();
  }
}
