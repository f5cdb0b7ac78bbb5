package io.rmigate.gateway.login;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The ways to log in; at least one is on.
 *
 * @param anonymous whether clients without a credential are let in
 * @param usersFile names and hashes of passwords
 * @param bearer what tokens must satisfy
 * @param clientCertificate whether client certificates are taken
 * @param container whether the servlet container's logins are taken
 */
public record LoginSettings(
    boolean anonymous,
    Optional<Path> usersFile,
    Optional<Bearer> bearer,
    boolean clientCertificate,
    boolean container) {

  /**
   * What a JSON Web Token must satisfy.
   *
   * @param jwks {@code file:} or {@code https:}; empty: where the issuer's own metadata says
   * @param groupsClaim the claim that holds the names of the principal's groups
   * @param algorithms JWS names, never symmetric ones
   */
  public record Bearer(
      Optional<URI> jwks,
      String issuer,
      String audience,
      String principalClaim,
      String groupsClaim,
      Set<String> algorithms) {
    public Bearer {
      algorithms = Set.copyOf(algorithms);
    }
  }
}
