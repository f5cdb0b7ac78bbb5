package io.rmigate.gateway.route;

import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The objects that one session has been given by servers, and may therefore name in arguments and
 * call. Endpoints that registries have named count as a whole: so they are known even when their
 * objects were handed out in a session before this one. Who names an object that it was not given
 * has not been given it when a server echoes that. Bounded: of what it does not hold, what was
 * neither given nor named for longest is forgotten first; what it holds a lease of is not
 * forgotten, and leases are bounded; of what was never given no more may be named. Thread-safe.
 */
public final class ReceivedReferences {
  public static final int MAX_OBJECTS = 16_384;

  /** Most endpoints of one object: few servers change their name. */
  private static final int MAX_ENDPOINTS = 8;

  private static final Set<ObjIdentifier> EVERY_SERVER_HAS =
      Set.of(ObjIdentifier.REGISTRY, ObjIdentifier.ACTIVATOR, ObjIdentifier.DGC);

  /** The class of the client socket factory belongs to what is dialled. */
  private record Key(String host, int port, ObjIdentifier object, String factory) {
    static Key of(LiveReference reference, String factory) {
      return of(reference.host(), reference.port(), reference.object(), factory);
    }

    static Key of(String host, int port, ObjIdentifier object, String factory) {
      return new Key(host.toLowerCase(Locale.ROOT), port, object, factory);
    }
  }

  private final LearnedEndpoints registries;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, Boolean> objects = bounded();

  /** Endpoints of each object, as far as servers have named them. */
  private final Map<ObjIdentifier, Set<EndpointId>> endpoints = bounded();

  /** The objects that the session holds, with the endpoints at which it received them. */
  private KeptObjects kept = new KeptObjects();

  /** References that the session has named without having been given them, with any factory. */
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

  /** Objects that the agent claims to hold and that no server has given it, as texts. */
  private final Set<String> stale = new HashSet<>();

  private final FormerSessions former;

  /**
   * Objects that all sessions of one caller together may be known to have been given, beside those
   * that are forgotten when others come. What leases are taken of is counted and never refused,
   * since leases are bounded; what grants of earlier sessions name costs a client nothing to show
   * again, in each of its sessions, and is refused when there is no room.
   */
  private final Share room;

  private boolean over;

  /**
   * @param former sessions of the same caller
   * @param room for what is kept in all of its sessions
   */
  ReceivedReferences(LearnedEndpoints registries, FormerSessions former, Share room) {
    this.registries = registries;
    this.former = former;
    this.room = room;
  }

