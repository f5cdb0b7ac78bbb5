package io.rmigate.gateway.services;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.soap.publish.PublishEntry;
import java.util.Set;

/**
 * An entry of {@code publish}: a name in a registry, shown to web-service clients at a path.
 *
 * @param entry path, interface and classes
 * @param name where it is bound
 * @param principals who may call it; {@code "*"} is everybody who is let in
 */
public record PublishedObject(PublishEntry entry, RegistryName name, Set<String> principals) {
  private static final String ANYONE = "*";

  public PublishedObject {
    principals = Set.copyOf(principals);
  }

  /** Below {@code /services/}. */
  public String path() {
    return entry.path();
  }

  /** Whether it exists for this principal. */
  boolean isFor(Principal principal) {
    return principals.contains(ANYONE) || principal.isNamedBy(principals);
  }

  /**
   * Whether the remote object and its interface are the same; principals and methods may differ.
   */
  boolean isSameAs(PublishedObject other) {
    return name.equals(other.name) && entry.interfaceName().equals(other.entry.interfaceName());
  }
}
