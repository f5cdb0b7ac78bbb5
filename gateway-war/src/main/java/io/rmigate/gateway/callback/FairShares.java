package io.rmigate.gateway.callback;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who has how much of something that is bounded, and who may have more: nobody gets more than three
 * times as much as is then still free. Whoever is alone gets three quarters, two get three sevenths
 * each, and so on; however greedy some are, something is left for others, and nobody's share has to
 * be configured. (After Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory
 * Packet Switches", 1998.)
 *
 * <p>Guarded by its owner's lock.
 */
public final class FairShares<K> {
  /** What one may have, in parts of what is free. */
  private static final long OF_FREE = 3;

  private final Map<K, Integer> shares = new HashMap<>();
  private int taken;

  /** Whether {@code who} may have {@code more} of what is {@code bound} in all. */
  public boolean admits(K who, int more, int bound) {
    long free = (long) bound - taken - more;
    return free >= 0 && of(who) + (long) more <= OF_FREE * (free + 1);
  }

  /** Somebody has so much more, or less. */
  public void add(K who, int change) {
    taken += change;
    if (change != 0) {
      shares.merge(who, change, (had, more) -> had + more == 0 ? null : had + more);
    }
  }

  public int of(K who) {
    return shares.getOrDefault(who, 0);
  }

  public int taken() {
    return taken;
  }

  /** Who has most; empty when nobody has anything. */
  Optional<K> greediest() {
    return shares.entrySet().stream()
        .max(Comparator.comparingInt(Map.Entry::getValue))
        .map(Map.Entry::getKey);
  }
}
