package io.rmigate.gateway.route;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.gateway.limit.Admission;
import io.rmigate.gateway.limit.CallLimiter;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.limit.Lockouts;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.ClassMode;
import io.rmigate.gateway.policy.EntryRules;
import io.rmigate.gateway.policy.LearnedNotes;
import io.rmigate.gateway.policy.Learnt;
import io.rmigate.gateway.policy.Needs;
import io.rmigate.gateway.policy.Objection;
import io.rmigate.gateway.policy.Rulebook;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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

  private record RawRule(
      Set<String> principals, DestinationPatterns targets, boolean wildcardHost, boolean tlsOnly) {}

  /** Targets of one pattern {@code host:port}. */
  private record Targets(
      String host, DestinationPatterns patterns, DestinationPatterns hosts, boolean wildcardHost) {

    static Targets of(String pattern) {
      return new Targets(
          TargetPolicy.host(pattern),
          DestinationPatterns.of(List.of(pattern)),
          DestinationPatterns.of(List.of(atAnyPort(pattern))),
          hasWildcardHost(pattern));
    }

    boolean matches(String name, int port) {
      return patterns.matches(name, port);
    }
  }

  /** What a grant says of the targets of one of its patterns. */
  private record Rule(
      TargetGrant grant,
      Targets targets,
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

  /** Callers whose limiters are kept: the latest. */
  private static final int MAX_CALLERS = 10_000;

  /** Of combinations of entries; beyond these each request has rules of its own. */
  private static final int MAX_COMBINATIONS = 1024;

  private final Rulebook rulebook;
  private final Map<List<EntryRules>, CallRules> combinations = new ConcurrentHashMap<>();
  private final Map<List<EntryRules>, CallRules> strictest = new ConcurrentHashMap<>();
  private final List<Rule> rules;
  private final List<RawRule> rawRules;
  private final EndpointMapping mapping;
  private final LockoutSettings lockoutSettings;

  /** Another policy's from before this one is in force, or its own. */
  private volatile Lockouts lockouts;

  /** Empty without limits for each caller. */
  private final Optional<LoadingCache<Caller, CallLimiter>> limiters;

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
    this.lockoutSettings = restraints.lockout();
    this.lockouts = new Lockouts(lockoutSettings, clock);
    this.limiters =
        restraints.limits().isAny()
            ? Optional.of(
                Caffeine.newBuilder()
                    .maximumSize(MAX_CALLERS)
                    .build(caller -> new CallLimiter("limits", restraints.limits(), clock)))
            : Optional.empty();
    this.mapping = mapping;
    this.rulebook = rulebook;
    this.rawRules =
        rawGrants.stream()
            .flatMap(
                grant ->
                    grant.allow().stream()
                        .map(
                            pattern ->
                                new RawRule(
                                    grant.principals(),
                                    DestinationPatterns.of(List.of(pattern)),
                                    hasWildcardHost(pattern),
                                    grant.tlsOnly())))
            .toList();
    List<Rule> all = new ArrayList<>();
    for (int i = 0; i < grants.size(); i++) {
      TargetGrant grant = grants.get(i);
      List<CallLimiter> shared =
          grant.limits().isAny()
              ? List.of(new CallLimiter("targets[" + i + "].limits", grant.limits(), clock))
              : List.of();
      for (String pattern : grant.allow()) {
        all.add(new Rule(grant, Targets.of(pattern), operations(grant), shared));
      }
    }
    this.rules = List.copyOf(all);
  }

  /** What asks and changes nothing is noted where rules are learnt, whatever the entry says. */
  private Set<RegistryOperation> operations(TargetGrant grant) {
    if (rulebook.mode(grant.calls()) != ClassMode.LEARN) {
      return grant.registry();
    }
    Set<RegistryOperation> operations =
        EnumSet.of(RegistryOperation.LOOKUP, RegistryOperation.LIST);
    operations.addAll(grant.registry());
    return operations;
  }

  private static boolean hasWildcardHost(String pattern) {
    return pattern.lastIndexOf('*', pattern.lastIndexOf(':')) >= 0;
  }

  private static String host(String pattern) {
    return pattern.substring(0, pattern.lastIndexOf(':')).replaceAll("^\\[|]$", "");
  }

  private static String atAnyPort(String pattern) {
    return pattern.substring(0, pattern.lastIndexOf(':')) + ":*";
  }

  /** What is done with what calls carry, at the target where least is done. */
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

  /** Which hosts in stubs are not where they say. */
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

  /** All that a grant names, {@link #ANYONE} too if one does. */
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

  /** What all matching grants together permit; empty when none matches. */
  public Optional<Permission> permission(Principal principal, String host, int port) {
    EnumSet<RegistryOperation> registry = EnumSet.noneOf(RegistryOperation.class);
    AddressRule addresses = AddressRule.ROUTABLE;
    List<EntryRules> entries = new ArrayList<>(2);
    List<Rule> matching = new ArrayList<>(2);
    for (Rule rule : rules) {
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
            new Permission(registry, addresses, together(entries), limiters(matching.stream())));
  }

  /**
   * What a principal may do at an endpoint that no grant names, because registries have: call
   * objects, by the strictest of the grants that let it look up there.
   *
   * @param registries that have named the endpoint
   */
  Permission learnt(
      Principal principal, AddressRule addresses, Collection<RegistryPlace> registries) {
    List<Rule> there = ofRegistries(principal, registries);
    return there.isEmpty()
        ? new Permission(
            Set.of(), addresses, ofAnyRegistry(principal), limiters(lookups(principal)))
        : new Permission(
            Set.of(),
            addresses,
            strictest(there.stream().map(Rule::calls).toList()),
            limiters(there.stream()));
  }

  /**
   * The grants for these very registries; those for any port of their hosts, if these are stricter,
   * or if it is not known how some of them were asked.
   */
  private List<Rule> ofRegistries(Principal principal, Collection<RegistryPlace> registries) {
    List<Rule> onHosts =
        lookups(principal)
            .filter(
                rule ->
                    registries.stream()
                        .anyMatch(at -> rule.targets().hosts().matches(at.host(), 1)))
            .toList();
    Set<Rule> theirs = new LinkedHashSet<>();
    for (RegistryPlace registry : registries) {
      List<Rule> its = lookups(principal).filter(rule -> rule.isFor(registry)).toList();
      if (its.isEmpty()) {
        return onHosts;
      }
      theirs.addAll(its);
    }
    List<Rule> named = List.copyOf(theirs);
    return isStricter(onHosts, named) ? onHosts : named;
  }

  /** In what is not a list, for lists count together. */
  private boolean isStricter(List<Rule> some, List<Rule> others) {
    return !some.isEmpty()
        && (mode(some).compareTo(mode(others)) > 0
            || (limitObjects(some) && !limitObjects(others)));
  }

  /** In so many words: what they leave out is not stricter than what others say. */
  private boolean limitObjects(List<Rule> entries) {
    return entries.stream().anyMatch(rule -> rulebook.saysThatObjectsAreLimited(rule.calls()));
  }

  private ClassMode mode(List<Rule> entries) {
    return entries.stream()
        .map(rule -> rulebook.mode(rule.calls()))
        .max(Comparator.naturalOrder())
        .orElse(rulebook.mode());
  }

  private static List<CallLimiter> limiters(Stream<Rule> matching) {
    return matching.flatMap(rule -> rule.limiters().stream()).distinct().toList();
  }

  /** All that limits a call. */
  public List<CallLimiter> limiters(Caller caller, Permission permission) {
    if (limiters.isEmpty()) {
      return permission.limiters();
    }
    List<CallLimiter> all = new ArrayList<>(permission.limiters());
    all.add(limiters.get().get(caller));
    return all;
  }

  /** Who is let do nothing. */
  public Lockouts lockouts() {
    return lockouts;
  }

  /**
   * Whether somebody who has no session is let do nothing.
   *
   * @param peer {@code address:port} of its connection
   */
  public boolean isLockedOut(Principal principal, String peer) {
    return lockouts.isOn(Caller.of(principal, peer));
  }

  /**
   * Somebody who has no session has been refused something of which an honest client may try many:
   * who tries very many different ones is let do nothing any more, in sessions neither.
   *
   * @param peer likewise
   * @param what short, and the same for the same thing
   */
  public void onRefused(Principal principal, String peer, String what) {
    lockouts.onRefusedManifold(Caller.of(principal, peer), what);
  }

  /**
   * This one is going to be in force after another one: who is locked out stays so, and what has
   * been tried counts on, unless what is said of lockouts has changed.
   */
  public void follow(TargetPolicy before) {
    if (before.lockouts.isBy(lockoutSettings)) {
      lockouts = before.lockouts;
    }
  }

  /**
   * Begins a call of somebody who has no session, within the limits for its principal and those of
   * the entries that name its target.
   *
   * @param peer {@code address:port} of its connection
   * @param target whose limits hold, too: a registry
   */
  public Admission begin(Principal principal, String peer, EndpointId target) {
    Caller caller = Caller.of(principal, peer);
    List<CallLimiter> all =
        permission(principal, target.host(), target.port())
            .map(permission -> limiters(caller, permission))
            .orElseGet(() -> limiters.map(each -> List.of(each.get(caller))).orElse(List.of()));
    return Admission.to(all, caller);
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
   * @param registries {@code host:port} of those that are known to have named it
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
        note.target().equals(Needs.CALLBACKS)
            || mayLookUpAnywhere(principal)
            || permissionAt(principal, note.target()).isPresent();
    return !reachable || rules.get().refuses(note);
  }

  /** What would permit what was learnt, and nothing else. */
  public Learnt learnt(List<LearnedNotes.Note> notes) {
    return rulebook.learnt(notes);
  }

  /** Whether there is any registry that could name endpoints to a principal. */
  public boolean mayLookUpAnywhere(Principal principal) {
    return lookups(principal).findAny().isPresent();
  }

  /**
   * The rules of what goes from a principal to nobody knows which of its targets, as answers to
   * callbacks do: the strictest of all its grants.
   */
  public CallRules strictest(Principal principal) {
    return strictest(grants(principal).map(Rule::calls).toList());
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
    return strictest(lookups(principal).map(Rule::calls).toList());
  }

  private Stream<Rule> grants(Principal principal) {
    return rules.stream().filter(rule -> names(rule.principals(), principal));
  }

  private Stream<Rule> lookups(Principal principal) {
    return grants(principal).filter(rule -> rule.registry().contains(RegistryOperation.LOOKUP));
  }

  private CallRules together(List<EntryRules> entries) {
    return known(entries, combinations, rulebook::rules);
  }

  private CallRules strictest(List<EntryRules> entries) {
    return known(entries, strictest, rulebook::strictestRules);
  }

  private static CallRules known(
      List<EntryRules> entries,
      Map<List<EntryRules>, CallRules> combinations,
      Function<List<EntryRules>, CallRules> rules) {
    CallRules known = combinations.get(entries);
    if (known == null) {
      known = rules.apply(entries);
      if (combinations.size() < MAX_COMBINATIONS) {
        combinations.put(List.copyOf(entries), known);
      }
    }
    return known;
  }

  /** What all matching raw grants together permit a raw stream; empty when none matches. */
  public Optional<RawPermission> rawPermission(Principal principal, String host, int port) {
    List<RawRule> matching =
        rawRules.stream()
            .filter(rule -> names(rule.principals(), principal))
            .filter(rule -> rule.targets().matches(host, port))
            .toList();
    if (matching.isEmpty()) {
      return Optional.empty();
    }
    boolean named = matching.stream().anyMatch(rule -> !rule.wildcardHost());
    return Optional.of(
        new RawPermission(
            named ? AddressRule.NAMED : AddressRule.ROUTABLE,
            matching.stream().allMatch(RawRule::tlsOnly)));
  }

  private static boolean names(Set<String> principals, Principal principal) {
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
