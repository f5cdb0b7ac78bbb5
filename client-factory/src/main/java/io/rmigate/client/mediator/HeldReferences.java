package io.rmigate.client.mediator;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which remote references one JVM holds, by what its dirty and clean calls say. As servers do it
 * (JRMP.md 5.2), they are told apart by their sequence numbers, since they come on several threads:
 * a dirty counts if its number is greater than the last, a clean if it is not smaller.
 *
 * <pre>
 *                  ┌── first reference, to a gateway that takes leases ──► kept by the GATEWAY ─┐
 *  nothing held ◄──┤                                                                            ├─┐
 *        ▲         └── first reference, to one that does not ────────────► kept by the JVM ─────┘ │
 *        └───────────────────────────── last reference ───────────────────────────────────────────┘
 * </pre>
 *
 * Each endpoint is for itself. Who keeps its lease does not change while something is held there: a
 * server would miss the renewals of the one before, and the JVM would not hear of it.
 *
 * <p>As large as what the JVM itself holds. Guarded by the lock of {@link Leases}.
 */
final class HeldReferences {
  /** Strong cleans of objects that are not held: a dirty given up before them may still come. */
  static final int MAX_STRONG_CLEANS = 1000;

  /** The side that renews the lease on the objects held at an endpoint. */
  enum Keeper {
    /** The gateway renews the lease; the agent answers the JVM's calls. */
    GATEWAY,
    /** The JVM renews the lease; its calls go to the server. */
    JVM
  }

  private record Reference(EndpointId endpoint, ObjIdentifier object) {
    // Written out: equals and hashCode of records load java.lang.invoke at the start of a program.
    @Override
    public boolean equals(Object other) {
      return other instanceof Reference reference
          && object.equals(reference.object)
          && endpoint.equals(reference.endpoint);
    }

    @Override
    public int hashCode() {
      return 31 * endpoint.hashCode() + object.hashCode();
    }
  }

  /**
   * The objects held at an endpoint; never none.
   *
   * @param dirtied the number of the last dirty of each object
   */
  private record AtEndpoint(Keeper keeper, Map<ObjIdentifier, Long> dirtied) {}

  private final Map<EndpointId, AtEndpoint> held = new LinkedHashMap<>();

  private final Map<Reference, Long> stronglyCleaned =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Reference, Long> eldest) {
          return size() > MAX_STRONG_CLEANS;
        }
      };

  private int keptByGateway;

  /** The keeper of the lease at an endpoint; empty when no object is held there. */
  Optional<Keeper> keeper(EndpointId endpoint) {
    AtEndpoint at = held.get(endpoint);
    return at == null ? Optional.empty() : Optional.of(at.keeper());
  }

  /**
   * The JVM holds these; returns those for which the call was not late.
   *
   * @param first who keeps the lease if nothing was held there
   */
  List<ObjIdentifier> dirty(
      EndpointId endpoint, Keeper first, List<ObjIdentifier> objects, long sequence) {
    List<ObjIdentifier> counted = new ArrayList<>(objects.size());
    AtEndpoint there = held.get(endpoint);
    AtEndpoint at = there == null ? new AtEndpoint(first, new HashMap<>()) : there;
    int before = at.dirtied.size();
    for (ObjIdentifier object : objects) {
      Long cleaned = stronglyCleaned.get(new Reference(endpoint, object));
      Long last = at.dirtied.get(object);
      if ((cleaned == null || sequence > cleaned) && (last == null || sequence > last)) {
        at.dirtied.put(object, sequence);
        counted.add(object);
      }
    }
    if (there == null && !at.dirtied.isEmpty()) {
      held.put(endpoint, at);
    }
    count(at, before);
    return counted;
  }

  /**
   * Releases references of the JVM; returns the ones that it held and for which the call counts.
   */
  List<ObjIdentifier> clean(
      EndpointId endpoint, List<ObjIdentifier> objects, long sequence, boolean strong) {
    List<ObjIdentifier> counted = new ArrayList<>(objects.size());
    AtEndpoint at = held.getOrDefault(endpoint, new AtEndpoint(Keeper.JVM, Map.of()));
    int before = at.dirtied.size();
    for (ObjIdentifier object : objects) {
      Long dirty = at.dirtied.get(object);
      if (dirty != null && sequence >= dirty) {
        at.dirtied.remove(object);
        counted.add(object);
      }
      if (strong) {
        stronglyCleaned.merge(new Reference(endpoint, object), sequence, Math::max);
      }
    }
    if (at.dirtied.isEmpty()) {
      held.remove(endpoint);
    }
    count(at, before);
    return counted;
  }

  private void count(AtEndpoint at, int before) {
    if (at.keeper == Keeper.GATEWAY) {
      keptByGateway += at.dirtied.size() - before;
    }
  }

  /** The number of references on which a gateway keeps leases, at all endpoints. */
  int keptByGateway() {
    return keptByGateway;
  }

  /** Whether the object is held, and a gateway keeps the lease on it. */
  boolean isKeptByGateway(EndpointId endpoint, ObjIdentifier object) {
    AtEndpoint at = held.get(endpoint);
    return at != null && at.keeper == Keeper.GATEWAY && at.dirtied.containsKey(object);
  }

  /** The held objects, by endpoint. */
  Map<EndpointId, Set<ObjIdentifier>> all() {
    Map<EndpointId, Set<ObjIdentifier>> all = new HashMap<>();
    held.forEach((endpoint, at) -> all.put(endpoint, Set.copyOf(at.dirtied.keySet())));
    return all;
  }

  /** The objects on which a gateway keeps leases, by endpoint. */
  Map<EndpointId, List<ObjIdentifier>> allKeptByGateway() {
    Map<EndpointId, List<ObjIdentifier>> all = new LinkedHashMap<>();
    held.forEach(
        (endpoint, at) -> {
          if (at.keeper == Keeper.GATEWAY) {
            all.put(endpoint, List.copyOf(at.dirtied.keySet()));
          }
        });
    return all;
  }
}
