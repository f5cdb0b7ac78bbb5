package io.rmigate.gateway.route;

import io.rmigate.gateway.limit.CallLimiter;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.List;
import java.util.Set;

/**
 * The rule of a grant for the targets of one of its patterns.
 *
 * @param registry operations of registries at these targets
 * @param limiters shared by all patterns of the grant
 */
record GrantRule(
    TargetGrant grant,
    TargetPattern targets,
    Set<RegistryOperation> registry,
    List<CallLimiter> limiters) {

  Set<String> principals() {
    return grant.principals();
  }

  EntryRules calls() {
    return grant.calls();
  }

  boolean isFor(RegistryPlace registry) {
    return registry
        .asked()
        .filter(
            name ->
                targets.matches(name.host(), name.port())
                    || targets.matches(registry.host(), name.port()))
        .isPresent();
  }
}
