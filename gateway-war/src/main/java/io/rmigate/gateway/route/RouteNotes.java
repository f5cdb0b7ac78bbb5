package io.rmigate.gateway.route;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.rule.RequiredPermissions;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What mode learn notes of the ways that one session takes: the entries by which policy would have
 * to permit them. Where the rules of a way do not learn, nothing is noted.
 *
 * <p>Belongs to {@link SessionRoutes}, and shares with it what registries have named. Thread-safe.
 */
public final class RouteNotes {
  private final Principal principal;
  private final LearnedEndpoints learnt;

  /** Endpoints that no registry has named, but that servers have handed out, by registry. */
  private final LearnedEndpoints handedOut = new LearnedEndpoints();

  /**
   * @param learnt what registries have named in the session
   */
  RouteNotes(Principal principal, LearnedEndpoints learnt) {
    this.principal = principal;
    this.learnt = learnt;
  }

  /** A server has handed out what is at an endpoint that no registry has named. */
  public void handedOut(EndpointId endpoint, AskedRegistry registry) {
    handedOut.learn(endpoint, Optional.empty(), registry.place());
  }

  /** The registries behind the servers that have handed out an endpoint. */
  List<RegistryPlace> registriesBehind(EndpointId endpoint) {
    return handedOut.named(endpoint.host(), endpoint.port());
  }

  /**
   * Notes what has to permit an endpoint: the registries that have named it, the registries that
   * have named the server which handed it out, or else an entry of its own.
   */
  public void reached(TargetPolicy policy, Route.Permitted way, EndpointId endpoint) {
    CallRules rules = way.permission().rules();
    if (!rules.learns()) {
      return;
    }
    String target = LogText.of(endpoint.toString());
    Set<EndpointId> registries = namedBy(learnt, endpoint);
    Set<EndpointId> beyond = registries.isEmpty() ? namedBy(handedOut, endpoint) : Set.of();
    for (EndpointId registry : beyond) {
      rules
          .learned()
          .add(principal.name(), target, RequiredPermissions.newPort(registry.toString()));
    }
    if (registries.isEmpty() && beyond.isEmpty()) {
      Objection need =
          isMeantBySaying(policy, way, endpoint.host())
              ? RequiredPermissions.target(target)
              : RequiredPermissions.otherTarget(target);
      rules.learned().add(principal.name(), target, need);
    }
    for (EndpointId registry : registries) {
      rules
          .learned()
          .add(principal.name(), target, RequiredPermissions.namedBy(registry.toString()));
    }
  }

  /** A lease is taken, where rules learn, of an object that the session was not given. */
  void leaseTaken(Route.Permitted way, EndpointId endpoint) {
    way.permission()
        .rules()
        .learned()
        .add(principal.name(), LogText.of(endpoint.toString()), RequiredPermissions.anyObjects());
  }

  /** A registry was asked. */
  public void asked(
      TargetPolicy policy,
      Route.Permitted way,
      EndpointId registry,
      RegistryOperation operation,
      Optional<String> name) {
    CallRules rules = way.permission().rules();
    if (rules.learns()) {
      String target = LogText.of(registry.toString());
      if (!isMeantBySaying(policy, way, registry.host())) {
        rules.learned().add(principal.name(), target, RequiredPermissions.otherTarget(target));
      }
      RequiredPermissions.operation(operation, name)
          .forEach(need -> rules.learned().add(principal.name(), target, need));
    }
  }

  /**
   * Whether an entry that names this host would permit what was done, and no more. By a name of
   * loopback another host may have been reached; and a wildcard permits fewer addresses than an
   * entry that names them.
   */
  private static boolean isMeantBySaying(TargetPolicy policy, Route.Permitted way, String host) {
    boolean reachedAsNamed =
        way.host().equalsIgnoreCase(host) || policy.mapping().destination(host).isPresent();
    return reachedAsNamed
        && (way.permission().addresses() == AddressRule.NAMED || AddressRule.mayBeRoutable(host));
  }

  /** The registries that have named an endpoint, as the agent has named them. */
  private static Set<EndpointId> namedBy(LearnedEndpoints known, EndpointId endpoint) {
    return known.named(endpoint.host(), endpoint.port()).stream()
        .flatMap(place -> place.asked().stream())
        .collect(Collectors.toSet());
  }
}
