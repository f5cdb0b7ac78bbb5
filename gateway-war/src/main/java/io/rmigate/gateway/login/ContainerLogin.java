package io.rmigate.gateway.login;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** The principal that the servlet container has authenticated by its own means. */
final class ContainerLogin implements LoginScheme {

  @Override
  public Optional<String> challenge() {
    return Optional.empty(); // the container asks for itself
  }

  @Override
  public boolean holds(String name, Proof proof) {
    return false; // there are none: only the container knows
  }

  @Override
  public Optional<LoginResult> attempt(HttpServletRequest request) {
    return Optional.ofNullable(request.getUserPrincipal())
        .map(java.security.Principal::getName)
        .map(name -> new LoginResult.Accepted(new Principal(name, Principal.Scheme.CONTAINER)));
  }
}
