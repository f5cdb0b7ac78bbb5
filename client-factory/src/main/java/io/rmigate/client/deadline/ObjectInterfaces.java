package io.rmigate.client.deadline;

import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which interfaces the stubs of objects have. The objects used last are kept. Thread-safe.
 *
 * <p>Lock: {@code lock} guards the map.
 */
final class ObjectInterfaces {
  private static final int MAX_OBJECTS = 4096;

  /** Interfaces of objects that every JVM has, and whose stubs are no dynamic proxies. */
  private static final Map<ObjIdentifier, List<String>> WELL_KNOWN =
      Map.of(
          ObjIdentifier.REGISTRY,
          List.of("java.rmi.registry.Registry"),
          ObjIdentifier.DGC,
          List.of("java.rmi.dgc.DGC"));

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ObjIdentifier, List<String>> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjIdentifier, List<String>> eldest) {
          return size() > MAX_OBJECTS;
        }
      };

  void learn(ObjIdentifier object, List<String> interfaces) {
    lock.lock();
    try {
      known.put(object, interfaces);
    } finally {
      lock.unlock();
    }
  }

  List<String> of(ObjIdentifier object) {
    List<String> wellKnown = WELL_KNOWN.get(object);
    if (wellKnown != null) {
      return wellKnown;
    }
    lock.lock();
    try {
      return known.getOrDefault(object, List.of());
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return known.size();
    } finally {
      lock.unlock();
    }
  }
}
