package io.rmigate.gateway.session;

import io.rmigate.gateway.relay.AddressLiteral;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The objects that one session has been given by servers, and may therefore name in arguments and
 * call. Endpoints that registries have named count as a whole: so they are known even when their
 * objects were handed out in a session before this one. Who names an object that it was not given
 * has not been given it when a server echoes that. Bounded: what was neither given nor named for
 * longest is forgotten first; of what was never given no more may be named. Thread-safe.
 */
final class ReceivedReferences {
  private static final int MAX_OBJECTS = 16_384;

  /** Of one object: servers that change their name are few. */
  private static final int MAX_ENDPOINTS = 8;

  /** The class of the client socket factory belongs to what is dialled. */
  private record Key(String host, int port, ObjIdentifier object, String factory) {
    static Key of(LiveReference reference, String factory) {
      return of(reference.host(), reference.port(), reference.object(), factory);
    }

    static Key of(String host, int port, ObjIdentifier object, String factory) {
      return new Key(host.toLowerCase(Locale.ROOT), port, object, factory);
    }
  }

  private final LearntEndpoints registries;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, Boolean> objects = bounded();

  /** Where they are, as far as servers have said. */
  private final Map<ObjIdentifier, Set<EndpointId>> endpoints = bounded();

  /** What the session has named without having been given it, whatever the factory. */
  private final Set<Key> claimed = new HashSet<>();

  private static <K, V> Map<K, V> bounded() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
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
   * @return whether it has not, as far as is known, before; false when the session has named it
   *     first
   */
  boolean add(SeenReference seen) {
    LiveReference reference = seen.reference();
    lock.lock();
    try {
      return !claimed.contains(Key.of(reference, "")) && add(Key.of(reference, seen.factory()));
    } finally {
      lock.unlock();
    }
  }

  /** A server has handed it out in an earlier session. */
  void add(EndpointId endpoint, ObjIdentifier object) {
    lock.lock();
    try {
      add(Key.of(endpoint.host(), endpoint.port(), object, ""));
    } finally {
      lock.unlock();
    }
  }

  private boolean add(Key key) {
    Set<EndpointId> known = endpoints.computeIfAbsent(key.object(), any -> new LinkedHashSet<>(2));
    if (known.add(new EndpointId(key.host(), key.port())) && known.size() > MAX_ENDPOINTS) {
      known.remove(known.iterator().next());
    }
    return objects.put(key, true) == null;
  }

  /**
   * The session names it: when it was not given exactly that, that a server says it later does not
   * count.
   *
   * @return false when too many of these have been named
   */
  boolean claim(SeenReference seen) {
    Key key = Key.of(seen.reference(), "");
    lock.lock();
    try {
      return objects.containsKey(Key.of(seen.reference(), seen.factory()))
          || claimed.contains(key)
          || (claimed.size() < MAX_OBJECTS && claimed.add(key));
    } finally {
      lock.unlock();
    }
  }

  /** Whether a server that says this only repeats what the session has named. */
  boolean isClaimed(LiveReference reference) {
    lock.lock();
    try {
      return claimed.contains(Key.of(reference, ""));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a registry or another server has given that object to the session, or every server has
   * one by that name.
   *
   * @param at where it is called
   * @param isElsewhere whether servers that go by this host are perhaps at another one
   */
  boolean hasObject(ObjIdentifier object, EndpointId at, Predicate<String> isElsewhere) {
    if (LearntEndpoints.isWellKnown(object)) {
      return true;
    }
    lock.lock();
    try {
      Set<EndpointId> known = endpoints.getOrDefault(object, Set.of());
      if (known.stream().anyMatch(said -> mayBeOne(said, at, isElsewhere))) {
        return true;
      }
    } finally {
      lock.unlock();
    }
    return registries.of(object).isPresent();
  }

  /** One host has many names, but a stub's is dialled as it is, or as the address it stands for. */
  private static boolean mayBeOne(EndpointId said, EndpointId at, Predicate<String> isElsewhere) {
    return said.port() == at.port()
        && (said.host().equalsIgnoreCase(at.host())
            || AddressLiteral.of(said.host()).isPresent()
            || AddressLiteral.of(at.host()).isPresent()
            || isElsewhere.test(said.host())
            || isElsewhere.test(at.host()));
  }

  /** Whether it is one of those, or at an endpoint that a registry has named. */
  boolean has(SeenReference seen) {
    lock.lock();
    try {
      if (objects.get(Key.of(seen.reference(), seen.factory())) != null) {
        return true;
      }
    } finally {
      lock.unlock();
    }
    EndpointId endpoint = new EndpointId(seen.reference().host(), seen.reference().port());
    return seen.factory().isEmpty()
        && !registries.named(endpoint.host(), endpoint.port()).isEmpty();
  }
}
