package io.rmigate.gateway.lookup;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One name that is watched. Guarded by the lock of {@link RegistryWatch}, which moves it on. */
final class WatchedName {
  /** Somebody who waits for what the name is bound to. */
  record Ask(Subscription subscription, long number) {}

  final WatchedRegistry registry;
  final String name;

  /** Who is told of changes. */
  final Set<Subscription> holders = new LinkedHashSet<>();

  /** Who waits for the lookup that is under way, or for the one after it. */
  final List<Ask> asks = new ArrayList<>();

  /** What it is bound to as far as is known; null when that is not known. */
  WatchedBinding current;

  /** Whether it is watched whoever holds it. */
  boolean kept;

  /** When the lookup began that has last told what the name is bound to. */
  long askedNanos;

  /** When the next lookup is due. */
  long pollNanos;

  /** Counts what makes a lookup that has begun before worthless. */
  int version;

  boolean asking;

  WatchedName(WatchedRegistry registry, String name) {
    this.registry = registry;
    this.name = name;
  }

  boolean isNeeded() {
    return kept || !holders.isEmpty() || !asks.isEmpty();
  }
}
