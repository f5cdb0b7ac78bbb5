package io.rmigate.gateway.lookup;

import io.rmigate.gateway.lease.LeaseRoutes;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.lease.SessionLeases;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Leased;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One registry of which names are watched, and the gateway's own leases on what it has handed out:
 * under a VMID of their own, so that no session's end concerns them. Guarded by the lock of {@link
 * RegistryWatch}.
 */
final class WatchedRegistry {
  private final Target target;
  private final EndpointId endpoint;
  private final SessionLeases leases;
  private final Map<String, WatchedName> names = new HashMap<>();

  /** An object that is handed out, and the need for a lease on it. */
  private static final class Need {
    /** The bindings that need it, and what each was told of. */
    private final Map<WatchedBinding, WatchedName> bindings = new LinkedHashMap<>();

    /** Number of the DIRTY; 0 before there is one. */
    private long number;
  }

  private final Map<WatchedBinding.Held, Need> held = new HashMap<>();

  /** Dirty calls without an answer, by their number. */
  private final Map<Long, WatchedBinding.Held> asked = new HashMap<>();

  private long lastNumber;

  /**
   * @param routes to what this registry names; asked under locks
   * @param answers how dirties went, by number; perhaps called within {@link #hold}
   */
  WatchedRegistry(Target target, Leases leases, LeaseRoutes routes, Consumer<Leased> answers) {
    this.target = target;
    this.endpoint = new EndpointId(target.host(), target.port());
    this.leases = leases.open("lookups at " + target, routes, answers);
  }

  Target target() {
    return target;
  }

  /** Whether a target has the host and port of this registry. */
  boolean isAt(Target other) {
    return other.port() == target.port() && other.host().equalsIgnoreCase(target.host());
  }

  Map<String, WatchedName> names() {
    return names;
  }

  /** Whether nothing is watched here, and nothing kept that was. */
  boolean isUnneeded() {
    return names.isEmpty() && held.isEmpty();
  }

  /**
   * Leases on all objects of a binding. How that went may be known before this returns, and the
   * binding be released by then.
   */
  void hold(WatchedName name, WatchedBinding binding) {
    for (WatchedBinding.Held object : binding.objects()) {
      held.computeIfAbsent(object, first -> new Need()).bindings.put(binding, name);
    }
    for (WatchedBinding.Held object : binding.objects()) {
      Need need = held.get(object);
      if (need != null && need.number == 0) {
        need.number = ++lastNumber;
        asked.put(need.number, object);
        leases.dirty(new Dirty(need.number, object.endpoint(), List.of(object.object())));
      }
    }
  }

  /**
   * The bindings that need the object of a dirty that is answered now, and the names that had them;
   * a copy. None when no binding needs it any more.
   */
  Map<WatchedBinding, WatchedName> answered(long number) {
    WatchedBinding.Held object = asked.remove(number);
    return object == null ? Map.of() : new LinkedHashMap<>(held.get(object).bindings);
  }

  void release(WatchedBinding binding) {
    for (WatchedBinding.Held object : binding.objects()) {
      Need need = held.get(object);
      if (need != null && need.bindings.remove(binding) != null && need.bindings.isEmpty()) {
        held.remove(object);
        if (need.number > 0) {
          asked.remove(need.number);
          leases.clean(new Clean(object.endpoint(), List.of(object.object())));
        }
      }
    }
  }

  /** Tells the registry that what it returned is registered, once the leases above are in place. */
  void acknowledge(byte[] message) {
    ReturnHeader.decode(message, 0, message.length)
        .ifPresent(header -> leases.acknowledge(new DgcAck(endpoint, header.acknowledge())));
  }

  /** Ends the watch of this registry and releases its leases. */
  void end() {
    leases.release();
  }
}
