package io.rmigate.gateway.route;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.route.TargetPolicy.RawPermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The targets of raw streams: the grants of {@code raw-targets}. Immutable. */
final class RawPolicy {
  private record Rule(Set<String> principals, TargetPattern targets, boolean tlsOnly) {}

  private final List<Rule> rules;

  RawPolicy(List<RawGrant> grants) {
    this.rules =
        grants.stream()
            .flatMap(
                grant ->
                    grant.allow().stream()
                        .map(
                            pattern ->
                                new Rule(
                                    grant.principals(),
                                    TargetPattern.of(pattern),
                                    grant.tlsOnly())))
            .toList();
  }

  /** The permission of all matching grants; empty when none matches. */
  Optional<RawPermission> permission(Principal principal, String host, int port) {
    List<Rule> matching =
        rules.stream()
            .filter(rule -> TargetPolicy.names(rule.principals(), principal))
            .filter(rule -> rule.targets().matches(host, port))
            .toList();
    if (matching.isEmpty()) {
      return Optional.empty();
    }
    boolean named = matching.stream().anyMatch(rule -> !rule.targets().wildcardHost());
    return Optional.of(
        new RawPermission(
            named ? AddressRule.NAMED : AddressRule.ROUTABLE,
            matching.stream().allMatch(Rule::tlsOnly)));
  }
}
