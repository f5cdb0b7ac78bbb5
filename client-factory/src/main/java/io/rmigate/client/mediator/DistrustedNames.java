package io.rmigate.client.mediator;

import io.rmigate.protocol.tunnel.RegistryName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Names whose bindings have turned out to lead nowhere. The gateway may not know that yet, so each
 * lookup of such a name asks for a fresh binding until one has been answered. This holds for all
 * threads and across links.
 *
 * <p>Bounded: the first go first. Guarded by the lock of {@link Lookups}.
 */
final class DistrustedNames {
  static final int MAX = 1024;

  private final Set<RegistryName> names =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<RegistryName, Boolean> eldest) {
              return size() > MAX;
            }
          });

  void add(RegistryName name) {
    names.add(name);
  }

  boolean contains(RegistryName name) {
    return names.contains(name);
  }

  /** The registry itself has been asked since. */
  void remove(RegistryName name) {
    names.remove(name);
  }
}
