package io.rmigate.gateway.bridge;

import io.rmigate.gateway.lease.SessionLeases;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Leased;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The references of one principal: leased while a visit or a kept reference holds them.
 * Thread-safe.
 *
 * <p>{@code lock} guards the counts, and the leases are told under it, so that they hear of first
 * and last holds in their order.
 */
final class ReferenceCounts {
  private final SessionLeases leases;
  private final BridgeMeters meters;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<BridgeReference, Integer> holds = new HashMap<>();

  /** Number of the DIRTY that is being taken; 0 when none is. */
  private long asking;

  private long asked;
  private boolean refused;

  ReferenceCounts(Function<Consumer<Leased>, SessionLeases> open, BridgeMeters meters) {
    this.leases = open.apply(this::onLeased);
    this.meters = meters;
  }

  SessionLeases leases() {
    return leases;
  }

  /**
   * One more hold on each, to be released in any case.
   *
   * @return false when policy or bounds do not let all of them be leased
   */
  boolean retain(Collection<BridgeReference> references) {
    lock.lock();
    try {
      Map<EndpointId, List<ObjIdentifier>> first = new LinkedHashMap<>();
      for (BridgeReference reference : references) {
        if (holds.merge(reference, 1, Integer::sum) == 1) {
          meters.bridgeReferences(1);
          first
              .computeIfAbsent(reference.endpoint(), missing -> new ArrayList<>())
              .add(reference.object());
        }
      }
      boolean all = true;
      for (Map.Entry<EndpointId, List<ObjIdentifier>> one : first.entrySet()) {
        all &= dirty(one.getKey(), one.getValue());
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  private boolean dirty(EndpointId endpoint, List<ObjIdentifier> objects) {
    asking = ++asked;
    refused = false;
    leases.dirty(new Dirty(asking, endpoint, objects));
    asking = 0;
    return !refused;
  }

  /**
   * What is refused is refused at once, on the thread that asks; how the others end is not waited
   * for.
   */
  private void onLeased(Leased answer) {
    if (lock.isHeldByCurrentThread()
        && answer.number() == asking
        && answer.outcome() == Leased.Outcome.REFUSED) {
      refused = true;
    }
  }

  /** One hold less on each. */
  void release(Collection<BridgeReference> references) {
    lock.lock();
    try {
      for (BridgeReference reference : references) {
        boolean last = holds.merge(reference, -1, Integer::sum) == 0;
        if (last) {
          holds.remove(reference);
          meters.bridgeReferences(-1);
          leases.clean(new Clean(reference.endpoint(), List.of(reference.object())));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Acknowledges a Return to its server; the DgcAck is sent behind the dirty calls. */
  void acknowledge(Target server, byte[] acknowledged) {
    leases.acknowledge(server, acknowledged);
  }
}
