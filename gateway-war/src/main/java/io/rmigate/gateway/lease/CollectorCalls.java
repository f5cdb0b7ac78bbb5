package io.rmigate.gateway.lease;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * The objects that one caller's JVMs hold by calls of the collector that they make themselves, as
 * they do where the gateway holds no leases for them. Servers believe each such call (RMI
 * specification, 8.3), and count without a bound: so JVMs and objects are bounded here, and no
 * caller takes or releases leases in the name of another caller's JVM, or of one that holds
 * nothing. JVMs do not say when they end: those that have been silent for long are forgotten when
 * there is no room for others. Thread-safe; sessions are told outside the lock.
 */
public final class CollectorCalls {
  public static final int MAX_JVMS = 1_000;

  /**
   * Twice the lease that servers grant unless told otherwise, of which half is over when renewed.
   */
  public static final Duration SILENCE = Duration.ofMinutes(20);

  /** The memory of one JVM, in objects. */
  private static final int JVM_WEIGHT = 10;

  /** Most sessions of a JVM, which has one at a time, or one for each address of the gateway. */
  private static final int MAX_SESSIONS = 4;

  /** A session by which JVMs take leases, and which knows what they hold. */
  public interface Session {
    /** None of them holds that object any more. */
    void onDropped(EndpointId at, ObjIdentifier object);
  }

  private record Held(EndpointId endpoint, ObjIdentifier object) {}

  /**
   * Objects that a JVM has released, or held when it was forgotten, and the sessions to be told.
   */
  private record LetGo(Set<Held> held, List<Session> sessions) {}

  private static final class Jvm {
    final Set<Held> held = new HashSet<>();
    long renewedNanos;

    /** The sessions by which the JVM has called last; the JVM may outlive them. */
    private final Deque<WeakReference<Session>> sessions = new ArrayDeque<>(1);

    void calls(Session by) {
      sessions.removeIf(one -> one.refersTo(null) || one.refersTo(by));
      if (sessions.size() == MAX_SESSIONS) {
        sessions.removeFirst();
      }
      sessions.addLast(new WeakReference<>(by));
    }

    List<Session> sessions() {
      return sessions.stream().map(WeakReference::get).filter(Objects::nonNull).toList();
    }
  }

  private final Cache<VmIdentifier, CollectorCalls> owners;
  private final int maxObjects;
  private final Ticker clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** JVMs by VMID, ordered by their latest renewal: the latest comes last. */
  private final Map<VmIdentifier, Jvm> jvms = new LinkedHashMap<>();

  /** Number of JVMs that hold each object. */
  private final Map<Held, Integer> holders = new HashMap<>();

  private int objects;

  /**
   * @param owners whose JVM is whose, of all callers
   * @param maxObjects of all JVMs of this caller together
   */
  public CollectorCalls(Cache<VmIdentifier, CollectorCalls> owners, int maxObjects, Ticker clock) {
    this.owners = owners;
    this.maxObjects = maxObjects;
    this.clock = clock;
  }

  /**
   * Whether a whole Call to the collector may be sent; notes what is held from then on, and tells
   * sessions what is not.
   *
   * @param by the session by which it has come
   * @return why it may not; empty when it may
   */
  public Optional<String> objection(Session by, EndpointId endpoint, byte[] call) {
    List<LetGo> letGo = new ArrayList<>(0);
    Optional<String> objection;
    try {
      DgcCall read = DgcCall.decode(call, 0, call.length).orElseThrow();
      lock.lock();
      try {
        objection =
            read instanceof DgcCall.Dirty dirty
                ? dirty(by, endpoint, dirty, letGo)
                : clean(by, endpoint, (DgcCall.Clean) read, letGo);
      } finally {
        lock.unlock();
      }
    } catch (ProtocolViolationException others) {
      return Optional.of(others.getMessage());
    }
    letGo.forEach(this::tell);
    return objection;
  }

  /** A session that has it taken anew meanwhile may miss that until the JVM renews it. */
  private void tell(LetGo letGo) {
    for (Held one : letGo.held()) {
      if (!isHeld(one.endpoint(), one.object())) { // by another JVM
        letGo.sessions().forEach(session -> session.onDropped(one.endpoint(), one.object()));
      }
    }
  }

