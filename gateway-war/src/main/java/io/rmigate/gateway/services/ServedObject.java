package io.rmigate.gateway.services;

import io.rmigate.gateway.bridge.BridgeVisit;
import io.rmigate.soap.call.CallPermission;
import io.rmigate.soap.call.RemoteObject;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Publication;
import java.util.Optional;

/**
 * The object that a request is for: the published one, or the object of a handle. Confined to the
 * thread of the request.
 *
 * @param root address of {@code /services}
 * @param contract of the object, which belongs to the publication
 * @param handle of the object; empty: it is the published one
 */
record ServedObject(
    ServicesAddress root,
    ServicePath place,
    Publication publication,
    Contract contract,
    Optional<HandleTable.Use> handle) {

  /** The address of the published object, without a slash at its end. */
  String base() {
    return root.get() + "/" + place.object().path();
  }

  /** The address of the object itself. */
  String address() {
    return base() + place.handle().map(name -> "/" + name.contract() + "/" + name.id()).orElse("");
  }

  /** The operation at the end of the request's address; empty: the address is the object's. */
  String operation() {
    return place.rest();
  }

  CallPermission permission() {
    return Services.permission(place.object());
  }

  /** The remote object behind it. */
  RemoteObject in(BridgeVisit visit) {
    return handle
        .map(held -> visit.referenced(held.reference()))
        .orElseGet(() -> visit.named(place.object().name()));
  }
}
