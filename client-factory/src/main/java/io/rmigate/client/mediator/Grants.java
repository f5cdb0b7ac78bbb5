package io.rmigate.client.mediator;

import io.rmigate.client.link.Link;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Grant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps what the gateway has sealed of what a session has learnt, and begins the next session with
 * it (PROTOCOL.md, section 12): without it a new session, or another gateway, would refuse to hold
 * what this JVM has held for hours.
 *
 * <p>What is sealed is not looked at. A grant comes before its reference is registered, so it is
 * kept for a while in any case; later only as long as what it is about may be held: something at
 * its endpoint, or one of those very objects that no later grant is about.
 *
 * <p>Thread-safe. {@code lock} guards all fields; no I/O and no foreign code runs under it.
 */
final class Grants {
  static final int MAX_GRANTS = 2048;

  /**
   * The bound of all grants together, in estimated bytes: enough for as many objects as a gateway
   * as shipped holds for a session, while each object is in two grants, the old one and its
   * replacement.
   */
  static final int MAX_BYTES = 10 * 1024 * 1024;

  /** A grant is kept for this time after it has come, because its Return is still under way. */
  static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Estimated memory of a grant beside its sealed bytes, host and objects, in bytes. */
  private static final int OVERHEAD_BYTES = 150;

  /** Estimated memory of one object of a grant, in bytes. */
  private static final int OBJECT_BYTES = 44;

  /** When the grants of held references alone exceed a limit, this percentage of it stays. */
  private static final int CUT_PERCENT = 94;

  private record Subject(EndpointId endpoint, List<ObjIdentifier> objects) {}

  private record Kept(Grant grant, long sinceNanos) {
    int weight() {
      return grant.sealed().length
          + grant.endpoint().host().length()
          + OBJECT_BYTES * grant.objects().size()
          + OVERHEAD_BYTES;
    }
  }

  private final Supplier<Optional<Map<EndpointId, Set<ObjIdentifier>>>> held;
  private final LongSupplier nanoTime;

  private final ReentrantLock lock = new ReentrantLock();

  /** The latest is the last. */
  private final LinkedHashMap<Subject, Kept> kept = new LinkedHashMap<>();

  private int bytes;

  /**
   * @param held what the JVM holds, by endpoints as stubs name them; empty when that is not known
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  Grants(Supplier<Optional<Map<EndpointId, Set<ObjIdentifier>>>> held, LongSupplier nanoTime) {
    this.held = held;
    this.nanoTime = nanoTime;
  }

  /** The gateway has sealed something; on the thread that reads the link. */
  void keep(Grant grant) {
    Subject subject = new Subject(key(grant.endpoint()), grant.objects());
    lock.lock();
    try {
      remove(subject);
      Kept latest = new Kept(grant, nanoTime.getAsLong());
      kept.put(subject, latest);
      bytes += latest.weight();
      if (kept.size() <= MAX_GRANTS && bytes <= MAX_BYTES) {
        return;
      }
    } finally {
      lock.unlock();
    }
    dropUnneeded();
  }

  private void remove(Subject subject) {
    Kept before = kept.remove(subject);
    bytes -= before == null ? 0 : before.weight();
  }

  /**
   * Forgets what has been kept for a while and is not held. Where that makes too little room, the
   * eldest go: first what is not held as yet, more of it than need be, so that this is rare.
   */
  private void dropUnneeded() {
    Optional<Map<EndpointId, Set<ObjIdentifier>>> known = held.get(); // asked without the lock
    Map<EndpointId, Set<ObjIdentifier>> holding = known.isPresent() ? byKey(known.get()) : Map.of();
    long now = nanoTime.getAsLong();
    lock.lock();
    try {
      Set<Kept> needed = needed(holding);
      if (known.isPresent()) {
        drop((subject, grant) -> !needed.contains(grant) && now - grant.sinceNanos() > FRESH_NANOS);
      }
      if (isMoreThan(100)) {
        drop((subject, grant) -> !needed.contains(grant) && isMoreThan(75));
      }
      if (isMoreThan(100)) {
        drop((subject, grant) -> isMoreThan(CUT_PERCENT));
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Grants that concern held objects. A grant of several objects is left out when later grants of
   * several objects name every held object of it.
   */
  private Set<Kept> needed(Map<EndpointId, Set<ObjIdentifier>> holding) {
    Set<Kept> needed = Collections.newSetFromMap(new IdentityHashMap<>());
    Map<EndpointId, Set<ObjIdentifier>> named = new HashMap<>();
    List<Map.Entry<Subject, Kept>> latestFirst = new ArrayList<>(kept.entrySet());
    Collections.reverse(latestFirst);
    for (Map.Entry<Subject, Kept> each : latestFirst) {
      Subject subject = each.getKey();
      Set<ObjIdentifier> held = holding.get(subject.endpoint());
      if (held == null) {
        continue;
      }
      boolean isNeeded = subject.objects().size() < 2; // these may say where they are, too
      Set<ObjIdentifier> seen = named.computeIfAbsent(subject.endpoint(), at -> new HashSet<>());
      if (isNeeded) {
        isNeeded = held.containsAll(subject.objects());
      } else {
        for (ObjIdentifier object : subject.objects()) {
          isNeeded |= held.contains(object) && seen.add(object);
        }
      }
      if (isNeeded) {
        needed.add(each.getValue());
      }
    }
    return needed;
  }

  private boolean isMoreThan(int percent) {
    return kept.size() > MAX_GRANTS * percent / 100 || bytes > MAX_BYTES / 100 * percent;
  }

  /** Asks about each, the eldest first, once those before it have been dropped or not. */
  private void drop(BiPredicate<Subject, Kept> which) {
    for (Map.Entry<Subject, Kept> each : List.copyOf(kept.entrySet())) {
      if (which.test(each.getKey(), each.getValue())) {
        remove(each.getKey());
      }
    }
  }

  /**
   * Sends the grants that are still needed on a new link, which no other thread uses yet. Blocks
   * while the transport is behind.
   *
   * @throws IOException the link has ended
   */
  void show(Link link) throws IOException {
    if (!link.takes(Feature.GRANTS)) {
      return;
    }
    if (all().isEmpty()) {
      return;
    }
    dropUnneeded();
    for (Grant grant : all()) {
      link.tell(grant);
    }
  }

  /** All kept grants, the oldest first. */
  List<Grant> all() {
    lock.lock();
    try {
      List<Grant> grants = new ArrayList<>(kept.size());
      for (Kept each : kept.values()) {
        grants.add(each.grant());
      }
      return grants;
    } finally {
      lock.unlock();
    }
  }

  /** Two spellings of a host are one endpoint, with the objects of both. */
  private static Map<EndpointId, Set<ObjIdentifier>> byKey(
      Map<EndpointId, Set<ObjIdentifier>> named) {
    Map<EndpointId, Set<ObjIdentifier>> all = new HashMap<>();
    named.forEach(
        (endpoint, objects) ->
            all.merge(
                key(endpoint),
                objects,
                (some, others) -> {
                  Set<ObjIdentifier> both = new HashSet<>(some);
                  both.addAll(others);
                  return both;
                }));
    return all;
  }

  /** Hosts are the same in small and capital letters. */
  private static EndpointId key(EndpointId endpoint) {
    return new EndpointId(endpoint.host().toLowerCase(Locale.ROOT), endpoint.port());
  }
}
