package io.rmigate.gateway.lookup;

import io.rmigate.protocol.jrmp.message.LiveReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** One name that is watched, and for whom. Guarded by the lock of {@link RegistryWatch}. */
final class WatchedName {
  private final WatchedRegistry registry;
  private final String name;
  private final KnownBinding knowledge = new KnownBinding();
  private final PendingLookups inquiry = new PendingLookups();

  /** Subscriptions that are told of changes. */
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

  KnownBinding knowledge() {
    return knowledge;
  }

  PendingLookups inquiry() {
    return inquiry;
  }

  Set<Subscription> holders() {
    return holders;
  }

  /** Whether the name is watched even if no session holds it. */
  boolean isKept() {
    return kept;
  }

  void keep(boolean whoeverHoldsIt) {
    kept = whoeverHoldsIt;
  }

  boolean isNeeded() {
    return kept || !holders.isEmpty() || inquiry.isWanted();
  }

  /** A row of the table of watched names. */
  WatchedView view(long now) {
    WatchedBinding current = knowledge.binding();
    return new WatchedView(
        registry.target().toString(),
        name,
        current == null
            ? List.of()
            : current.references().stream().map(LiveReference::toString).toList(),
        current == null ? -1 : TimeUnit.NANOSECONDS.toMillis(knowledge.ageNanos(now)),
        holders.size(),
        kept);
  }

  @Override
  public String toString() {
    return registry.target() + "/" + name;
  }
}
