package io.rmigate.gateway.bridge;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;

/** A reference that the gateway holds: an object, at the endpoint that its stubs name. */
record BridgeReference(EndpointId endpoint, ObjIdentifier object) {
  static BridgeReference of(LiveReference reference) {
    return new BridgeReference(
        new EndpointId(reference.host(), reference.port()), reference.object());
  }
}
