package io.rmigate.gateway.bridge;

import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.login.Principal;
import java.util.Optional;
import java.util.Set;

/** A principal with its rights, without the end of its login. */
record BridgeCaller(String name, Principal.Scheme scheme, Set<String> groups) {
  static BridgeCaller of(Principal principal) {
    return new BridgeCaller(principal.name(), principal.scheme(), principal.groups());
  }

  /** The caller whose shares these calls use: the same as for its sessions. */
  Caller caller() {
    return new Caller(name, scheme, Optional.empty());
  }
}
