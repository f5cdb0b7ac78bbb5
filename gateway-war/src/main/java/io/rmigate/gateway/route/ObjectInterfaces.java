package io.rmigate.gateway.route;

import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What objects are called for people: the interfaces of the stubs that registries have handed out
 * in one session, as the registries' servers describe them. The latest are kept. Thread-safe.
 *
 * <p>Lock: {@code lock} guards the map; nothing is taken under it.
 */
final class ObjectInterfaces {
  static final int MAX_OBJECTS = 256;

  private static final Map<ObjIdentifier, String> WELL_KNOWN =
      Map.of(
          ObjIdentifier.REGISTRY, "java.rmi.registry.Registry",
          ObjIdentifier.DGC, "java.rmi.dgc.DGC");

  private final ReentrantLock lock = new ReentrantLock();

  /** Null until something is learnt: most sessions are many and small. */
  private Map<ObjIdentifier, String> known;

  void learn(ObjIdentifier object, List<String> interfaces) {
    lock.lock();
    try {
      if (known == null) {
        known = new LinkedHashMap<>();
      }
      known.put(object, String.join(", ", interfaces));
      if (known.size() > MAX_OBJECTS) {
        known.remove(known.keySet().iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Empty when they are not known. */
  String of(ObjIdentifier object) {
    String wellKnown = WELL_KNOWN.get(object);
    if (wellKnown != null) {
      return wellKnown;
    }
    lock.lock();
    try {
      return known == null ? "" : known.getOrDefault(object, "");
    } finally {
      lock.unlock();
    }
  }
}
