package io.rmigate.gateway.session;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Selects the objects that the next session is granted: those that the agent's JVM keeps. An object
 * is granted once a lease of it has been held for a while, with all others at its endpoint that
 * have been held for at least half of that; what comes and goes costs nothing.
 *
 * <p>Bounded by the leases of a session, and by what one session is shown.
 *
 * <p>Threads: leases are taken under locks of theirs; {@link SessionGrants} seals under its own.
 * {@code lock} guards everything.
 */
final class ObjectGrants {
  /**
   * So long an object has to be held: a client that looks up, calls and goes is spared the bytes.
   * When the gateway is killed before, the next one refuses that object until it is given anew.
   */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /**
   * Most objects of shown grants that are remembered; others that are declared are sealed again.
   */
  private static final int MAX_SHOWN = 200_000;

  /** Seals. */
  interface Sealing {
    /** Whether a session has to show that it was given objects there. */
    boolean isNeeded(EndpointId endpoint);

    /** Empty when that cannot be sealed. */
    Optional<Grant> seal(EndpointId endpoint, List<ObjIdentifier> objects);

    Duration lifetime();
  }

  private record Held(EndpointId endpoint, ObjIdentifier object) {
    static Held of(EndpointId endpoint, ObjIdentifier object) {
      return new Held(
          new EndpointId(endpoint.host().toLowerCase(Locale.ROOT), endpoint.port()), object);
    }
  }

  /** A grant, with those of its objects that are held. */
  private static final class Batch {
    final Set<Held> objects = new LinkedHashSet<>();
    long renewNanos;

