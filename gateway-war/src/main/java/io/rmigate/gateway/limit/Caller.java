package io.rmigate.gateway.limit;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.LogText;
import java.util.Optional;

/**
 * The owner of a quota: a principal, at any address and in any session. Callers that have not
 * logged in share a name; their addresses distinguish them.
 *
 * @param from the address, of a caller that has not logged in
 */
public record Caller(String name, Principal.Scheme scheme, Optional<AddressOwner> from) {

  /**
   * The caller behind a connection.
   *
   * @param peer {@code address:port} of its connection
   */
  public static Caller of(Principal principal, String peer) {
    boolean named =
        principal.scheme() != Principal.Scheme.ANONYMOUS
            && principal.scheme() != Principal.Scheme.CONFIGURED;
    return new Caller(
        principal.name(),
        principal.scheme(),
        named ? Optional.empty() : PeerAddress.of(peer).map(AddressOwner::of));
  }

  /** The owner of a log line's quota: the address of a caller that has not logged in. */
  public Object toldAs() {
    return from.isPresent() ? from.get() : this;
  }

  /** Fit for a log. */
  @Override
  public String toString() {
    String printed = LogText.of(name);
    return from.map(owner -> printed + " at " + owner).orElse(printed);
  }
}
