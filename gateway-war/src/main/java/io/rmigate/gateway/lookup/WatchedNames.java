package io.rmigate.gateway.lookup;

import io.rmigate.gateway.lease.LeaseRoutes;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.tunnel.Leased;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The watched names by registry, and the retired bindings that agents may still use. A name is here
 * from the first request for it until no session needs it, a registry as long as it has names or
 * bindings. Guarded by the lock of its {@link RegistryWatch}.
 */
final class WatchedNames {
  /** Names in all; for more, agents call their registries. */
  static final int MAX_NAMES = 10_000;

  /** How long a lease is kept for agents that have not reported FORGOT. */
  private static final long MAX_RETIRED_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Leases leases;
  private final Function<Target, LeaseRoutes> routes;
  private final BiConsumer<Target, Leased> onLeased;
  private final LongSupplier clock;
  private final LookupMeters meters;
  private final Map<Target, WatchedRegistry> registries = new HashMap<>();

  /** Bindings that no name has any more, and that some agent may still need. */
  private final Map<WatchedBinding, WatchedRegistry> retired = new HashMap<>();

  private int names;

  /**
   * @param routes from a registry to what it names
   * @param onLeased a server there has granted a lease, or has not; perhaps within the call that
   *     asks
   * @param clock in nanoseconds
   */
  WatchedNames(
      Leases leases,
      Function<Target, LeaseRoutes> routes,
      BiConsumer<Target, Leased> onLeased,
      LongSupplier clock,
      LookupMeters meters) {
    this.leases = leases;
    this.routes = routes;
    this.onLeased = onLeased;
    this.clock = clock;
    this.meters = meters;
  }

  /** The name, watched from here on; empty when too many are. */
  Optional<WatchedName> watch(Target target, String text) {
    WatchedRegistry registry = registries.get(target);
    WatchedName known = registry == null ? null : registry.names().get(text);
    if (known != null) {
      return Optional.of(known);
    }
    if (names >= MAX_NAMES) {
      return Optional.empty();
    }
    if (registry == null) {
      registry =
          new WatchedRegistry(
              target, leases, routes.apply(target), answer -> onLeased.accept(target, answer));
      registries.put(target, registry);
    }
    WatchedName added = new WatchedName(registry, text);
    registry.names().put(text, added);
    names++;
    meters.namesWatched(1);
    return Optional.of(added);
  }

  /** The time by the clock of bindings, in nanoseconds. */
  long now() {
    return clock.getAsLong();
  }

  /** The name, if it is watched. */
  Optional<WatchedName> known(Subscription subscription) {
    return registry(subscription.registry())
        .map(registry -> registry.names().get(subscription.name().name()));
  }

  /** The registry, if anything of it is here. */
  Optional<WatchedRegistry> registry(Target target) {
    return Optional.ofNullable(registries.get(target));
  }

  /** A copy. */
  List<WatchedRegistry> registries() {
    return List.copyOf(registries.values());
  }

  /** A copy, of all registries. */
  List<WatchedName> all() {
    List<WatchedName> all = new ArrayList<>();
    registries.values().forEach(registry -> all.addAll(registry.names().values()));
    return all;
  }

  /** Forgets the name if it is not needed. */
  void dropIfUnneeded(WatchedName name) {
    if (name.isNeeded() || name.inquiry().isUnderWay()) {
      return;
    }
    retire(name);
    if (name.registry().names().remove(name.name(), name)) {
      names--;
      meters.namesWatched(-1);
    }
    endIfUnneeded(name.registry());
  }

  private void endIfUnneeded(WatchedRegistry registry) {
    if (registry.isUnneeded() && registries.remove(registry.target(), registry)) {
      registry.end();
    }
  }

  /** The binding of the name is no longer known. */
  void retire(WatchedName name) {
    WatchedBinding binding = name.knowledge().binding();
    if (binding != null) {
      name.knowledge().forget();
      binding.retire(clock.getAsLong());
      retired.put(binding, name.registry());
      release(name.registry(), binding);
    }
  }

  /** Its agent uses it no more. */
  void release(Subscription subscription, WatchedBinding binding) {
    registry(subscription.registry()).ifPresent(registry -> release(registry, binding));
  }

  private void release(WatchedRegistry registry, WatchedBinding binding) {
    if (binding.release()) {
      drop(registry, binding);
    }
  }

  /** Lets go of bindings that have been kept long enough. */
  void dropRetired() {
    long now = clock.getAsLong();
    for (Map.Entry<WatchedBinding, WatchedRegistry> old : List.copyOf(retired.entrySet())) {
      if (old.getKey().isRetiredSince(now - MAX_RETIRED_NANOS)) {
        drop(old.getValue(), old.getKey());
      }
    }
  }

  private void drop(WatchedRegistry registry, WatchedBinding binding) {
    if (retired.remove(binding) != null) {
      registry.release(binding);
      endIfUnneeded(registry);
    }
  }
}
