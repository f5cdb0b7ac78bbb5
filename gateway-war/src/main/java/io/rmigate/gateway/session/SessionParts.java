package io.rmigate.gateway.session;

import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.callback.SessionCallbacks;
import io.rmigate.gateway.lease.SessionLeases;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.route.AskedRegistry;
import io.rmigate.gateway.route.RegistryPlace;
import io.rmigate.gateway.route.SessionKnowledge;
import io.rmigate.gateway.route.SessionLeaseRoutes;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Leased;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a session has beside its streams, by the features that agent and gateway agree on at the
 * hello. Thread-safe; {@link AgentFrames} has one frame at a time for each of them.
 */
final class SessionParts implements SessionKnowledge.Parts {
  private static final Logger LOG = LoggerFactory.getLogger(SessionParts.class);

  /** Before the hello. */
  static final SessionParts NONE = new SessionParts(Set.of(), null, null, null, null);

  private final Set<Feature> features;

  /** Null unless leases were agreed on. */
  private final SessionLeases leases;

  /** Null unless lookups were agreed on. */
  private final SessionLookups lookups;

  /** Null unless grants were agreed on. */
  private final SessionGrants grants;

  /** Null unless callbacks were agreed on. */
  private final SessionCallbacks callbacks;

  private SessionParts(
      Set<Feature> features,
      SessionLeases leases,
      SessionLookups lookups,
      SessionGrants grants,
      SessionCallbacks callbacks) {
    this.features = features;
    this.leases = leases;
    this.lookups = lookups;
    this.grants = grants;
    this.callbacks = callbacks;
  }

  /**
   * The features that the agent offers and this gateway accepts. To be ended with the session.
   *
   * @param hasLeft whether the agent has gone elsewhere, as it was asked to
   */
  static SessionParts agree(
      SessionContext session,
      BooleanSupplier hasLeft,
      SessionRegistry registry,
      RelayLoop loop,
      Hello greeting) {
    Set<Feature> taken = registry.features();
    taken.retainAll(greeting.features());
    return agree(
        taken,
        () -> leases(session, registry),
        () -> new SessionLookups(session, registry.watch()),
        () -> grants(session, registry),
        () ->
            registry
                .callbacks()
                .open(new SessionCallbackLink(session, hasLeft, loop, greeting.streamCredit())));
  }

  /**
   * Opens the parts that were agreed on, in this order. If one of them throws, those before it are
   * closed, because nothing else refers to them.
   */
  static SessionParts agree(
      Set<Feature> taken,
      Supplier<SessionLeases> leases,
      Supplier<SessionLookups> lookups,
      Supplier<SessionGrants> grants,
      Supplier<SessionCallbacks> callbacks) {
    SessionLeases itsLeases = taken.contains(Feature.LEASES) ? leases.get() : null;
    SessionLookups itsLookups = null;
    try {
      itsLookups = taken.contains(Feature.LOOKUPS) ? lookups.get() : null;
      return new SessionParts(
          taken,
          itsLeases,
          itsLookups,
          taken.contains(Feature.GRANTS) ? grants.get() : null,
          taken.contains(Feature.CALLBACKS) ? callbacks.get() : null);
    } catch (RuntimeException | Error e) {
      new SessionParts(taken, itsLeases, itsLookups, null, null)
          .end(CloseCause.INTERNAL_ERROR, true);
      throw e;
    }
  }

  private static SessionLeases leases(SessionContext session, SessionRegistry registry) {
    OutboundQueue outbound = session.outbound();
    return registry
        .leases()
        .open(
            session.standing().id(),
            session.standing().principal().name(),
            session.standing().caller(),
            new SessionLeaseRoutes(
                registry::policy,
                session.knowledge().routes(),
                registry.relay().settings(),
                Optional.of(taker(session))),
            (Leased answer) -> {
              outbound.add(answer);
              outbound.flush();
            });
  }

  /** Leases outlive their session, and keep nothing of it. */
  private static SessionLeaseRoutes.Taker taker(SessionContext session) {
    WeakReference<SessionContext> live = new WeakReference<>(session);
    Caller caller = session.standing().caller();
    AtomicInteger neverGiven = new AtomicInteger();
    return new SessionLeaseRoutes.Taker() {
      @Override
      public int onNeverGiven() {
        return neverGiven.incrementAndGet();
      }

      @Override
      public Caller caller() {
        return caller;
      }

      @Override
      public boolean loginExpired() {
        SessionContext its = live.get();
        return its != null && its.standing().loginExpired();
      }

      @Override
      public boolean isOwn(EndpointId endpoint) {
        SessionContext its = live.get();
        return its != null && its.knowledge().listensAt(endpoint);
      }

      @Override
      public void onHeld(EndpointId endpoint, ObjIdentifier object) {
        SessionContext its = live.get();
        if (its != null) {
          its.knowledge().onHeld(endpoint, object);
        }
      }

      @Override
      public boolean onRefused(EndpointId endpoint, String rule, Refusal refusal) {
        SessionContext its = live.get();
        if (its == null) {
          return false;
        }
        String target = LogText.of(endpoint.toString());
        its.refusals().warnRefused(LOG, refusal, target, "lease of objects there");
        its.audit().refused(AuditEvent.LEASE, endpoint.toString(), rule, refusal);
        return true;
      }

      @Override
      public void onDropped(EndpointId endpoint, ObjIdentifier object) {
        SessionContext its = live.get();
        if (its != null) {
          its.knowledge().onDropped(endpoint, object);
        }
      }
    };
  }

