package io.rmigate.gateway.session;

import io.rmigate.gateway.lease.LeaseRoutes;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.Target;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Where the gateway's own calls for a session go: its leases. Outlives the session by the grace
 * time of what it holds, and so has nothing of it but what it has learnt. Thread-safe.
 *
 * @param policy in force; asked at every call
 * @param taker who takes leases by frames; empty where every call has been permitted that brings a
 *     reference
 */
record SessionLeaseRoutes(
    Supplier<TargetPolicy> policy, InsideRoutes routes, RelaySettings relay, Optional<Taker> taker)
    implements LeaseRoutes {

  /**
   * Somebody's JVM, which may say that it holds whatever it likes.
   *
   * @param isOwn whether stubs of its own objects name an endpoint
   */
  record Taker(Caller caller, Predicate<EndpointId> isOwn) {}

  @Override
  public Optional<Target> target(EndpointId endpoint, Optional<ObjIdentifier> object) {
    TargetPolicy now = policy.get();
    if (object.isPresent() && taker.filter(it -> now.lockouts().isOn(it.caller())).isPresent()) {
      return Optional.empty();
    }
    Route route = route(endpoint, object);
    if (route instanceof Route.Inside inside && mayTake(now, inside, endpoint, object)) {
      routes.learnReached(now, inside, endpoint);
      return Optional.of(inside.target(relay.connectTimeout(), relay.handshakeTimeout()));
    }
    if (object.isPresent() && route instanceof Route.NotPermitted) {
      String target = LogText.of(endpoint.host()) + ":" + endpoint.port();
      taker.ifPresent(it -> now.lockouts().onRefusedManifold(it.caller(), "target " + target));
    }
    return Optional.empty();
  }

  /** As for calls: where only objects may be called that the session was given, as for leases. */
  private boolean mayTake(
      TargetPolicy now, Route.Inside way, EndpointId endpoint, Optional<ObjIdentifier> object) {
    CallRules rules = way.permission().rules();
    return object.isEmpty()
        || taker.isEmpty()
        || !rules.enforces()
        || !rules.limitsObjects()
        || taker.get().isOwn().test(endpoint)
        || routes.received().hasObject(object.get(), endpoint, now.mapping()::isMapped);
  }

  @Override
  public boolean mayBeAt(EndpointId endpoint, Target target) {
    return routes.mayBeAt(policy.get(), endpoint.host(), endpoint.port(), target.host());
  }

  @Override
  public boolean isAmbiguous(EndpointId endpoint) {
    return route(endpoint, Optional.empty()) instanceof Route.Ambiguous;
  }

  private Route route(EndpointId endpoint, Optional<ObjIdentifier> object) {
    return routes.route(policy.get(), endpoint.host(), endpoint.port(), () -> object);
  }
}
