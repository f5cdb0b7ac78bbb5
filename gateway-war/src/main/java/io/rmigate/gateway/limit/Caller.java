package io.rmigate.gateway.limit;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.LogText;
import java.util.Optional;

/**
 * Whom what is counted is counted for: a principal, wherever it comes from and in whatever session.
 * Who has not logged in shares a name with others, and is told from them by the address.
 *
 * @param from only of those that have not logged in
 */
public record Caller(String name, Principal.Scheme scheme, Optional<AddressOwner> from) {

  /**
   * Who asks.
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

  /** Whom lines of the log count for: who has not logged in is its address. */
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
