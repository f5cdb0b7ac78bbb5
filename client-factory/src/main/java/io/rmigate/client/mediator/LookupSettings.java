package io.rmigate.client.mediator;

import io.rmigate.protocol.NamePatterns;
import java.util.List;

/**
 * What is done about lookups.
 *
 * @param cached whether bindings are held here at all
 * @param uncached names that are looked up in their registry every time
 * @param preload what is going to be looked up: {@code host:port/name}
 */
public record LookupSettings(boolean cached, NamePatterns uncached, List<String> preload) {
  /** Everything is held, nothing is asked for in advance. */
  public static final LookupSettings DEFAULTS =
      new LookupSettings(true, NamePatterns.NONE, List.of());

  public LookupSettings {
    preload = List.copyOf(preload);
  }
}
