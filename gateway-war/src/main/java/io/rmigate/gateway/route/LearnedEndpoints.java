package io.rmigate.gateway.route;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Endpoints that stood in replies of permitted registries to this session, which may therefore be
 * reached in it, and which registries those were. Bounded: those go first which were neither learnt
 * nor asked for lately, such as for the renewal of a lease. Thread-safe.
 */
public final class LearnedEndpoints {
  private static final int MAX_ENDPOINTS = 4096;
  public static final int MAX_OBJECTS = 8192;

  /**
   * Registries that name one endpoint, unless they are in one place, are few or there is malice.
   */
  private static final int MAX_PLACES = 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<EndpointId, List<RegistryPlace>> places = bounded(MAX_ENDPOINTS);
  private final Map<ObjIdentifier, Located> objects = bounded(MAX_OBJECTS);

  private record Located(EndpointId endpoint, RegistryPlace place) {}

  /** Changes with every new fact about endpoints. */
  private final AtomicInteger version = new AtomicInteger();

  private static <K, V> Map<K, V> bounded(int max) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > max;
      }
    };
  }

  /**
   * Remembers an endpoint with the object at it.
   *
   * @param object at it; empty when none in particular was named
   * @param registry that named it
   * @return whether this is the first time that a registry in that place names this endpoint
   */
  boolean learn(EndpointId named, Optional<ObjIdentifier> object, RegistryPlace registry) {
    EndpointId endpoint = key(named.host(), named.port());
    lock.lock();
    try {
      object.ifPresent(id -> learnObjectLocked(id, endpoint, registry));
      List<RegistryPlace> known = places.remove(endpoint);
      List<RegistryPlace> all = known == null ? new ArrayList<>() : known;
      places.put(endpoint, all); // the most recent one now
      if (all.contains(registry)) {
        return false;
      }
      if (all.size() == MAX_PLACES) {
        all.remove(0);
      }
      all.add(registry);
      version.incrementAndGet();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Remembers where an object is whose endpoint may be named by several servers. */
  void learnObject(LiveReference reference, RegistryPlace registry) {
    EndpointId endpoint = key(reference.host(), reference.port());
    lock.lock();
    try {
      learnObjectLocked(reference.object(), endpoint, registry);
    } finally {
      lock.unlock();
    }
  }

  private void learnObjectLocked(
      ObjIdentifier object, EndpointId endpoint, RegistryPlace registry) {
    if (!isWellKnown(object)) { // every server has those
      objects.remove(object);
      objects.put(object, new Located(endpoint, registry));
    }
  }

  /** Whether the object tells no server from others: its registry, its collector. */
  public static boolean isWellKnown(ObjIdentifier object) {
    return object.unique() == 0 && object.time() == 0 && object.count() == 0;
  }

  /** The places of the registries that have named this endpoint, the latest last. */
  List<RegistryPlace> named(String host, int port) {
    lock.lock();
    try {
      return List.copyOf(places.getOrDefault(key(host, port), List.of()));
    } finally {
      lock.unlock();
    }
  }

  /** The places of the registries that have named this host with any port. */
  Set<RegistryPlace> named(String host) {
    String normal = host.toLowerCase(Locale.ROOT);
    Set<RegistryPlace> all = new LinkedHashSet<>();
    lock.lock();
    try {
      places.forEach(
          (endpoint, registries) -> {
            if (endpoint.host().equals(normal)) {
              all.addAll(registries);
            }
          });
    } finally {
      lock.unlock();
    }
    return all;
  }

  /** The place of the registry that handed this object out. */
  Optional<RegistryPlace> of(ObjIdentifier object) {
    lock.lock();
    try {
      return Optional.ofNullable(objects.get(object)).map(Located::place);
    } finally {
      lock.unlock();
    }
  }

  /** The endpoint in the reference to this object that a registry handed out. */
  Optional<EndpointId> endpointOf(ObjIdentifier object) {
    lock.lock();
    try {
      return Optional.ofNullable(objects.get(object)).map(Located::endpoint);
    } finally {
      lock.unlock();
    }
  }

  /** Whether a registry has handed out a reference to this object at this endpoint. */
  boolean isObjectAt(ObjIdentifier object, EndpointId endpoint) {
    return endpointOf(object).equals(Optional.of(key(endpoint.host(), endpoint.port())));
  }

  /** The objects at an endpoint, and in the places of which registries they are. */
  Map<ObjIdentifier, RegistryPlace> at(EndpointId named) {
    EndpointId endpoint = key(named.host(), named.port());
    Map<ObjIdentifier, RegistryPlace> all = new LinkedHashMap<>();
    lock.lock();
    try {
      objects.forEach(
          (object, located) -> {
            if (located.endpoint().equals(endpoint)) {
              all.put(object, located.place());
            }
          });
    } finally {
      lock.unlock();
    }
    return all;
  }

  /** Version of the facts: an answer is valid until this number changes. */
  int version() {
    return version.get();
  }

  private static EndpointId key(String host, int port) {
    return new EndpointId(host.toLowerCase(Locale.ROOT), port);
  }
}
