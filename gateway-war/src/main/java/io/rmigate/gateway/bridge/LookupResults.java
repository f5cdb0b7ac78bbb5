package io.rmigate.gateway.bridge;

import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.tunnel.RegistryName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The latest results of lookups, by name. Bounded. Thread-safe. */
final class LookupResults {
  private static final int MAX_NAMES = 1000;

  /**
   * What a name was bound to.
   *
   * @param sinceNanos when the registry was last asked
   */
  record Binding(LiveReference reference, long sinceNanos) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<RegistryName, Binding> bindings =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RegistryName, Binding> eldest) {
          return size() > MAX_NAMES;
        }
      };

  Optional<Binding> get(RegistryName name) {
    lock.lock();
    try {
      return Optional.ofNullable(bindings.get(name));
    } finally {
      lock.unlock();
    }
  }

  void put(RegistryName name, Binding binding) {
    lock.lock();
    try {
      bindings.put(name, binding);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets that binding, unless there is another one meanwhile. */
  void forget(RegistryName name, Binding binding) {
    lock.lock();
    try {
      bindings.remove(name, binding);
    } finally {
      lock.unlock();
    }
  }
}
