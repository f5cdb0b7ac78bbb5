package io.rmigate.gateway.session;

import io.rmigate.gateway.route.AskedRegistry;
import io.rmigate.gateway.route.RegistryPlace;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An endpoint that a session has learnt, or an object at one that several servers call themselves
 * by, and what is known of its grant. Guarded by the lock of {@link SessionGrants}.
 */
final class KnownEndpoint {
  private static final int MAX_REGISTRIES = 16;

  final EndpointId endpoint;
  final Optional<ObjIdentifier> object;

  /** The registries that have named it, the latest last. */
  final List<AskedRegistry> registries = new ArrayList<>(1);

  /** Whether the agent has a grant of it, as far as it has kept that, or has it soon. */
  boolean granted;

  /** Whether the grant waits until it is needed, or {@link SessionGrants#PATIENCE} is over. */
  boolean postponed;

  long patientUntilNanos;

  /** When the grant is to be replaced. */
  long renewNanos;

  KnownEndpoint(EndpointId endpoint, Optional<ObjIdentifier> object, long nowNanos) {
    this.endpoint = endpoint;
    this.object = object;
    this.patientUntilNanos = nowNanos + SessionGrants.PATIENCE.toNanos();
  }

  boolean add(AskedRegistry registry) {
    if (registries.contains(registry)) {
      return false;
    }
    if (registries.size() == MAX_REGISTRIES) {
      registries.remove(0);
    }
    return registries.add(registry);
  }

  List<RegistryPlace> places() {
    return registries.stream().map(AskedRegistry::place).toList();
  }

  boolean isInSeveralPlaces() {
    return registries.stream().map(registry -> registry.place().host()).distinct().count() > 1;
  }

  /** By what an endpoint, or an object there, is found: names of hosts have no case. */
  record Subject(EndpointId endpoint, Optional<ObjIdentifier> object) {
    static Subject of(EndpointId endpoint, Optional<ObjIdentifier> object) {
      return new Subject(
          new EndpointId(endpoint.host().toLowerCase(Locale.ROOT), endpoint.port()), object);
    }
  }

  /**
   * An empty map with at most {@code max} entries; a further one evicts the least recently used.
   */
  static Map<Subject, KnownEndpoint> bounded(int max) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<Subject, KnownEndpoint> eldest) {
        return size() > max;
      }
    };
  }
}
