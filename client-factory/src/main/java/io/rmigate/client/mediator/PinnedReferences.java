package io.rmigate.client.mediator;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.UniqueIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * References that a server has just returned and still keeps alive by itself: from their Return to
 * its DgcAck, or for five minutes ({@code sun.rmi.dgc.ackTimeout}). For the strict mode.
 *
 * <p>Forgetting one too early costs a round trip, one too late a reference; so two Returns with one
 * UID count as one, and each is forgotten before its server does. Bounded: the oldest go first. One
 * Return has no more references than are looked for in it. Guarded by the lock of {@link Leases}.
 */
final class PinnedReferences {
  /** References of all Returns together. */
  static final int MAX = 10_000;

  /** A minute of the five may have gone by on the way. */
  static final Duration LASTS = Duration.ofMinutes(4);

  private record Reference(EndpointId endpoint, ObjIdentifier object) {}

  private static final class Returned {
    private final long sinceNanos;
    private final Set<Reference> references = new HashSet<>();

    Returned(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  /** The oldest first. */
  private final Map<UniqueIdentifier, Returned> byUid = new LinkedHashMap<>();

  /** How many Returns pin each. */
  private final Map<Reference, Integer> pins = new HashMap<>();

  private int size;

  /** A Return with this UID carries the reference. */
  void add(UniqueIdentifier uid, LiveReference pinned, long nowNanos) {
    forgetOld(nowNanos);
    Returned returned = byUid.computeIfAbsent(uid, first -> new Returned(nowNanos));
    Reference reference =
        new Reference(new EndpointId(pinned.host(), pinned.port()), pinned.object());
    if (returned.references.add(reference)) {
      pins.merge(reference, 1, Integer::sum);
      size++;
    }
    while (size > MAX && byUid.size() > 1) {
      forget(oldest().getKey());
    }
  }

  /** The JVM acknowledges the Return: its server keeps nothing alive for it any more. */
  void forget(UniqueIdentifier uid) {
    Returned returned = byUid.remove(uid);
    if (returned != null) {
      size -= returned.references.size();
      for (Reference reference : returned.references) {
        pins.computeIfPresent(reference, (same, count) -> count == 1 ? null : count - 1);
      }
    }
  }

  /** Whether all of these are pinned. */
  boolean contain(EndpointId endpoint, Collection<ObjIdentifier> objects, long nowNanos) {
    forgetOld(nowNanos);
    return objects.stream().allMatch(object -> pins.containsKey(new Reference(endpoint, object)));
  }

  private void forgetOld(long nowNanos) {
    while (!byUid.isEmpty() && nowNanos - oldest().getValue().sinceNanos > LASTS.toNanos()) {
      forget(oldest().getKey());
    }
  }

  private Map.Entry<UniqueIdentifier, Returned> oldest() {
    return byUid.entrySet().iterator().next();
  }
}
