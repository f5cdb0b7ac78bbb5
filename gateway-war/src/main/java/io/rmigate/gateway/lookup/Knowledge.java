package io.rmigate.gateway.lookup;

/**
 * What a name is bound to, as far as is known, and since when. Guarded by the lock of {@link
 * RegistryWatch}.
 */
final class Knowledge {
  private WatchedBinding binding;

  /** Which lookup has told it last, by its number, and when that began. */
  private long lookup;

  private long sinceNanos;

  /** Lookups before this one count for nothing: the registry may have been changed since. */
  private long goodFrom;

  /** Null while nothing is known. */
  WatchedBinding binding() {
    return binding;
  }

  boolean is(WatchedBinding other) {
    return binding != null && binding.isSame(other);
  }

  /** How old it is, had the registry changed right after it was asked. */
  long ageNanos(long now) {
    return now - sinceNanos;
  }

  /** Whether somebody who asks now may be answered with it. */
  boolean isGood(long now, long maxAgeNanos) {
    return binding != null && lookup >= goodFrom && ageNanos(now) <= maxAgeNanos;
  }

  /** Nobody who asks from now on is answered with what an earlier lookup than this has told. */
  void distrustBefore(long nextLookup) {
    goodFrom = nextLookup;
  }

  /** Which lookup is the first that tells what one may be answered with who asks now. */
  long goodFrom() {
    return goodFrom;
  }

  /** A lookup has told the same again, or another binding. */
  void learn(WatchedBinding told, long byLookup, long beganNanos) {
    binding = told;
    lookup = byLookup;
    sinceNanos = beganNanos;
  }

  /** From here on nothing is known. */
  void forget() {
    binding = null;
  }
}
