package io.rmigate.gateway.bridge;

import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.login.Principal;
import java.util.Optional;

/** A principal, whenever its login ends. */
record Who(String name, Principal.Scheme scheme) {
  static Who of(Principal principal) {
    return new Who(principal.name(), principal.scheme());
  }

  /** Whose share of what is shared its calls take: that of its sessions. */
  Caller caller() {
    return new Caller(name, scheme, Optional.empty());
  }
}
