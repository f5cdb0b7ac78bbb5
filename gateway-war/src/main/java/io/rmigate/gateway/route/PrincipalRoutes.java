package io.rmigate.gateway.route;

import io.rmigate.gateway.lease.LeaseRoutes;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.RegistryName;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Where calls go that the gateway itself makes for a principal outside all sessions: by the same
 * policy and the same mapping as within one ({@link SessionRoutes}). Since there is no session with
 * whose end it would be forgotten, what registries have named counts only as long as policy permits
 * the principal to ask them. Thread-safe.
 */
public final class PrincipalRoutes {
  private static final int MAX_FACTS = 4096;

  /** Stands for a call's arguments, which are not checked. */
  private static final byte[] NOTHING = {};

  /** Endpoints of which the way is remembered. */
  private static final int MAX_USUAL = 1024;

  private final String what;
  private final Principal principal;
  private final Supplier<TargetPolicy> policy;
  private final RelaySettings relay;

  private final ReentrantLock lock = new ReentrantLock();

  /** The registry from which each live reference was learnt; the latest facts are kept. */
  private final Map<LiveReference, EndpointId> facts =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LiveReference, EndpointId> eldest) {
          return size() > MAX_FACTS;
        }
      };

  private volatile Known known;

  /** A way that is the same for every object, as long as nothing more has been learnt. */
  private record Usual(int version, Route.Permitted way) {}

  /**
   * What counts under one policy.
   *
   * @param usual by endpoint
   */
  private record Known(TargetPolicy policy, SessionRoutes routes, Map<EndpointId, Usual> usual) {
    Known(TargetPolicy policy, SessionRoutes routes) {
      this(policy, routes, new ConcurrentHashMap<>());
    }

    Route.Permitted route(EndpointId named, ObjIdentifier object) throws PolicyRefusal {
      int version = routes.version();
      Usual before = usual.get(named);
      if (before != null && before.version() == version) {
        return before.way();
      }
      Route route = routes.route(policy, named.host(), named.port(), () -> Optional.of(object));
      if (route instanceof Route.Permitted inside) {
        if (inside.lasting() && (before != null || usual.size() < MAX_USUAL)) {
          usual.put(named, new Usual(version, inside));
        }
        return inside;
      }
      throw route instanceof Route.Ambiguous ambiguous
          ? new PolicyRefusal(
              "ambiguous-endpoint",
              named,
              "several servers use this name in their stubs: " + ambiguous.places(),
              "set java.rmi.server.hostname there")
          : new PolicyRefusal(
              "target",
              named,
              "no entry of targets names " + named,
              "to allow it add \"allow: ['" + named + "']\" to a targets entry");
    }

    /** The registry of that name, if it may be asked for names. */
    Route.Permitted registry(EndpointId named) throws PolicyRefusal {
      Route.Permitted way = route(named, ObjIdentifier.REGISTRY);
      mustPermit(way, named, RegistryOperation.LOOKUP);
      return way;
    }

    /**
     * Learns a live reference that a registry has handed out, if the registry may still be asked.
     */
    void learn(EndpointId registry, LiveReference reference) {
      try {
        learn(registry, registry(registry), reference);
      } catch (PolicyRefusal notPermitted) {
        // It counts no more.
      }
    }

    private void learn(EndpointId name, Route.Permitted registry, LiveReference reference) {
      routes.learn(
          policy,
          new EndpointId(reference.host(), reference.port()),
          Optional.of(reference.object()),
          new RegistryPlace(name, registry.host(), registry.permission().addresses()));
    }
  }

  /**
   * Has learnt nothing yet.
   *
   * @param what for logs
   * @param policy asked at every call
   */
  public PrincipalRoutes(
      String what, Principal principal, Supplier<TargetPolicy> policy, RelaySettings relay) {
    this.what = what;
    this.principal = principal;
    this.policy = policy;
    this.relay = relay;
    this.known = new Known(policy.get(), new SessionRoutes(what, principal));
  }

  private Known known() {
    TargetPolicy now = policy.get();
    Known before = known;
    return before.policy() == now ? before : knownUnder(now);
  }

  private Known knownUnder(TargetPolicy now) {
    lock.lock();
    try {
      if (known.policy() != now) {
        Known fresh = new Known(now, new SessionRoutes(what, principal));
        facts.forEach((reference, registry) -> fresh.learn(registry, reference));
        known = fresh;
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The registry of a name.
   *
   * @throws PolicyRefusal the name may not be looked up there
   */
  public Target registry(RegistryName name) throws PolicyRefusal {
    Known now = known();
    Route.Permitted way = now.registry(name.registry());
    if (!way.permission().mayLookUp(name.name())) {
      throw new PolicyRefusal(
          Objection.Rule.NAME.toString(),
          name.registry(),
          "this name is in no entry of targets",
          "to allow it add the name to names in a targets entry");
    }
    now.routes()
        .notes()
        .asked(
            now.policy(), way, name.registry(), RegistryOperation.LOOKUP, Optional.of(name.name()));
    return target(way);
  }

  /**
   * Where an object is; judged by the rules that hold for calls through a tunnel. What speaks
   * against it is in the log, or learnt.
   *
   * @param method its hash
   * @throws PolicyRefusal that method of it may not be called
   */
  public Target object(EndpointId named, ObjIdentifier object, long method) throws PolicyRefusal {
    Route.Permitted way = known().route(named, object);
    if (object.equals(ObjIdentifier.DGC)) {
      throw new PolicyRefusal(
          Objection.Rule.OBJECT.toString(), named, "only the gateway itself takes leases here", "");
    }
    if (object.equals(ObjIdentifier.REGISTRY)) {
      mustPermitRegistry(way, named, method);
    } else {
      mustPermit(way, named, object, method);
    }
    return target(way);
  }

  private static void mustPermit(Route.Permitted way, EndpointId named, RegistryOperation operation)
      throws PolicyRefusal {
    if (!way.permission().registry().contains(operation)) {
      throw new PolicyRefusal(
          Objection.Rule.OPERATION.toString(),
          named,
          "no entry of targets grants " + operation,
          "to allow it add \"registry: ["
              + operation.name().toLowerCase(Locale.ROOT)
              + "]\" to a targets entry");
    }
  }

  /** One that is published like any object; its names are not seen. */
  private void mustPermitRegistry(Route.Permitted way, EndpointId named, long method)
      throws PolicyRefusal {
    Optional<RegistryOperation> asked = RegistryOperation.of(Jrmp.OPERATION_BY_HASH, method);
    if (asked.isEmpty()) {
      throw new PolicyRefusal(
          Objection.Rule.OPERATION.toString(), named, "this is no operation of a registry", "");
    }
    mustPermit(way, named, asked.get());
    if (way.permission().rules().limitsNames()) {
      throw new PolicyRefusal(Objection.Rule.NAME.toString(), named, "the name cannot be read", "");
    }
    Known now = known();
    now.routes().notes().asked(now.policy(), way, named, asked.get(), Optional.empty());
  }

  private void mustPermit(Route.Permitted way, EndpointId named, ObjIdentifier object, long method)
      throws PolicyRefusal {
    CallRules rules = way.permission().rules();
    if (!rules.looks()) {
      return;
    }
    CallHeader header = new CallHeader(object, Jrmp.OPERATION_BY_HASH, method);
    Optional<Objection> objection = rules.header(header).stream().findFirst();
    if (objection.isPresent() && rules.enforces()) {
      throw new PolicyRefusal(
          objection.get().rule().toString(),
          named,
          objection.get().reason(),
          rules.advice(objection.get()));
    }
    if (rules.learns()) {
      Known now = known();
      now.routes().notes().reached(now.policy(), way, named);
      Stream.concat(objection.stream(), rules.needs(header, NOTHING).stream())
          .forEach(o -> rules.learned().add(principal.name(), named.toString(), o));
    }
  }

  private Target target(Route.Permitted way) {
    return way.target(relay.connectTimeout(), relay.handshakeTimeout());
  }

  /** A registry that may be asked has handed out a reference. */
  public void learn(EndpointId registry, LiveReference reference) {
    lock.lock();
    try {
      facts.remove(reference);
      facts.put(reference, registry);
    } finally {
      lock.unlock();
    }
    known().learn(registry, reference);
  }

  /** An object that was reached there has handed out a reference. */
  public void learnObject(EndpointId named, Target reachedAt, LiveReference reference) {
    RegistryPlace place = new RegistryPlace(reachedAt.host(), reachedAt.addresses());
    if (!place.isAt(named.host())) {
      Known now = known();
      now.routes().learnObject(now.policy(), reference, place);
    }
  }

  /** These routes for leases. */
  public LeaseRoutes leases() {
    return new LeaseRoutes() {
      @Override
      public Optional<Target> target(EndpointId endpoint, Optional<ObjIdentifier> object) {
        return under().target(endpoint, object);
      }

      @Override
      public boolean mayBeAt(EndpointId endpoint, Target target) {
        return under().mayBeAt(endpoint, target);
      }

      @Override
      public boolean isAmbiguous(EndpointId endpoint) {
        return under().isAmbiguous(endpoint);
      }

      private SessionLeaseRoutes under() {
        Known now = known();
        return new SessionLeaseRoutes(now::policy, now.routes(), relay, Optional.empty());
      }
    };
  }
}
