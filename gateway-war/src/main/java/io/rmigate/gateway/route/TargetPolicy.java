package io.rmigate.gateway.route;

import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.gateway.limit.Admission;
import io.rmigate.gateway.limit.CallLimiter;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.limit.Lockouts;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.LearnedNotes;
import io.rmigate.gateway.policy.rule.LearnedPolicy;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.rule.RequiredPermissions;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which principals may reach which targets, and which operations of registries there; and, with
 * what has been used up and tried since, how much. The rules are immutable: a reload makes a new
 * one, with which counting begins anew. What no grant names is refused.
 */
public final class TargetPolicy {
  /** Stands for every principal. */
  public static final String ANYONE = "*";

  /**
   * What a principal may do at a target.
   *
   * @param registry operations, should the target be a registry
   * @param addresses what its name may stand for
   * @param rules what calls may carry
   * @param limiters how many there may be
   */
  public record Permission(
      Set<RegistryOperation> registry,
      AddressRule addresses,
      CallRules rules,
      List<CallLimiter> limiters) {

    /** Whether a name may be looked up there, should it be a registry. */
    public boolean mayLookUp(String name) {
      return registry.contains(RegistryOperation.LOOKUP) && rules.permitsName(Optional.of(name));
    }

    /** This permission with another address rule. */
    Permission at(AddressRule others) {
      return new Permission(registry, others, rules, limiters);
    }
  }

  /**
   * What a principal may do at a raw target.
   *
   * @param addresses what its name may stand for
   * @param tlsOnly whether the client's first bytes must begin a TLS handshake
   */
  public record RawPermission(AddressRule addresses, boolean tlsOnly) {}

  private final Rulebook rulebook;
  private final CombinedRules combined;
  private final List<GrantRule> rules;
  private final RawPolicy rawPolicy;
  private final EndpointMapping mapping;
  private final CallerRestraints callers;

  /** The policy that {@code grants} make together, with the usual mapping. */
  public TargetPolicy(List<TargetGrant> grants) {
    this(grants, EndpointMapping.DEFAULT);
  }

  /** The policy that {@code grants} make together; {@code mapping} widens none of them. */
  public TargetPolicy(List<TargetGrant> grants, EndpointMapping mapping) {
    this(grants, List.of(), mapping);
  }

  /** A policy with what raw streams may reach: that, and nothing else. */
  public TargetPolicy(List<TargetGrant> grants, List<RawGrant> rawGrants, EndpointMapping mapping) {
    this(grants, rawGrants, mapping, Rulebook.OFF);
  }

  /** A policy with what calls to all targets may carry. */
  public TargetPolicy(
      List<TargetGrant> grants,
      List<RawGrant> rawGrants,
      EndpointMapping mapping,
      Rulebook rulebook) {
    this(grants, rawGrants, mapping, rulebook, Restraints.DEFAULTS);
  }

  /**
   * A policy with what holds for each caller; no limit is used up, and no principal is locked out.
   */
  public TargetPolicy(
      List<TargetGrant> grants,
      List<RawGrant> rawGrants,
      EndpointMapping mapping,
      Rulebook rulebook,
      Restraints restraints) {
    this(grants, rawGrants, mapping, rulebook, restraints, Ticker.systemTicker());
  }

  /**
   * A policy with all its parts.
   *
   * @param clock for limits and lockouts
   */
  public TargetPolicy(
      List<TargetGrant> grants,
      List<RawGrant> rawGrants,
      EndpointMapping mapping,
      Rulebook rulebook,
      Restraints restraints,
      Ticker clock) {
    this.callers = new CallerRestraints(restraints, clock);
    this.mapping = mapping;
    this.rulebook = rulebook;
    this.combined = new CombinedRules(rulebook);
    this.rawPolicy = new RawPolicy(rawGrants);
    List<GrantRule> all = new ArrayList<>();
    for (int i = 0; i < grants.size(); i++) {
      TargetGrant grant = grants.get(i);
      List<CallLimiter> shared =
          grant.limits().isAny()
              ? List.of(new CallLimiter("targets[" + i + "].limits", grant.limits(), clock))
              : List.of();
      for (String pattern : grant.allow()) {
        all.add(new GrantRule(grant, TargetPattern.of(pattern), operations(grant), shared));
      }
    }
    this.rules = List.copyOf(all);
  }

