package io.rmigate.gateway.session;

import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The objects that one session has been given by servers, and may therefore name in arguments.
 * Endpoints that registries have named count as a whole: so they are known even when their objects
 * were handed out in a session before this one. Bounded: what was neither given nor named for
 * longest is forgotten first. Thread-safe.
 */
final class ReceivedReferences {
  private static final int MAX_OBJECTS = 16_384;

  /** The class of the client socket factory belongs to what is dialled. */
  private record Key(String host, int port, ObjIdentifier object, String factory) {}

  private final LearntEndpoints registries;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, Boolean> objects = bounded();
  private final Map<ObjIdentifier, Boolean> ids = bounded();

  private static <K> Map<K, Boolean> bounded() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, Boolean> eldest) {
        return size() > MAX_OBJECTS;
      }
    };
  }

  ReceivedReferences(LearntEndpoints registries) {
    this.registries = registries;
  }

  /**
   * A server has handed it out in this session.
   *
   * @return whether it has not, as far as is known, before
   */
  boolean add(SeenReference seen) {
    return add(key(seen));
  }

  /** A server has handed it out in an earlier session. */
  void add(EndpointId endpoint, ObjIdentifier object) {
    add(new Key(endpoint.host().toLowerCase(Locale.ROOT), endpoint.port(), object, ""));
  }

  private boolean add(Key key) {
    lock.lock();
    try {
      ids.put(key.object(), true);
      return objects.put(key, true) == null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a registry or another server has given that object to the session, or every server has
   * one by that name.
   */
  boolean hasObject(ObjIdentifier object) {
    if (LearntEndpoints.isWellKnown(object)) {
      return true;
    }
    lock.lock();
    try {
      if (ids.get(object) != null) {
        return true;
      }
    } finally {
      lock.unlock();
    }
    return registries.of(object).isPresent();
  }

  /** Whether it is one of those, or at an endpoint that a registry has named. */
  boolean has(SeenReference seen) {
    lock.lock();
    try {
      if (objects.get(key(seen)) != null) {
        return true;
      }
    } finally {
      lock.unlock();
    }
    EndpointId endpoint = new EndpointId(seen.reference().host(), seen.reference().port());
    return seen.factory().isEmpty()
        && !registries.named(endpoint.host(), endpoint.port()).isEmpty();
  }

  private static Key key(SeenReference seen) {
    LiveReference reference = seen.reference();
    return new Key(
        reference.host().toLowerCase(Locale.ROOT),
        reference.port(),
        reference.object(),
        seen.factory());
  }
}