  /**
   * A server has handed it out in this session.
   *
   * @return whether it has not, as far as is known, before; false when the session has named it
   *     first
   */
  public boolean add(SeenReference seen) {
    LiveReference reference = seen.reference();
    lock.lock();
    try {
      return !claimed.contains(Key.of(reference, "")) && add(Key.of(reference, seen.factory()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * A server has handed it out in an earlier session, whose agent is about to say it holds it.
   *
   * @return false if the sessions of this caller know of too many already
   */
  public boolean add(EndpointId endpoint, ObjIdentifier object) {
    lock.lock();
    try {
      if (over) {
        return true; // the session has ended: nothing reads this any more
      }
      if (kept.of(object).isEmpty() && !room.take(1)) {
        return false;
      }
      kept.add(object, normal(endpoint));
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void keep(ObjIdentifier object, EndpointId endpoint) {
    if (over) {
      return;
    }
    if (kept.of(object).isEmpty()) {
      room.takeAnyway(1);
    }
    kept.add(object, endpoint);
  }

  private static EndpointId normal(EndpointId endpoint) {
    return new EndpointId(endpoint.host().toLowerCase(Locale.ROOT), endpoint.port());
  }

  /**
   * The session takes a lease of an object: if it was given that it is not forgotten from here on.
   *
   * @param at where its stub is said to be
   * @param isElsewhere as for {@link #hasObject}
   * @return the endpoint at which it was given; empty when it was not
   */
  public Optional<EndpointId> hold(
      ObjIdentifier object, EndpointId at, Predicate<String> isElsewhere) {
    if (EVERY_SERVER_HAS.contains(object)) {
      return Optional.empty(); // such an object is never given to a session
    }
    lock.lock();
    try {
      Optional<EndpointId> said = given(object, normal(at), isElsewhere);
      said.ifPresent(endpoint -> keep(object, endpoint));
      if (said.isPresent()) {
        return said;
      }
    } finally {
      lock.unlock();
    }
    Optional<EndpointId> otherwise =
        registries
            .endpointOf(object)
            .or(() -> former.given(object, normal(at), isElsewhere)); // without our lock
    lock.lock();
    try {
      otherwise.ifPresent(endpoint -> keep(object, endpoint));
    } finally {
      lock.unlock();
    }
    return otherwise;
  }

  /** The agent declares that its JVM holds an object that was not given to this session. */
  public void addStale(ObjIdentifier object) {
    lock.lock();
    try {
      if (stale.size() < MAX_OBJECTS) {
        stale.add(object.toString());
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether it is such a one.
   *
   * @param object as it is shown
   */
  public boolean isStale(String object) {
    lock.lock();
    try {
      return stale.contains(object);
    } finally {
      lock.unlock();
    }
  }

  /** The session has ended: forgets all, and hands over what was held. */
  public KeptObjects handOver() {
    lock.lock();
    try {
      objects.clear();
      endpoints.clear();
      claimed.clear();
      stale.clear();
      KeptObjects held = kept;
      kept = new KeptObjects();
      room.release(held.count());
      over = true;
      return held;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The session holds no lease of it any more. It may be given it again, so it goes last.
   *
   * @param at where its stub is said to be, as for {@link #hold}
   * @return the endpoint at which it was given; empty when it was not held
   */
  public Optional<EndpointId> drop(
      ObjIdentifier object, EndpointId at, Predicate<String> isElsewhere) {
    lock.lock();
    try {
      List<EndpointId> held = kept.of(object);
      Optional<EndpointId> said =
          nearest(held, Set.of(), normal(at), isElsewhere)
              .or(() -> held.size() == 1 ? Optional.of(held.get(0)) : Optional.empty());
      said.ifPresent(
          endpoint -> {
            if (kept.remove(object, endpoint) && kept.of(object).isEmpty()) {
              room.release(1);
            }
            add(Key.of(endpoint.host(), endpoint.port(), object, ""));
          });
      return said;
    } finally {
      lock.unlock();
    }
  }

  /** The endpoint at which a held object was given; empty when none is known. */
  Optional<EndpointId> held(ObjIdentifier object, EndpointId at, Predicate<String> isElsewhere) {
    lock.lock();
    try {
      return nearest(kept.of(object), Set.of(), at, isElsewhere);
    } finally {
      lock.unlock();
    }
  }

  /** Where it was given; at that very endpoint, if it was. */
  private Optional<EndpointId> given(
      ObjIdentifier object, EndpointId at, Predicate<String> isElsewhere) {
    return nearest(kept.of(object), endpoints.getOrDefault(object, Set.of()), at, isElsewhere);
  }

  /** The endpoint of several in stubs that {@code at} means, or may mean. */
  static Optional<EndpointId> nearest(
      List<EndpointId> held, Set<EndpointId> known, EndpointId at, Predicate<String> isElsewhere) {
    if (held.contains(at) || known.contains(at)) {
      return Optional.of(at);
    }
    return Stream.concat(held.stream(), known.stream())
        .filter(said -> mayBeOne(said, at, isElsewhere))
        .findFirst();
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
   * @see #mayClaim
   */
  public boolean claim(SeenReference seen) {
    Key key = Key.of(seen.reference(), "");
    lock.lock();
    try {
      return objects.containsKey(Key.of(seen.reference(), seen.factory()))
          || isHeld(seen)
          || claimed.contains(key)
          || (claimed.size() < MAX_OBJECTS && claimed.add(key));
    } finally {
      lock.unlock();
    }
  }

  /** Whether it may be named, which {@link #claim} has to be told once it goes to a server. */
  public boolean mayClaim(SeenReference seen) {
    lock.lock();
    try {
      return claimed.size() < MAX_OBJECTS
          || claimed.contains(Key.of(seen.reference(), ""))
          || objects.containsKey(Key.of(seen.reference(), seen.factory()))
          || isHeld(seen);
    } finally {
      lock.unlock();
    }
  }

  /** Whether a server that says this only repeats what the session has named. */
  public boolean isClaimed(LiveReference reference) {
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
  public boolean hasObject(ObjIdentifier object, EndpointId at, Predicate<String> isElsewhere) {
    if (LearnedEndpoints.isWellKnown(object)) {
      return true;
    }
    lock.lock();
    try {
      if (given(object, normal(at), isElsewhere).isPresent()) {
        return true;
      }
    } finally {
      lock.unlock();
    }
    return registries
            .endpointOf(object)
            .filter(said -> mayBeOne(said, normal(at), isElsewhere))
            .isPresent()
        || former.given(object, normal(at), isElsewhere).isPresent();
  }

  /** One host has many names, but a stub's is dialled as it is, or as the address it stands for. */
  private static boolean mayBeOne(EndpointId said, EndpointId at, Predicate<String> isElsewhere) {
    return said.port() == at.port()
        && (said.host().equalsIgnoreCase(at.host())
            || AddressLiteral.parse(said.host()).isPresent()
            || AddressLiteral.parse(at.host()).isPresent()
            || isElsewhere.test(said.host())
            || isElsewhere.test(at.host()));
  }

  private boolean isHeld(SeenReference seen) {
    return seen.factory().isEmpty()
        && kept.of(seen.reference().object()).contains(endpoint(seen.reference()));
  }

  private static EndpointId endpoint(LiveReference reference) {
    return normal(new EndpointId(reference.host(), reference.port()));
  }

  /** Whether an object is held that was given at this very endpoint. */
  boolean holds(ObjIdentifier object, EndpointId at) {
    lock.lock();
    try {
      return kept.of(object).contains(at);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a registry or another server has given that object to the session, or to an earlier one
   * of its caller, at that endpoint: a server that is sent the reference connects to there.
   */
  public boolean has(SeenReference seen) {
    lock.lock();
    try {
      if (objects.get(Key.of(seen.reference(), seen.factory())) != null || isHeld(seen)) {
        return true;
      }
    } finally {
      lock.unlock();
    }
    ObjIdentifier object = seen.reference().object();
    EndpointId at = endpoint(seen.reference());
    return seen.factory().isEmpty()
        && (registries.isObjectAt(object, at) || former.held(object, at)); // without our lock
  }

  /** Whether a registry has named the endpoint, with any object. */
  public boolean isNamed(EndpointId endpoint) {
    return !registries.named(endpoint.host(), endpoint.port()).isEmpty();
  }
}
