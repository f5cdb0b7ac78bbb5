package io.rmigate.gateway.login;

import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;

/**
 * What authorities have revoked, by lists that they have signed. One that is out of date counts
 * still: who is on it does not come off it. Immutable.
 */
final class RevokedCertificates {
  static final RevokedCertificates NONE = new RevokedCertificates(List.of(), List.of());

  private final List<X509CRL> lists;
  private final List<X509Certificate> authorities;

  /**
   * @param authorities that are trusted; those between them and a client are in its chain
   */
  RevokedCertificates(List<X509CRL> lists, List<X509Certificate> authorities) {
    this.lists = List.copyOf(lists);
    this.authorities = List.copyOf(authorities);
  }

  /** Whether one of these is revoked. */
  boolean haveAnyOf(List<X509Certificate> chain) {
    return chain.stream()
        .anyMatch(
            certificate ->
                lists.stream()
                    .anyMatch(list -> list.isRevoked(certificate) && isSigned(list, chain)));
  }

  private boolean isSigned(X509CRL list, List<X509Certificate> chain) {
    return Stream.concat(authorities.stream(), chain.stream())
        .filter(
            authority -> authority.getSubjectX500Principal().equals(list.getIssuerX500Principal()))
        .anyMatch(authority -> isSignedBy(list, authority));
  }

  private static boolean isSignedBy(X509CRL list, X509Certificate authority) {
    try {
      list.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException another) {
      return false;
    }
  }
}
