package io.rmigate.gateway.route;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Objects that a session was given and holds, with the endpoints in their stubs, of which there is
 * mostly one. As many as leases of theirs are taken, or as grants name. Guarded by its owner.
 */
public final class KeptObjects {
  private final Map<ObjIdentifier, List<EndpointId>> endpoints = new HashMap<>();

  int count() {
    return endpoints.size();
  }

  void add(ObjIdentifier object, EndpointId endpoint) {
    List<EndpointId> known = endpoints.get(object);
    if (known == null) {
      endpoints.put(object, List.of(endpoint));
    } else if (!known.contains(endpoint)) {
      List<EndpointId> more = new ArrayList<>(known);
      more.add(endpoint);
      endpoints.put(object, List.copyOf(more));
    }
  }

  /** Returns whether it was there. */
  boolean remove(ObjIdentifier object, EndpointId endpoint) {
    List<EndpointId> known = endpoints.getOrDefault(object, List.of());
    if (!known.contains(endpoint)) {
      return false;
    }
    List<EndpointId> rest = known.stream().filter(each -> !each.equals(endpoint)).toList();
    if (rest.isEmpty()) {
      endpoints.remove(object);
    } else {
      endpoints.put(object, rest);
    }
    return true;
  }

  List<EndpointId> of(ObjIdentifier object) {
    return endpoints.getOrDefault(object, List.of());
  }
}
