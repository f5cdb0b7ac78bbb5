package io.rmigate.gateway.session;

import io.rmigate.gateway.relay.AddressRule;
import java.util.Locale;

/**
 * Where this session has reached a registry: what it hands out may be there too.
 *
 * @param host as policy permits it, which need not be as the agent has named it
 * @param addresses which addresses that name may stand for
 */
record RegistryPlace(String host, AddressRule addresses) {
  RegistryPlace {
    host = host.toLowerCase(Locale.ROOT);
  }

  boolean isAt(String otherHost) {
    return host.equalsIgnoreCase(otherHost);
  }
}