  private static SessionGrants grants(SessionContext session, SessionRegistry registry) {
    return new SessionGrants(
        session.standing().id(),
        session.standing().principal(),
        registry.grants(),
        session.knowledge().routes(),
        registry::policy,
        new GrantReports(
            session::add,
            (endpoint, reason) ->
                session
                    .audit()
                    .refused(
                        AuditEvent.GRANT,
                        endpoint.toString(),
                        reason.word(),
                        Refusal.of("grant of an earlier session: " + reason.word())),
            registry.meters()),
        registry::nanoTime);
  }

  Set<Feature> features() {
    return features;
  }

  boolean has(Feature feature) {
    return features.contains(feature);
  }

  /** Null where DGC calls are left to streams. */
  SessionLeases leases() {
    return leases;
  }

  /** Null where lookups are left to streams. */
  SessionLookups lookups() {
    return lookups;
  }

  /** Null where the agent keeps no grants. */
  SessionGrants grants() {
    return grants;
  }

  /** Null where the gateway does not listen for the agent. */
  SessionCallbacks callbacks() {
    return callbacks;
  }

  /** The welcome has been sent. */
  void onWelcomed() {
    if (lookups != null) {
      lookups.onWelcomed();
    }
    if (grants != null) {
      grants.onWelcomed();
    }
  }

  /** Looks at the clock. On the registry's timer; does not block. */
  void tick(long now) {
    if (callbacks != null) {
      callbacks.tick(now);
    }
  }

  /** Whether grants that are due have been renewed, and are to be told. */
  boolean renewGrants(long now) {
    return grants != null && grants.tick(now);
  }

  /** The agent is about to be asked to go: queues what the gateway it goes to is to be shown. */
  void leave() {
    if (grants != null) {
      grants.leave();
    }
  }

  @Override
  public void named(LiveReference reference) {
    if (grants != null) {
      grants.named(reference);
    }
  }

  /** Queues what was learnt, if anything was. */
  boolean tell() {
    return grants != null && grants.tell();
  }

  /** Runs that behind the DIRTYs that have come. */
  void behindDirties(Runnable then) {
    if (leases == null) {
      then.run();
    } else {
      leases.behindDirties(then);
    }
  }

  @Override
  public boolean listensAt(String host, int port) {
    return callbacks != null && callbacks.listensAt(host, port);
  }

  @Override
  public boolean hasListenedAt(String host, int port) {
    return callbacks != null && callbacks.hasListenedAt(host, port);
  }

  /** Whether an inner JVM waits for an answer of one of the agent's objects. */
  boolean callInFlight() {
    return callbacks != null && callbacks.callInFlight();
  }

  /** The calls of inner JVMs to objects of the agent's. */
  Stream<GatewayView.CallView> calls(long now, String principal, String session) {
    return callbacks == null
        ? Stream.empty()
        : callbacks.calls(now).map(call -> GatewayView.CallView.of(call, principal, session));
  }

  @Override
  public void held(EndpointId endpoint, ObjIdentifier object) {
    if (grants != null) {
      grants.held(endpoint, object);
    }
  }

  @Override
  public void dropped(EndpointId endpoint, ObjIdentifier object) {
    if (grants != null) {
      grants.dropped(endpoint, object);
    }
  }

  @Override
  public void learnt(LiveReference reference, AskedRegistry registry) {
    if (grants != null) {
      grants.learnt(reference, registry);
    }
  }

  @Override
  public void learntObject(LiveReference reference, RegistryPlace place) {
    if (grants != null) {
      grants.learntObject(reference, place);
    }
  }

  /**
   * The session has ended. May come twice.
   *
   * @param isOver whether the agent's JVM has ended, as far as is known, rather than that it may
   *     come back
   */
  void end(CloseCause cause, boolean isOver) {
    if (callbacks != null) {
      callbacks.end();
    }
    if (lookups != null) {
      lookups.end();
    }
    if (leases == null) {
      return;
    }
    if (cause == CloseCause.DRAINING) {
      leases.abandon(); // its servers' leases are for the next gateway to go on with
    } else if (isOver) {
      leases.release();
    } else {
      leases.releaseAfterGrace();
    }
  }
}
