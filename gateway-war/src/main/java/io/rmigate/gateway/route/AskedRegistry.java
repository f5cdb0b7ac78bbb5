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

  /** The name and the host of this registry, which a later session needs. */
  public NamedRegistry named() {
    return new NamedRegistry(name, place.host());
  }
}
