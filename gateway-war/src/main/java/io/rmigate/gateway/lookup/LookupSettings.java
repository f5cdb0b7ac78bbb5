package io.rmigate.gateway.lookup;

import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.tunnel.RegistryName;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The bindings that agents may hold, and how old these may be.
 *
 * @param cached whether agents may hold bindings at all
 * @param uncached names of which they may not
 * @param poll each watched name is looked up so often; what changes inside is seen by then
 * @param preload names that are watched always, and sent with the welcome
 */
public record LookupSettings(
    boolean cached, NamePatterns uncached, Duration poll, List<Preload> preload) {

  /**
   * Names for some principals.
   *
   * @param principals as in the targets of the policy
   */
  public record Preload(Set<String> principals, List<RegistryName> names) {
    public Preload {
      principals = Set.copyOf(principals);
      names = List.copyOf(names);
    }
  }

  /** The shipped defaults. */
  public static final LookupSettings DEFAULTS =
      new LookupSettings(true, NamePatterns.NONE, Duration.ofSeconds(5), List.of());

  public LookupSettings {
    preload = List.copyOf(preload);
  }

  /** Whether agents may hold what this name is bound to. */
  public boolean mayHold(String name) {
    return cached && !uncached.matches(name);
  }
}
