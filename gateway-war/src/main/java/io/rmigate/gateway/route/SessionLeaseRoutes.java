package io.rmigate.gateway.route;

import io.rmigate.gateway.lease.LeaseRoutes;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where the gateway's own calls for a session go: its leases. Outlives the session by the grace
 * time of what it holds, and so has nothing of it but what it has learnt. Thread-safe.
 *
 * @param policy in force; asked at every call
 * @param taker who takes leases by frames; empty where every call has been permitted that brings a
 *     reference
 */
public record SessionLeaseRoutes(
    Supplier<TargetPolicy> policy, SessionRoutes routes, RelaySettings relay, Optional<Taker> taker)
    implements LeaseRoutes {

  /** A JVM that asks for leases; it may claim to hold any object. */
  public interface Taker {
    Caller caller();

    /** Whether it may do nothing new, since its login is good no more. */
    boolean loginExpired();

    /** Whether stubs of its own objects name an endpoint. */
    boolean isOwn(EndpointId endpoint);

    /** A lease is taken for it. */
    void onHeld(EndpointId endpoint, ObjIdentifier object);

    /** Objects there are refused to it; whether that has been told to the log. */
    boolean onRefused(EndpointId endpoint, String rule, Refusal refusal);

    /** The session no longer holds the object. */
    void onDropped(EndpointId endpoint, ObjIdentifier object);

    /**
     * One more object is refused to it, since its session was not given that.
     *
     * @return how many that are by now
     */
    int onNeverGiven();
  }

  /**
   * The number of refused objects that count as one attempt. A JVM that comes back names all
   * objects that it holds, and many may be stale through no fault of its program.
   */
  public static final int NEVER_GIVEN = 20;

  @Override
  public Optional<Target> target(EndpointId endpoint, Optional<ObjIdentifier> object) {
    TargetPolicy now = policy.get();
    if (object.isPresent() && taker.filter(it -> takesNothing(now, it)).isPresent()) {
      return Optional.empty();
    }
    Route route = route(now, endpoint, object);
    if (route instanceof Route.Permitted inside && mayTake(inside, endpoint, object)) {
      routes.notes().reached(now, inside, endpoint);
      return Optional.of(inside.target(relay.connectTimeout(), relay.handshakeTimeout()));
    }
    if (route instanceof Route.Permitted && object.isPresent()) {
      taker.ifPresent(it -> countNeverGiven(now, it, object.get()));
    } else if (object.isPresent() && route instanceof Route.NotPermitted) {
      String target = LogText.of(endpoint.host()) + ":" + endpoint.port();
      taker.ifPresent(it -> now.lockouts().onRefusedManifold(it.caller(), "target " + target));
    }
    return Optional.empty();
  }

  private static boolean takesNothing(TargetPolicy now, Taker taker) {
    return taker.loginExpired() || now.lockouts().isOn(taker.caller());
  }

  private static void countNeverGiven(TargetPolicy now, Taker guesser, ObjIdentifier object) {
    if (guesser.onNeverGiven() % NEVER_GIVEN == 1) { // so that many sessions are no way round it
      now.lockouts().onRefusedManifold(guesser.caller(), "object never given " + object);
    }
  }

  /** As for calls: where only objects may be called that the session was given, as for leases. */
  private boolean mayTake(
      Route.Permitted way, EndpointId endpoint, Optional<ObjIdentifier> object) {
    CallRules rules = way.permission().rules();
    if (object.isEmpty()
        || taker.isEmpty()
        || !rules.limitsObjects()
        || taker.get().isOwn(endpoint)
        || routes.received().hasObject(object.get(), endpoint, way.policy().mapping()::isMapped)) {
      return true;
    }
    if (rules.learns()) {
      routes.notes().leaseTaken(way, endpoint);
    }
    if (!rules.enforces()) {
      return true;
    }
    routes.received().addStale(object.get());
    return false;
  }

  @Override
  public void onHeld(EndpointId endpoint, ObjIdentifier object) {
    taker.ifPresent(it -> it.onHeld(endpoint, object));
  }

  @Override
  public void onDropped(EndpointId endpoint, ObjIdentifier object) {
    taker.ifPresent(it -> it.onDropped(endpoint, object));
  }

  @Override
  public boolean onRefused(EndpointId endpoint, String rule, Refusal refusal) {
    return taker.isPresent() && taker.get().onRefused(endpoint, rule, refusal);
  }

  @Override
  public boolean mayBeAt(EndpointId endpoint, Target target) {
    return routes.mayBeAt(policy.get(), endpoint.host(), endpoint.port(), target.host());
  }

  @Override
  public boolean isAmbiguous(EndpointId endpoint) {
    return route(policy.get(), endpoint, Optional.empty()) instanceof Route.Ambiguous;
  }

  private Route route(TargetPolicy now, EndpointId endpoint, Optional<ObjIdentifier> object) {
    return routes.routeOfMany(now, endpoint, object);
  }
}
