package io.rmigate.gateway.route;

import io.rmigate.gateway.grant.NamedRegistry;
import io.rmigate.protocol.jrmp.EndpointId;
import java.util.Locale;

/**
 * A registry that has answered a lookup of this session.
 *
 * @param name as the agent names it
 * @param place where that is
 */
public record AskedRegistry(EndpointId name, RegistryPlace place) {
  public AskedRegistry {
    name = new EndpointId(name.host().toLowerCase(Locale.ROOT), name.port());
  }

  /** What a later session needs to know of it. */
  public NamedRegistry named() {
    return new NamedRegistry(name, place.host());
  }
}