  /** Whether one of the JVMs holds that. */
  public boolean isHeld(EndpointId endpoint, ObjIdentifier object) {
    lock.lock();
    try {
      return holders.containsKey(new Held(endpoint, object));
    } finally {
      lock.unlock();
    }
  }

  /** The number of held objects, of all JVMs together. */
  public int objects() {
    lock.lock();
    try {
      return objects;
    } finally {
      lock.unlock();
    }
  }

  /** How much room this takes, where an object that is held takes 1. */
  public int weight() {
    lock.lock();
    try {
      return JVM_WEIGHT * (1 + jvms.size()) + objects;
    } finally {
      lock.unlock();
    }
  }

  private Optional<String> dirty(
      Session by, EndpointId endpoint, DgcCall.Dirty dirty, List<LetGo> letGo) {
    if (dirty.client().isEmpty()) {
      return Optional.of("it does not say which JVM takes a lease");
    }
    VmIdentifier client = dirty.client().get();
    if (owners.get(client, any -> this) != this) {
      return Optional.of("it takes a lease in the name of another caller's JVM, " + client);
    }
    Optional<Jvm> known = Optional.ofNullable(jvms.remove(client)); // to be the last one
    known.ifPresent(
        jvm -> {
          jvm.renewedNanos = clock.read();
          jvms.put(client, jvm);
        });
    Set<Held> more = new HashSet<>();
    for (ObjIdentifier object : dirty.objects()) {
      Held one = new Held(endpoint, object);
      if (known.isEmpty() || !known.get().held.contains(one)) {
        more.add(one);
      }
    }
    Optional<String> tooMuch =
        tooMuch(known, more)
            .flatMap(
                first -> {
                  forgetTheSilent(letGo);
                  return tooMuch(known, more);
                });
    if (tooMuch.isPresent()) {
      if (known.isEmpty()) {
        owners.asMap().remove(client, this);
      }
      return tooMuch;
    }
    Jvm jvm = jvms.computeIfAbsent(client, any -> new Jvm());
    jvm.calls(by);
    jvm.renewedNanos = clock.read();
    more.forEach(one -> take(jvm, one));
    return Optional.empty();
  }

  private void take(Jvm jvm, Held one) {
    if (jvm.held.add(one)) {
      objects++;
      holders.merge(one, 1, Integer::sum);
    }
  }

  private void drop(Jvm jvm, Held one) {
    if (jvm.held.remove(one)) {
      objects--;
      holders.computeIfPresent(one, (same, jvms) -> jvms == 1 ? null : jvms - 1);
    }
  }

  /** The bound that would be exceeded; empty if none. */
  private Optional<String> tooMuch(Optional<Jvm> known, Set<Held> more) {
    if (known.isEmpty() && jvms.size() == MAX_JVMS) {
      return Optional.of("more than " + MAX_JVMS + " JVMs of one caller take leases");
    }
    return objects + more.size() > maxObjects
        ? Optional.of("more than leases.max-objects objects are held")
        : Optional.empty();
  }

  private void forgetTheSilent(List<LetGo> letGo) {
    long now = clock.read();
    Iterator<Map.Entry<VmIdentifier, Jvm>> eldest = jvms.entrySet().iterator();
    while (eldest.hasNext()) {
      Map.Entry<VmIdentifier, Jvm> jvm = eldest.next();
      if (now - jvm.getValue().renewedNanos < SILENCE.toNanos()) {
        return;
      }
      letGo(jvm.getValue(), Set.copyOf(jvm.getValue().held), letGo);
      owners.asMap().remove(jvm.getKey(), this);
      eldest.remove();
    }
  }

  private Optional<String> clean(
      Session by, EndpointId endpoint, DgcCall.Clean clean, List<LetGo> letGo) {
    Jvm jvm = jvms.get(clean.client());
    if (jvm == null) {
      return Optional.of("it lets go what a JVM holds that has taken no lease by this gateway");
    }
    jvm.calls(by);
    Set<Held> objects =
        clean.objects().stream()
            .map(object -> new Held(endpoint, object))
            .collect(Collectors.toSet());
    letGo(jvm, objects, letGo);
    return Optional.empty();
  }

  private void letGo(Jvm jvm, Set<Held> objects, List<LetGo> letGo) {
    objects.forEach(one -> drop(jvm, one));
    letGo.add(new LetGo(objects, jvm.sessions()));
  }
}
