package io.rmigate.gateway.bridge;

import io.rmigate.gateway.login.Principal;

/** A principal, whenever its login ends. */
record Who(String name, Principal.Scheme scheme) {
  static Who of(Principal principal) {
    return new Who(principal.name(), principal.scheme());
  }
}
