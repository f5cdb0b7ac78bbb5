package io.rmigate.gateway.route;

import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.List;
import java.util.Set;

/**
 * One entry of the target policy: these principals may reach these targets.
 *
 * @param principals names; {@code "*"} stands for every authenticated or configured-anonymous one
 * @param allow patterns {@code host:port}; {@code *} in the host stands for any characters, the
 *     port is a number, a range {@code 1000-2000} or {@code *}. Matched against the literal name
 *     that stands in the stub, case-insensitively
 * @param registry registry operations granted on these targets; the default is lookup and list
 * @param calls what calls there may carry
 * @param limits how many calls there may be by this entry, of all whom it is for together
 * @param explain whether the clients of these principals are told why something is refused
 */
public record TargetGrant(
    Set<String> principals,
    List<String> allow,
    Set<RegistryOperation> registry,
    EntryRules calls,
    CallLimits limits,
    boolean explain) {

  public TargetGrant {
    principals = Set.copyOf(principals);
    allow = List.copyOf(allow);
    registry = Set.copyOf(registry);
  }

  /** One that explains nothing. */
  public TargetGrant(
      Set<String> principals,
      List<String> allow,
      Set<RegistryOperation> registry,
      EntryRules calls,
      CallLimits limits) {
    this(principals, allow, registry, calls, limits, false);
  }

  /** One that says nothing about how many calls there may be. */
  public TargetGrant(
      Set<String> principals,
      List<String> allow,
      Set<RegistryOperation> registry,
      EntryRules calls) {
    this(principals, allow, registry, calls, CallLimits.NONE);
  }

  /** Nor about what they may carry. */
  public TargetGrant(Set<String> principals, List<String> allow, Set<RegistryOperation> registry) {
    this(principals, allow, registry, EntryRules.NONE);
  }
}
