package io.rmigate.gateway.route;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.gateway.limit.CallLimiter;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.limit.Lockouts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The limits and lockouts of each caller, independent of its targets. Thread-safe. */
final class CallerRestraints {
  /** The limiters of the latest callers are kept. */
  private static final int MAX_CALLERS = 10_000;

  private final LockoutSettings lockoutSettings;

  /** The lockouts of the policy before a reload, or new ones. */
  private volatile Lockouts lockouts;

  /** Empty without limits for each caller. */
  private final Optional<LoadingCache<Caller, CallLimiter>> limiters;

  CallerRestraints(Restraints restraints, Ticker clock) {
    this.lockoutSettings = restraints.lockout();
    this.lockouts = new Lockouts(lockoutSettings, clock);
    this.limiters =
        restraints.limits().isAny()
            ? Optional.of(
                Caffeine.newBuilder()
                    .maximumSize(MAX_CALLERS)
                    .build(caller -> new CallLimiter("limits", restraints.limits(), clock)))
            : Optional.empty();
  }

  /** The limiters of a call: those of the entries that permit it, and the caller's own. */
  List<CallLimiter> limiters(Caller caller, List<CallLimiter> ofEntries) {
    if (limiters.isEmpty()) {
      return ofEntries;
    }
    List<CallLimiter> all = new ArrayList<>(ofEntries);
    all.add(limiters.get().get(caller));
    return all;
  }

  Lockouts lockouts() {
    return lockouts;
  }

  /** Takes over the lockouts of earlier restraints, unless their settings have changed. */
  void follow(CallerRestraints before) {
    if (before.lockouts.isBy(lockoutSettings)) {
      lockouts = before.lockouts;
    }
  }
}