    Batch(long renewNanos) {
      this.renewNanos = renewNanos;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();

  /** Objects without a grant, with the time since when they are held; the eldest first. */
  private final Map<Held, Long> waiting = new LinkedHashMap<>();

  /** Held objects for which policy needs no grant. */
  private final Set<Held> unneeded = new HashSet<>();

  private final Map<Held, Batch> granted = new HashMap<>();
  private final Set<Batch> batches = new LinkedHashSet<>();

  /** Shown, and not declared. */
  private final Map<Held, Batch> shown = new HashMap<>();

  /** The clock of the session, as {@link System#nanoTime}. */
  private final LongSupplier nanoTime;

  /** Time before which no batch is due. */
  private long dueNanos;

  /**
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  ObjectGrants(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.dueNanos = nanoTime.getAsLong() + Duration.ofDays(1).toNanos();
  }

  /** A lease is taken of an object that the session was given. May be told more than once. */
  void held(EndpointId endpoint, ObjIdentifier object) {
    Held one = Held.of(endpoint, object);
    lock.lock();
    try {
      Batch earlier = shown.remove(one);
      if (earlier != null) {
        grant(one, earlier);
      } else if (!granted.containsKey(one) && !unneeded.contains(one)) {
        waiting.putIfAbsent(one, nanoTime.getAsLong());
      }
    } finally {
      lock.unlock();
    }
  }

  private void grant(Held one, Batch batch) {
    granted.put(one, batch);
    batch.objects.add(one);
    batches.add(batch);
    if (batch.renewNanos - dueNanos < 0) {
      dueNanos = batch.renewNanos;
    }
  }

  /** Forgets an object on which no lease is held any more. */
  void dropped(EndpointId endpoint, ObjIdentifier object) {
    Held one = Held.of(endpoint, object);
    lock.lock();
    try {
      waiting.remove(one);
      unneeded.remove(one);
      Batch batch = granted.remove(one);
      if (batch != null) {
        batch.objects.remove(one);
        if (batch.objects.isEmpty()) {
          batches.remove(batch);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The agent has shown a grant of these, which is to be replaced then, if it holds any. */
  void shown(EndpointId endpoint, List<ObjIdentifier> objects, long renewNanos) {
    lock.lock();
    try {
      Batch batch = new Batch(renewNanos);
      for (ObjIdentifier object : objects) {
        if (shown.size() < MAX_SHOWN) {
          shown.put(Held.of(endpoint, object), batch);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Policy is another one: what was not needed may be. */
  void reconsider() {
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      unneeded.forEach(one -> waiting.put(one, now));
      unneeded.clear();
    } finally {
      lock.unlock();
    }
  }

  /** The key is another one: all that is granted is due. */
  void sealAnew() {
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      batches.forEach(batch -> batch.renewNanos = now);
      dueNanos = now;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Seals the objects that were held for long enough, and renews what is due.
   *
   * @param atMost number of grants; further ones come the next time
   * @param leaving nothing waits
   */
  List<Grant> seal(Sealing sealing, long nowNanos, int atMost, boolean leaving) {
    lock.lock();
    try {
      takeApartWhatIsDue(nowNanos);
      List<Grant> sealed = new ArrayList<>(0);
      Map<EndpointId, List<Held>> ready = ready(sealing, nowNanos, leaving);
      for (Map.Entry<EndpointId, List<Held>> at : ready.entrySet()) {
        List<Held> all = at.getValue();
        for (int i = 0; i < all.size() && sealed.size() < atMost; i += Grant.MAX_OBJECTS) {
          List<Held> some = all.subList(i, Math.min(all.size(), i + Grant.MAX_OBJECTS));
          some.forEach(waiting::remove);
          Optional<Grant> grant =
              sealing.seal(at.getKey(), some.stream().map(Held::object).toList());
          if (grant.isPresent()) {
            Batch batch = new Batch(nowNanos + sealing.lifetime().dividedBy(2).toNanos());
            some.forEach(one -> grant(one, batch));
            sealed.add(grant.get());
          }
        }
      }
      return sealed;
    } finally {
      lock.unlock();
    }
  }

  /** So that the next grant is of those only that are still held. */
  private void takeApartWhatIsDue(long nowNanos) {
    if (dueNanos - nowNanos > 0) {
      return;
    }
    long next = nowNanos + Duration.ofDays(1).toNanos();
    long longAgo = nowNanos - PATIENCE.toNanos();
    Map<Held, Long> all = new LinkedHashMap<>();
    for (Iterator<Batch> each = batches.iterator(); each.hasNext(); ) {
      Batch batch = each.next();
      if (batch.renewNanos - nowNanos <= 0) {
        each.remove();
        for (Held one : batch.objects) {
          granted.remove(one);
          all.put(one, longAgo);
        }
      } else if (batch.renewNanos - next < 0) {
        next = batch.renewNanos;
      }
    }
    dueNanos = next;
    all.putAll(waiting); // the eldest stay first
    waiting.clear();
    waiting.putAll(all);
  }

  /** The objects to grant now, by endpoint. Objects that need no grant are put aside. */
  private Map<EndpointId, List<Held>> ready(Sealing sealing, long nowNanos, boolean leaving) {
    long patience = leaving ? 0 : PATIENCE.toNanos();
    Map<EndpointId, List<Held>> ready = new LinkedHashMap<>();
    Set<EndpointId> due = new HashSet<>();
    Map<EndpointId, Boolean> needed = new HashMap<>();
    for (Iterator<Map.Entry<Held, Long>> each = waiting.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Held, Long> entry = each.next();
      long heldNanos = nowNanos - entry.getValue();
      if (heldNanos < patience / 2 || (heldNanos < patience && due.isEmpty())) {
        break;
      }
      Held one = entry.getKey();
      if (needed.computeIfAbsent(one.endpoint(), sealing::isNeeded)) {
        ready.computeIfAbsent(one.endpoint(), at -> new ArrayList<>()).add(one);
        if (heldNanos >= patience) {
          due.add(one.endpoint());
        }
      } else {
        each.remove();
        unneeded.add(one);
      }
    }
    ready.keySet().retainAll(due);
    return ready;
  }
}
