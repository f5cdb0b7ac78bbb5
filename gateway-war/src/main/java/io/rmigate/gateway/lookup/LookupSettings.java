package io.rmigate.gateway.lookup;

import io.rmigate.protocol.NamePatterns;
import java.time.Duration;

/**
 * What agents may hold of registries, and how old it may be.
 *
 * @param cached whether agents may hold bindings at all
 * @param uncached names of which they may not
 * @param poll each watched name is looked up so often; what changes inside is seen by then
 */
public record LookupSettings(boolean cached, NamePatterns uncached, Duration poll) {
  /** The shipped defaults. */
  public static final LookupSettings DEFAULTS =
      new LookupSettings(true, NamePatterns.NONE, Duration.ofSeconds(5));

  /** Whether agents may hold what this name is bound to. */
  public boolean mayHold(String name) {
    return cached && !uncached.matches(name);
  }
}
