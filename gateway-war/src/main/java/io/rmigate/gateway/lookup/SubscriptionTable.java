package io.rmigate.gateway.lookup;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The sessions that have subscriptions, and the quota of names of each principal. Guarded by the
 * lock of {@link RegistryWatch}.
 */
final class SubscriptionTable {
  private final Set<Subscriptions> sessions = new LinkedHashSet<>();
  private final NameQuota quota;

  SubscriptionTable(int maxNamesPerPrincipal) {
    this.quota = new NameQuota(maxNamesPerPrincipal);
  }

  /** A copy. */
  List<Subscriptions> sessions() {
    return List.copyOf(sessions);
  }

  /** Adds a subscription; false when its session or its principal has too many. */
  boolean add(Subscription added) {
    Subscriptions session = added.session();
    if (!session.mayAddName() || !quota.take(session.holder().principal(), added.key())) {
      return false;
    }
    session.add(added);
    sessions.add(session);
    return true;
  }

  /** Removes a subscription that is idle. */
  void tidy(Subscription subscription) {
    Subscriptions session = subscription.session();
    if (subscription.isIdle() && session.get(subscription.name()) == subscription) {
      session.remove(subscription);
      quota.giveBack(session.holder().principal(), subscription.key());
      if (session.isEmpty()) {
        sessions.remove(session);
      }
    }
  }
}
