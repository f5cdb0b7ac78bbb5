package io.rmigate.gateway.container.cuts;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which calls were executed, and how often. Thread-safe. */
final class Executed {
  private final Map<Long, Integer> times = new ConcurrentHashMap<>();

  void add(long id) {
    times.merge(id, 1, Integer::sum);
  }

  /** {@code <calls> <calls that were executed more than once>}. */
  @Override
  public String toString() {
    return times.size() + " " + times.values().stream().filter(count -> count > 1).count();
  }
}
