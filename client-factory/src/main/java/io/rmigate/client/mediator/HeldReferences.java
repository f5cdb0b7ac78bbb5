package io.rmigate.client.mediator;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which remote references the JVM holds, by what its dirty and clean calls say. As servers do it
 * (JRMP.md 5.2), they are told apart by their sequence numbers, since they come on several threads:
 * a dirty counts if its number is greater than the last, a clean if it is not smaller.
 *
 * <p>As large as what the JVM itself holds. Guarded by the lock of {@link Leases}.
 */
final class HeldReferences {
  /** Strong cleans of objects that are not held: a dirty given up before them may still come. */
  static final int MAX_STRONG_CLEANS = 1000;

  private record Reference(EndpointId endpoint, ObjIdentifier object) {}

  /** The number of the last dirty of each. */
  private final Map<EndpointId, Map<ObjIdentifier, Long>> held = new HashMap<>();

  private final Map<Reference, Long> stronglyCleaned =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Reference, Long> eldest) {
          return size() > MAX_STRONG_CLEANS;
        }
      };

  private int size;

  /** The JVM holds these; returns those for which the call was not late. */
  List<ObjIdentifier> dirty(EndpointId endpoint, List<ObjIdentifier> objects, long sequence) {
    List<ObjIdentifier> counted = new ArrayList<>(objects.size());
    Map<ObjIdentifier, Long> there = held.computeIfAbsent(endpoint, none -> new HashMap<>());
    for (ObjIdentifier object : objects) {
      Long cleaned = stronglyCleaned.get(new Reference(endpoint, object));
      Long before = there.get(object);
      if ((cleaned == null || sequence > cleaned) && (before == null || sequence > before)) {
        there.put(object, sequence);
        counted.add(object);
        size += before == null ? 1 : 0;
      }
    }
    forgetIfEmpty(endpoint, there);
    return counted;
  }

  /** The JVM holds these no more; returns those which it held, and for which the call counts. */
  List<ObjIdentifier> clean(
      EndpointId endpoint, List<ObjIdentifier> objects, long sequence, boolean strong) {
    List<ObjIdentifier> counted = new ArrayList<>(objects.size());
    Map<ObjIdentifier, Long> there = held.getOrDefault(endpoint, new HashMap<>());
    for (ObjIdentifier object : objects) {
      Long dirty = there.get(object);
      if (dirty != null && sequence >= dirty) {
        there.remove(object);
        counted.add(object);
        size--;
      }
      if (strong) {
        stronglyCleaned.merge(new Reference(endpoint, object), sequence, Math::max);
      }
    }
    forgetIfEmpty(endpoint, there);
    return counted;
  }

  private void forgetIfEmpty(EndpointId endpoint, Map<ObjIdentifier, Long> there) {
    if (there.isEmpty()) {
      held.remove(endpoint);
    }
  }

  /** Nothing is held any more; returns where something was. */
  Set<EndpointId> forgetAll() {
    Set<EndpointId> endpoints = new HashSet<>(held.keySet());
    held.clear();
    stronglyCleaned.clear();
    size = 0;
    return endpoints;
  }

  /** How many, at all endpoints. */
  int size() {
    return size;
  }

  /** What is held at each endpoint. */
  Map<EndpointId, List<ObjIdentifier>> all() {
    Map<EndpointId, List<ObjIdentifier>> all = new LinkedHashMap<>();
    held.forEach((endpoint, objects) -> all.put(endpoint, List.copyOf(objects.keySet())));
    return all;
  }
}
