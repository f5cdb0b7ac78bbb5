package io.rmigate.gateway.standalone;

import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.tls.KeyStores;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lists of {@code tls.crl-file}, in which each certificate of a client's chain is looked up
 * (RFC 5280, section 6.3). Nothing is fetched from anywhere. One whose issuer has no list there, or
 * only one that is out of date, is refused: who keeps lists from coming must not make revoked
 * certificates good. Immutable.
 */
final class RevocationLists {
  private static final Logger log = LoggerFactory.getLogger(RevocationLists.class);

  private final PKIXBuilderParameters parameters;

  private RevocationLists(PKIXBuilderParameters parameters) {
    this.parameters = parameters;
  }

  /**
   * Reads them, in PEM or DER.
   *
   * @param authorities whose clients are let in, from the file {@code truststore}
   */
  static RevocationLists read(Path file, KeyStore authorities, Path truststore)
      throws ConfigException {
    List<X509CRL> lists = KeyStores.revocationLists(file);
    PKIXBuilderParameters parameters = parameters(authorities, truststore);
    for (TrustAnchor anchor : parameters.getTrustAnchors()) {
      X509Certificate authority = anchor.getTrustedCert();
      if (authority.getBasicConstraints() < 0) {
        // What is trusted itself is looked up nowhere.
        throw new ConfigException(
            truststore.toString(),
            "tls.truststore",
            "holds "
                + authority.getSubjectX500Principal()
                + ", which is no authority; with tls.crl-file only authorities may be in it, for"
                + " what is trusted itself is on no list");
      }
      sayIfMissing(authority, lists);
    }
    try {
      PKIXRevocationChecker checker =
          (PKIXRevocationChecker) CertPathBuilder.getInstance("PKIX").getRevocationChecker();
      checker.setOptions(
          EnumSet.of(
              PKIXRevocationChecker.Option.PREFER_CRLS, PKIXRevocationChecker.Option.NO_FALLBACK));
      parameters.addCertPathChecker(checker);
      parameters.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(lists)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a JDK without PKIX", e);
    }
    return new RevocationLists(parameters);
  }

  private static PKIXBuilderParameters parameters(KeyStore authorities, Path truststore)
      throws ConfigException {
    try {
      return new PKIXBuilderParameters(authorities, new X509CertSelector());
    } catch (GeneralSecurityException e) {
      throw new ConfigException(
          truststore.toString(), "tls.truststore", "holds no authority: " + e.getMessage());
    }
  }

  private static void sayIfMissing(X509Certificate authority, List<X509CRL> lists) {
    boolean isCurrent =
        lists.stream()
            .filter(
                list -> list.getIssuerX500Principal().equals(authority.getSubjectX500Principal()))
            .map(X509CRL::getNextUpdate)
            .anyMatch(until -> until != null && until.toInstant().isAfter(Instant.now()));
    if (!isCurrent) {
      log.warn(
          "tls.crl-file has no current list of {}: all certificates of this issuer are refused",
          authority.getSubjectX500Principal());
    }
  }

  /** Trust managers that check clients' certificates by these lists. */
  TrustManager[] trustManagers() throws GeneralSecurityException {
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(new CertPathTrustManagerParameters(parameters));
    TrustManager[] managers = factory.getTrustManagers();
    for (int i = 0; i < managers.length; i++) {
      if (managers[i] instanceof X509ExtendedTrustManager judge) {
        managers[i] = new LoggingTrustManager(judge);
      }
    }
    return managers;
  }
}
