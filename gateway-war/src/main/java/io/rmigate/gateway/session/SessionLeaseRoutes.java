package io.rmigate.gateway.session;

import io.rmigate.gateway.lease.LeaseRoutes;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.Target;
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
 * @param caller who takes leases by frames; empty where every call has been permitted that brings a
 *     reference
 */
record SessionLeaseRoutes(
    Supplier<TargetPolicy> policy,
    InsideRoutes routes,
    RelaySettings relay,
    Optional<Caller> caller)
    implements LeaseRoutes {

  @Override
  public Optional<Target> target(EndpointId endpoint, Optional<ObjIdentifier> object) {
    if (object.isPresent() && caller.filter(policy.get().lockouts()::isOn).isPresent()) {
      return Optional.empty();
    }
    Route route = route(endpoint, object);
    if (route instanceof Route.Inside inside) {
      return Optional.of(inside.target(relay.connectTimeout(), relay.handshakeTimeout()));
    }
    if (object.isPresent() && route instanceof Route.NotPermitted) {
      String target = LogText.of(endpoint.host()) + ":" + endpoint.port();
      caller.ifPresent(who -> policy.get().lockouts().onRefusedManifold(who, "target " + target));
    }
    return Optional.empty();
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
