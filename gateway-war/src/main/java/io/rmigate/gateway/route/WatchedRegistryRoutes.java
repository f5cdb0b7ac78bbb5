package io.rmigate.gateway.route;

import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.EndpointId;
import java.util.Optional;

/**
 * Where the servers are whose stubs a watched registry has handed out, for the gateway's own leases
 * on them. As {@link SessionRoutes}, which knows one session; the registry is watched for all that
 * may look up there, so that it is their policies together that say what a name may stand for.
 */
public final class WatchedRegistryRoutes {

  /** The way to an endpoint that {@code registry} has named. */
  public static Target target(TargetPolicy policy, Target registry, EndpointId endpoint) {
    EndpointMapping mapping = policy.mapping();
    String named = endpoint.host();
    Optional<String> elsewhere = mapping.destination(named);
    boolean there =
        named.equalsIgnoreCase(registry.host()) || (mapping.isMapped(named) && elsewhere.isEmpty());
    String host = there ? registry.host() : elsewhere.orElse(named);
    AddressRule addresses =
        there && registry.addresses() == AddressRule.NAMED
            ? AddressRule.NAMED
            : policy.addresses(host, endpoint.port(), registry);
    return new Target(
        host,
        endpoint.port(),
        addresses,
        registry.connectTimeout(),
        registry.handshakeTimeout(),
        substitute(mapping, registry, there));
  }

  private static Optional<Target.Substitute> substitute(
      EndpointMapping mapping, Target registry, boolean there) {
    if (there) {
      return registry.substitute();
    }
    return mapping.replacesUnknownNames()
        ? Optional.of(new Target.Substitute(registry.host(), registry.addresses()))
        : Optional.empty();
  }

  private WatchedRegistryRoutes() {}
}
