package io.rmigate.gateway.lookup;

/** The known binding of a name, and its age. Guarded by the lock of {@link RegistryWatch}. */
final class KnownBinding {
  private WatchedBinding binding;

  /** Number and beginning of the lookup that has confirmed the binding last. */
  private long lookup;

  private long sinceNanos;

  /** First lookup whose result counts: the registry may have changed since earlier ones. */
  private long goodFrom;

  /** Null while no binding is known. */
  WatchedBinding binding() {
    return binding;
  }

  boolean is(WatchedBinding other) {
    return binding != null && binding.isSame(other);
  }

  /** The age of the binding, counted from the beginning of the lookup. */
  long ageNanos(long now) {
    return now - sinceNanos;
  }

  /** Whether an agent that asks now may be answered with the binding. */
  boolean isGood(long now, long maxAgeNanos) {
    return binding != null && lookup >= goodFrom && ageNanos(now) <= maxAgeNanos;
  }

  /** From now on no agent is answered with the result of an earlier lookup than this. */
  void distrustBefore(long nextLookup) {
    goodFrom = nextLookup;
  }

  /** The number of the first lookup that may answer an agent that asks now. */
  long goodFrom() {
    return goodFrom;
  }

  /** A lookup has confirmed the binding or found another one. */
  void learn(WatchedBinding told, long byLookup, long beganNanos) {
    binding = told;
    lookup = byLookup;
    sinceNanos = beganNanos;
  }

  /** The binding is no longer known. */
  void forget() {
    binding = null;
  }
}
