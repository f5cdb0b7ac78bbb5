package io.rmigate.gateway.lookup;

import java.util.HashMap;
import java.util.Map;

/**
 * The number of different names that each principal watches in all its sessions, so that no
 * principal takes all. Guarded by the lock of {@link RegistryWatch}.
 */
final class NameQuota {
  private final int max;

  /** How many sessions of a principal have a name. */
  private final Map<String, Map<WatchedKey, Integer>> byPrincipal = new HashMap<>();

  /**
   * @param max for each principal
   */
  NameQuota(int max) {
    this.max = max;
  }

  /** A session subscribes to a name; false when its principal has too many others. */
  boolean take(String principal, WatchedKey name) {
    Map<WatchedKey, Integer> names =
        byPrincipal.computeIfAbsent(principal, first -> new HashMap<>());
    if (names.size() >= max && !names.containsKey(name)) {
      return false;
    }
    names.merge(name, 1, Integer::sum);
    return true;
  }

  /** A session that has taken a name has no use for it any more. */
  void giveBack(String principal, WatchedKey name) {
    byPrincipal.computeIfPresent(
        principal,
        (who, names) -> {
          names.computeIfPresent(name, (key, sessions) -> sessions == 1 ? null : sessions - 1);
          return names.isEmpty() ? null : names;
        });
  }
}
