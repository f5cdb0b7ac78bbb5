package io.rmigate.gateway.session;

import io.rmigate.gateway.relay.AddressRule;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Endpoints that stood in replies of permitted registries to this session, and may therefore be
 * reached in it. Bounded: the least recently learnt go first. Thread-safe.
 */
final class LearntEndpoints {
  private static final int MAX = 4096;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, AddressRule> rules =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, AddressRule> eldest) {
          return size() > MAX;
        }
      };

  /**
   * Remembers an endpoint.
   *
   * @param rule what the host's name may stand for
   */
  void learn(String host, int port, AddressRule rule) {
    lock.lock();
    try {
      rules.put(key(host, port), rule);
    } finally {
      lock.unlock();
    }
  }

  Optional<AddressRule> learnt(String host, int port) {
    lock.lock();
    try {
      return Optional.ofNullable(rules.get(key(host, port)));
    } finally {
      lock.unlock();
    }
  }

  private static String key(String host, int port) {
    return host.toLowerCase(Locale.ROOT) + ":" + port;
  }
}
