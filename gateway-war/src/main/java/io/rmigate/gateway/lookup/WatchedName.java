package io.rmigate.gateway.lookup;

import java.util.LinkedHashSet;
import java.util.Set;

/** One name that is watched, and for whom. Guarded by the lock of {@link RegistryWatch}. */
final class WatchedName {
  private final WatchedRegistry registry;
  private final String name;
  private final Knowledge knowledge = new Knowledge();
  private final Inquiry inquiry = new Inquiry();

  /** Who is told of changes. */
  private final Set<Subscription> holders = new LinkedHashSet<>();

  private boolean kept;

  WatchedName(WatchedRegistry registry, String name) {
    this.registry = registry;
    this.name = name;
  }

  WatchedRegistry registry() {
    return registry;
  }

  String name() {
    return name;
  }

  Knowledge knowledge() {
    return knowledge;
  }

  Inquiry inquiry() {
    return inquiry;
  }

  Set<Subscription> holders() {
    return holders;
  }

  /** Whether it is watched whoever holds it. */
  boolean isKept() {
    return kept;
  }

  void keep(boolean whoeverHoldsIt) {
    kept = whoeverHoldsIt;
  }

  boolean isNeeded() {
    return kept || !holders.isEmpty() || inquiry.isWanted();
  }

  @Override
  public String toString() {
    return registry.target() + "/" + name;
  }
}
