package io.rmigate.gateway.login;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The principal that the servlet container has authenticated by its own means. A container does not
 * list the roles of a principal: it is asked for each group that the configuration names.
 */
final class ContainerLogin implements LoginScheme {

  /** The groups that the container was asked for. */
  private record Asked(Set<String> groups) implements Proof {}

  private final Set<String> groups;

  /** A login that asks for these groups. */
  ContainerLogin(Set<String> groups) {
    this.groups = Set.copyOf(groups);
  }

  @Override
  public Optional<String> challenge() {
    return Optional.empty(); // the container asks for itself
  }

  @Override
  public boolean holds(String name, Proof proof) {
    // The rest only the container knows.
    return proof instanceof Asked asked && asked.groups().containsAll(groups);
  }

  @Override
  public Optional<LoginResult> attempt(HttpServletRequest request) {
    return Optional.ofNullable(request.getUserPrincipal())
        .map(java.security.Principal::getName)
        .map(name -> new LoginResult.Accepted(principal(name, request)));
  }

  private Principal principal(String name, HttpServletRequest request) {
    Set<String> held =
        groups.stream().filter(request::isUserInRole).collect(Collectors.toUnmodifiableSet());
    return new Principal(
        name, Principal.Scheme.CONTAINER, held, Optional.empty(), List.of(new Asked(groups)));
  }
}
