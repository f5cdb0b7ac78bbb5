package io.rmigate.gateway.route;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.lookup.RegistryWatch;
import io.rmigate.gateway.lookup.WatchedKey;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.RegistryName;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names in registries that agents get before they ask: names of the configuration, which are
 * watched with and without a session, and names in an agent's hello.
 *
 * <p>Threads: {@link #tick} is confined to the timer; {@link #configured} is called by the edge.
 */
public final class PreloadedNames {
  private static final Logger LOG = LoggerFactory.getLogger(PreloadedNames.class);

  private final Supplier<LookupSettings> lookups;
  private final Supplier<TargetPolicy> policy;
  private final RelaySettings relay;
  private final RegistryWatch watch;

  /** The configuration from which the watched names were taken. */
  private Configured watched = new Configured(null, null);

  private record Configured(LookupSettings lookups, TargetPolicy policy) {}

  public PreloadedNames(
      Supplier<LookupSettings> lookups,
      Supplier<TargetPolicy> policy,
      RelaySettings relay,
      RegistryWatch watch) {
    this.lookups = lookups;
    this.policy = policy;
    this.relay = relay;
    this.watch = watch;
  }

  /** Watches the names of the current configuration. */
  public void tick() {
    Configured now = new Configured(lookups.get(), policy.get());
    if (now.equals(watched)) {
      return;
    }
    watched = now;
    Set<WatchedKey> keys = new HashSet<>();
    for (LookupSettings.Preload preload : now.lookups().preload()) {
      for (RegistryName name : preload.names()) {
        Set<Target> registries = registries(now.policy(), preload.principals(), name);
        if (registries.isEmpty()) {
          LOG.warn(
              "preload: {} has no effect: no targets entry permits lookups there to {}",
              name,
              String.join(", ", preload.principals()));
        }
        if (now.lookups().mayHold(name.name())) {
          registries.forEach(registry -> keys.add(new WatchedKey(registry, name.name())));
        }
      }
    }
    watch.keep(keys);
  }

  /** One for each way in which policy lets these principals see the registry. */
  private Set<Target> registries(
      TargetPolicy policyNow, Set<String> principals, RegistryName name) {
    Stream<String> all =
        principals.contains(TargetPolicy.ANYONE)
            ? policyNow.principals().stream()
            : principals.stream();
    return all.flatMap(who -> registry(policyNow, who, name).stream()).collect(Collectors.toSet());
  }

  /** As a session sees it that has learnt nothing yet. */
  private Optional<Target> registry(TargetPolicy policyNow, String who, RegistryName name) {
    Route route =
        new SessionRoutes("preload", Principal.listed(who))
            .route(
                policyNow,
                name.registry().host(),
                name.registry().port(),
                () -> Optional.of(ObjIdentifier.REGISTRY));
    return route instanceof Route.Permitted inside && inside.permission().mayLookUp(name.name())
        ? Optional.of(inside.target(relay.connectTimeout(), relay.handshakeTimeout()))
        : Optional.empty();
  }

  /** The names of the configuration that agents of the principal get before they ask. */
  public Set<RegistryName> configured(Principal principal) {
    Set<RegistryName> names = new LinkedHashSet<>();
    for (LookupSettings.Preload preload : lookups.get().preload()) {
      if (preload.principals().contains(TargetPolicy.ANYONE)
          || principal.isNamedBy(preload.principals())) {
        names.addAll(preload.names());
      }
    }
    return names;
  }

  /** The names that the agent of a new session announces in its hello. */
  public static Set<RegistryName> asked(Hello greeting) {
    Set<RegistryName> names = new LinkedHashSet<>();
    for (String text : greeting.properties().getOrDefault(Hello.PRELOAD, "").split("\\|", -1)) {
      RegistryName.parse(text).ifPresent(names::add);
    }
    return names;
  }
}
