package io.rmigate.gateway.route;

import java.util.List;
import java.util.Set;

/**
 * One entry of the policy for raw streams: these principals may have bytes carried to these
 * targets, which the gateway does not look into. Nothing else permits a raw stream: no {@link
 * TargetGrant}, and no reply of a registry.
 *
 * @param principals names; {@code "*"} stands for every authenticated or configured-anonymous one
 * @param allow patterns {@code host:port}, as in {@link TargetGrant}
 * @param tlsOnly whether the client's first bytes must begin a TLS handshake
 */
public record RawGrant(Set<String> principals, List<String> allow, boolean tlsOnly) {

  public RawGrant {
    principals = Set.copyOf(principals);
    allow = List.copyOf(allow);
  }
}