  /** Where rules are learnt, registries answer all queries, also those that no entry permits. */
  private Set<RegistryOperation> operations(TargetGrant grant) {
    if (rulebook.mode(grant.calls()) != ClassMode.LEARN) {
      return grant.registry();
    }
    Set<RegistryOperation> operations =
        EnumSet.of(RegistryOperation.LOOKUP, RegistryOperation.LIST);
    operations.addAll(grant.registry());
    return operations;
  }

  /** The weakest class mode of all targets. */
  public ClassMode classMode() {
    return rules.stream()
        .map(rule -> rulebook.mode(rule.calls()))
        .min(Comparator.naturalOrder())
        .orElse(rulebook.mode());
  }

  /** See {@link Rulebook#methodName}. */
  public String methodName(long hash, String interfaces) {
    return rulebook.methodName(hash, interfaces);
  }

  /** The mapping of hosts in stubs that are not where they say. */
  public EndpointMapping mapping() {
    return mapping;
  }

  /** The hosts that grants name in plain words. */
  Set<String> namedHosts() {
    return rules.stream()
        .filter(rule -> !rule.targets().wildcardHost())
        .map(rule -> rule.targets().host())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The principals that the grants name, including {@link #ANYONE} if a grant names it. */
  Set<String> principals() {
    return rules.stream()
        .flatMap(rule -> rule.principals().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Whether a grant lets a principal call an endpoint by its name: with no wildcard in the host, by
   * that port alone, and not by what means another host to everybody who reads it.
   */
  public boolean names(Principal principal, String host, int port) {
    return !DestinationPatterns.isLoopback(host)
        && !mapping.isMapped(host)
        && rules.stream()
            .anyMatch(
                rule ->
                    names(rule.principals(), principal)
                        && rule.targets().patterns().names(host, port));
  }

  /** The union of the permissions of all matching grants; empty when none matches. */
  public Optional<Permission> permission(Principal principal, String host, int port) {
    EnumSet<RegistryOperation> registry = EnumSet.noneOf(RegistryOperation.class);
    AddressRule addresses = AddressRule.ROUTABLE;
    List<EntryRules> entries = new ArrayList<>(2);
    List<GrantRule> matching = new ArrayList<>(2);
    for (GrantRule rule : rules) {
      if (names(rule.principals(), principal) && rule.targets().matches(host, port)) {
        matching.add(rule);
        entries.add(rule.calls());
        registry.addAll(rule.registry());
        if (!rule.targets().wildcardHost()) {
          addresses = AddressRule.NAMED;
        }
      }
    }
    return entries.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Permission(
                registry, addresses, combined.together(entries), limiters(matching.stream())));
  }

  /**
   * What a principal may do at an endpoint that no grant names, because registries have: call
   * objects, by the strictest of the grants that let it look up there.
   *
   * @param registries that have named the endpoint
   */
  Permission learnt(
      Principal principal, AddressRule addresses, Collection<RegistryPlace> registries) {
    List<GrantRule> there = ofRegistries(principal, registries);
    return there.isEmpty()
        ? new Permission(
            Set.of(), addresses, ofAnyRegistry(principal), limiters(lookups(principal)))
        : new Permission(
            Set.of(),
            addresses,
            combined.strictest(there.stream().map(GrantRule::calls).toList()),
            limiters(there.stream()));
  }

  /**
   * The grants for these very registries; those for any port of their hosts, if these are stricter,
   * or if it is not known how some of them were asked.
   */
  private List<GrantRule> ofRegistries(Principal principal, Collection<RegistryPlace> registries) {
    List<GrantRule> onHosts =
        lookups(principal)
            .filter(
                rule ->
                    registries.stream()
                        .anyMatch(at -> rule.targets().hosts().matches(at.host(), 1)))
            .toList();
    Set<GrantRule> theirs = new LinkedHashSet<>();
    for (RegistryPlace registry : registries) {
      List<GrantRule> its = lookups(principal).filter(rule -> rule.isFor(registry)).toList();
      if (its.isEmpty()) {
        return onHosts;
      }
      theirs.addAll(its);
    }
    List<GrantRule> named = List.copyOf(theirs);
    return isStricter(onHosts, named) ? onHosts : named;
  }

  /** Whether entries are stricter in keys without a list, because lists count together. */
  private boolean isStricter(List<GrantRule> some, List<GrantRule> others) {
    return !some.isEmpty()
        && (mode(some).compareTo(mode(others)) > 0
            || (limitObjects(some) && !limitObjects(others)));
  }

  /** Whether an entry says explicitly that objects are limited; the default does not count. */
  private boolean limitObjects(List<GrantRule> entries) {
    return entries.stream().anyMatch(rule -> rulebook.saysThatObjectsAreLimited(rule.calls()));
  }

  private ClassMode mode(List<GrantRule> entries) {
    return entries.stream()
        .map(rule -> rulebook.mode(rule.calls()))
        .max(Comparator.naturalOrder())
        .orElse(rulebook.mode());
  }

  private static List<CallLimiter> limiters(Stream<GrantRule> matching) {
    return matching.flatMap(rule -> rule.limiters().stream()).distinct().toList();
  }

  /** The limiters of a call. */
  public List<CallLimiter> limiters(Caller caller, Permission permission) {
    return callers.limiters(caller, permission.limiters());
  }

  /** The lockouts of callers. */
  public Lockouts lockouts() {
    return callers.lockouts();
  }

  /**
   * Whether a caller without a session is locked out.
   *
   * @param peer {@code address:port} of the connection
   */
  public boolean isLockedOut(Principal principal, String peer) {
    return lockouts().isOn(Caller.of(principal, peer));
  }

  /**
   * Counts a refusal of a caller without a session, of a kind that an honest client may meet often.
   * A caller with very many different refusals is locked out, in sessions as well.
   *
   * @param peer {@code address:port} of the connection
   * @param what a short text, equal for equal refusals
   */
  public void onRefused(Principal principal, String peer, String what) {
    lockouts().onRefusedManifold(Caller.of(principal, peer), what);
  }

  /**
   * Takes over the lockouts of the policy before a reload, unless the settings of lockouts have
   * changed.
   */
  public void follow(TargetPolicy before) {
    callers.follow(before.callers);
  }

  /**
   * Begins a call of a caller without a session, within the limits for its principal and those of
   * the entries that name its target.
   *
   * @param peer {@code address:port} of the connection
   * @param target a registry
   */
  public Admission begin(Principal principal, String peer, EndpointId target) {
    Caller caller = Caller.of(principal, peer);
    List<CallLimiter> ofEntries =
        permission(principal, target.host(), target.port())
            .map(Permission::limiters)
            .orElse(List.of());
    return Admission.to(callers.limiters(caller, ofEntries), caller);
  }

  /**
   * The rules of calls from a principal to a target, {@code host:port}, which a registry may have
   * named where no grant does.
   */
  public CallRules rules(Principal principal, String target) {
    return rules(principal, target, List.of());
  }

  /**
   * The rules of calls from a principal to a target, as registries have named it.
   *
   * @param registries {@code host:port} of registries that are known to have named it
   */
  public CallRules rules(Principal principal, String target, Collection<String> registries) {
    return permissionAt(principal, target)
        .orElseGet(() -> learnt(principal, AddressRule.ROUTABLE, places(registries)))
        .rules();
  }

  private static List<RegistryPlace> places(Collection<String> registries) {
    return registries.stream()
        .flatMap(registry -> endpoint(registry).stream())
        .map(asked -> new RegistryPlace(asked, asked.host(), AddressRule.ROUTABLE))
        .toList();
  }

  private Optional<Permission> permissionAt(Principal principal, String target) {
    return endpoint(target).flatMap(at -> permission(principal, at.host(), at.port()));
  }

  private static Optional<EndpointId> endpoint(String target) {
    int colon = target.lastIndexOf(':');
    return colon > 0 && target.substring(colon + 1).matches("\\d{1,5}")
        ? Optional.of(
            new EndpointId(
                target.substring(0, colon), Integer.parseInt(target.substring(colon + 1))))
        : Optional.empty();
  }

  /**
   * Whether what was noted would be refused.
   *
   * @param rules those at its target
   */
  public boolean refuses(Principal principal, LearnedNotes.Note note, Supplier<CallRules> rules) {
    if (note.rule() == Objection.Rule.TARGET) {
      return permissionAt(principal, note.subject())
          .filter(permission -> !permission.rules().refuses(note))
          .isEmpty();
    }
    if (note.rule() == Objection.Rule.OPERATION) {
      return permissionAt(principal, note.target()).stream()
          .flatMap(permission -> permission.registry().stream())
          .noneMatch(operation -> operation.name().equalsIgnoreCase(note.subject()));
    }
    boolean reachable =
        note.target().equals(RequiredPermissions.CALLBACKS)
            || mayLookUpAnywhere(principal)
            || permissionAt(principal, note.target()).isPresent();
    return !reachable || rules.get().refuses(note);
  }

  /** The rules that would permit exactly the learnt calls. */
  public LearnedPolicy learnt(List<LearnedNotes.Note> notes) {
    return rulebook.learnt(notes);
  }

  /** Whether there is any registry that could name endpoints to a principal. */
  public boolean mayLookUpAnywhere(Principal principal) {
    return lookups(principal).findAny().isPresent();
  }

  /**
   * The rules of messages from a principal to an unknown one of its targets, such as answers to
   * callbacks: the strictest of all its grants.
   */
  public CallRules strictest(Principal principal) {
    return combined.strictest(grants(principal).map(GrantRule::calls).toList());
  }

  /** Whether the clients of a principal are told why something is refused. */
  public boolean explains(Principal principal) {
    return grants(principal).anyMatch(rule -> rule.grant().explain());
  }

  /** Whether what servers hand out may open ports to a principal. */
  public boolean opensPorts(Principal principal) {
    return grants(principal).anyMatch(rule -> Rulebook.hasNewPorts(rule.calls()));
  }

  /** The strictest of all grants that let a principal look up. */
  private CallRules ofAnyRegistry(Principal principal) {
    return combined.strictest(lookups(principal).map(GrantRule::calls).toList());
  }

  private Stream<GrantRule> grants(Principal principal) {
    return rules.stream().filter(rule -> names(rule.principals(), principal));
  }

  private Stream<GrantRule> lookups(Principal principal) {
    return grants(principal).filter(rule -> rule.registry().contains(RegistryOperation.LOOKUP));
  }

  /** The permission of all matching raw grants; empty when none matches. */
  public Optional<RawPermission> rawPermission(Principal principal, String host, int port) {
    return rawPolicy.permission(principal, host, port);
  }

  static boolean names(Set<String> principals, Principal principal) {
    return principals.contains(ANYONE) || principal.isNamedBy(principals);
  }

  /**
   * What a host's name may stand for that a registry has handed out: as much as for any principal
   * that may look up there.
   */
  AddressRule addresses(String host, int port, Target registry) {
    boolean named =
        rules.stream()
            .filter(rule -> !rule.targets().wildcardHost() && rule.targets().matches(host, port))
            .anyMatch(rule -> mayLookUp(rule.principals(), registry));
    return named ? AddressRule.NAMED : AddressRule.ROUTABLE;
  }

  private boolean mayLookUp(Set<String> any, Target registry) {
    return rules.stream()
        .filter(rule -> rule.registry().contains(RegistryOperation.LOOKUP))
        .filter(rule -> rule.targets().matches(registry.host(), registry.port()))
        .anyMatch(
            rule -> {
              Set<String> others = rule.principals();
              return any.contains(ANYONE)
                  || others.contains(ANYONE)
                  || any.stream().anyMatch(others::contains)
                  // Who is in a group only a login says.
                  || !Principal.groups(any).isEmpty()
                  || !Principal.groups(others).isEmpty();
            });
  }
}
