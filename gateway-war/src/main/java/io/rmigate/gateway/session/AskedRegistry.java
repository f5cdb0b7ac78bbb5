package io.rmigate.gateway.session;

import io.rmigate.gateway.grant.NamedRegistry;
import io.rmigate.protocol.jrmp.EndpointId;
import java.util.Locale;

/**
 * A registry that has answered a lookup of this session.
 *
 * @param name as the agent names it
 * @param place where that is
 */
record AskedRegistry(EndpointId name, RegistryPlace place) {
  AskedRegistry {
    name = new EndpointId(name.host().toLowerCase(Locale.ROOT), name.port());
  }

  /** What a later session needs to know of it. */
  NamedRegistry named() {
    return new NamedRegistry(name, place.host());
  }
}
