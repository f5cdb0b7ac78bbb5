package io.rmigate.gateway.callback;

import io.rmigate.protocol.AddressOwner;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes for inner JVMs of one session that wait: Returns behind DIRTYs, and bytes that an inner JVM
 * does not read. Each stream's is bounded by its credit, that of all by a budget; beyond it the
 * host that has most waiting loses the connection with most of it. Thread-safe.
 */
final class WaitingBytes {
  static final long BUDGET = 32L * 1024 * 1024;

  private final Collection<CallbackStream> connections;
  private final AtomicLong sum = new AtomicLong();

  /**
   * @param connections of the session, as they are now
   */
  WaitingBytes(Collection<CallbackStream> connections) {
    this.connections = connections;
  }

  /** The number of waiting bytes changes. Under a stream's lock. */
  void add(int change) {
    sum.addAndGet(change);
  }

  long sum() {
    return sum.get();
  }

  /** Ends connections until the rest is within the budget. Without locks. */
  void keepWithinBudget() {
    while (sum.get() > BUDGET) {
      CallbackStream most = mostOfTheGreediest();
      if (most == null) {
        return; // they end already
      }
      most.endForWant();
    }
  }

  private CallbackStream mostOfTheGreediest() {
    Map<CallbackStream, Integer> waiting = new HashMap<>();
    Map<AddressOwner, Long> byHost = new HashMap<>();
    for (CallbackStream one : connections) {
      int bytes = one.waitingBytes();
      if (bytes > 0) {
        waiting.put(one, bytes);
        byHost.merge(one.sharer(), (long) bytes, Long::sum);
      }
    }
    Comparator<CallbackStream> byShare = Comparator.comparing(one -> byHost.get(one.sharer()));
    return waiting.keySet().stream().max(byShare.thenComparing(waiting::get)).orElse(null);
  }
}
