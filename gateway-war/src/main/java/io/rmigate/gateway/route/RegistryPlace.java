package io.rmigate.gateway.route;

import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.protocol.jrmp.EndpointId;
import java.util.Locale;
import java.util.Optional;

/**
 * Where this session has reached a registry: what it hands out may be there too.
 *
 * @param asked the registry, as the agent has named it; empty for another server
 * @param host as policy permits it, which need not be as the agent has named it
 * @param addresses which addresses that name may stand for
 */
public record RegistryPlace(Optional<EndpointId> asked, String host, AddressRule addresses) {
  public RegistryPlace {
    host = host.toLowerCase(Locale.ROOT);
    asked = asked.map(name -> new EndpointId(name.host().toLowerCase(Locale.ROOT), name.port()));
  }

  /** The place of a server that is no registry, or of which that is unknown. */
  public RegistryPlace(String host, AddressRule addresses) {
    this(Optional.empty(), host, addresses);
  }

  /** The place of a registry. */
  public RegistryPlace(EndpointId asked, String host, AddressRule addresses) {
    this(Optional.of(asked), host, addresses);
  }

  /** The place of all registries there. */
  public RegistryPlace where() {
    return new RegistryPlace(host, addresses);
  }

  boolean isAt(String otherHost) {
    return host.equalsIgnoreCase(otherHost);
  }
}
