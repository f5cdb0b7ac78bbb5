package io.rmigate.client.mediator;

import io.rmigate.client.mediator.HeldReferences.Keeper;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The JVMs whose garbage collection is answered here, and what each of them holds: one, where this
 * is an agent within it; any number, where it is a sidecar. A reference is declared to the gateway
 * while at least one of them holds it, so that what one drops, or its death, takes nothing from the
 * others. Each has an identity in its dirty and clean calls, and sequence numbers of its own.
 *
 * <p>They share one session at the gateway. Only dirty and clean calls carry an identity. A socket
 * with other calls does not show its JVM, so it cannot be assigned to a session of that JVM alone.
 * This class keeps which JVM holds which reference.
 *
 * <p>A JVM that dies says nothing. Where there may be several, one that has not renewed its lease
 * in time is taken to be dead, as RMI servers do it.
 *
 * <p>Guarded by the lock of {@link Leases}.
 */
final class ClientJvms {
  /** More JVMs do not share a sidecar; identities can be made up. */
  static final int MOST_JVMS = 1000;

  private static final class Jvm {
    private final HeldReferences held = new HeldReferences();
    private long renewedNanos;
  }

  private final Map<VmIdentifier, Jvm> jvms = new LinkedHashMap<>();

  /** Whether this JVM has called and has not been given up since. */
  boolean know(VmIdentifier vm) {
    return jvms.containsKey(vm);
  }

  /** Whether there is no room for another JVM. */
  boolean areTooMany() {
    return jvms.size() >= MOST_JVMS;
  }

  /** The keeper of a JVM's lease at an endpoint; empty when the JVM holds nothing there. */
  Optional<Keeper> keeper(VmIdentifier vm, EndpointId endpoint) {
    Jvm jvm = jvms.get(vm);
    return jvm == null ? Optional.empty() : jvm.held.keeper(endpoint);
  }

  /** Whether any JVM holds an object at the endpoint. */
  boolean holdSomethingAt(EndpointId endpoint) {
    for (Jvm jvm : jvms.values()) {
      if (jvm.held.keeper(endpoint).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** See {@link HeldReferences#dirty}. */
  List<ObjIdentifier> dirty(
      VmIdentifier vm,
      EndpointId endpoint,
      Keeper first,
      List<ObjIdentifier> objects,
      long sequence,
      long now) {
    Jvm jvm = jvm(vm);
    jvm.renewedNanos = now;
    return jvm.held.dirty(endpoint, first, objects, sequence);
  }

  /**
   * See {@link HeldReferences#clean}; returns the objects that no JVM holds any more.
   *
   * @param now a JVM that cleans lives
   */
  List<ObjIdentifier> clean(
      VmIdentifier vm,
      EndpointId endpoint,
      List<ObjIdentifier> objects,
      long sequence,
      boolean strong,
      long now) {
    Jvm jvm = jvm(vm);
    jvm.renewedNanos = now;
    List<ObjIdentifier> dropped = jvm.held.clean(endpoint, objects, sequence, strong);
    return jvms.size() == 1 ? dropped : heldByNobody(endpoint, dropped);
  }

  private Jvm jvm(VmIdentifier vm) {
    Jvm known = jvms.get(vm);
    if (known != null) {
      return known;
    }
    Jvm added = new Jvm();
    jvms.put(vm, added);
    return added;
  }

  private List<ObjIdentifier> heldByNobody(EndpointId endpoint, List<ObjIdentifier> dropped) {
    List<ObjIdentifier> free = new ArrayList<>(dropped);
    free.removeIf(
        object ->
            jvms.values().stream().anyMatch(jvm -> jvm.held.isKeptByGateway(endpoint, object)));
    return free;
  }

  /**
   * Drops the JVMs that have been silent for too long.
   *
   * @return the objects that no JVM holds any more
   */
  Map<EndpointId, List<ObjIdentifier>> giveUp(long now, Duration silence) {
    Map<EndpointId, List<ObjIdentifier>> free = new LinkedHashMap<>();
    List<HeldReferences> dead = new ArrayList<>();
    for (Iterator<Jvm> each = jvms.values().iterator(); each.hasNext(); ) {
      Jvm jvm = each.next();
      if (now - jvm.renewedNanos > silence.toNanos()) {
        each.remove();
        dead.add(jvm.held);
      }
    }
    for (HeldReferences held : dead) {
      held.allKeptByGateway()
          .forEach(
              (endpoint, objects) -> {
                Set<ObjIdentifier> all =
                    new LinkedHashSet<>(free.getOrDefault(endpoint, List.of()));
                all.addAll(heldByNobody(endpoint, objects));
                free.put(endpoint, List.copyOf(all));
              });
    }
    free.values().removeIf(List::isEmpty);
    return free;
  }

  /**
   * The number of references on which a gateway keeps leases, counted for each JVM that holds one.
   */
  int keptByGateway() {
    int kept = 0;
    for (Jvm jvm : jvms.values()) {
      kept += jvm.held.keptByGateway();
    }
    return kept;
  }

  /** The objects that the JVMs hold, by endpoint. */
  Map<EndpointId, Set<ObjIdentifier>> all() {
    Map<EndpointId, Set<ObjIdentifier>> all = new HashMap<>();
    for (Jvm jvm : jvms.values()) {
      jvm.held
          .all()
          .forEach(
              (endpoint, objects) ->
                  all.computeIfAbsent(endpoint, added -> new HashSet<>()).addAll(objects));
    }
    return all;
  }

  /** The objects on which a gateway keeps leases, by endpoint, each object once. */
  Map<EndpointId, List<ObjIdentifier>> allKeptByGateway() {
    Map<EndpointId, Set<ObjIdentifier>> all = new LinkedHashMap<>();
    for (Jvm jvm : jvms.values()) {
      Map<EndpointId, List<ObjIdentifier>> own = jvm.held.allKeptByGateway();
      if (!own.isEmpty()) {
        own.forEach(
            (endpoint, objects) ->
                all.computeIfAbsent(endpoint, added -> new LinkedHashSet<>()).addAll(objects));
      }
    }
    Map<EndpointId, List<ObjIdentifier>> lists = new LinkedHashMap<>();
    for (Map.Entry<EndpointId, Set<ObjIdentifier>> each : all.entrySet()) {
      lists.put(each.getKey(), List.copyOf(each.getValue()));
    }
    return lists;
  }
}
