package io.rmigate.gateway.login;

import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.tls.KeyStores;
import io.rmigate.gateway.tls.TlsSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * The TLS client certificate. Whether its authority is to be trusted has been decided by TLS before
 * (tls.truststore, or the container's); here it gets its name, and later it is asked whether the
 * authority is one of {@code tls.truststore} still, and has not revoked it.
 */
final class CertificateLogin implements LoginScheme {
  /** Attribute of the Servlet specification, section 3.9. */
  private static final String ATTRIBUTE = "jakarta.servlet.request.X509Certificate";

  /** Extended key usages (RFC 5280, section 4.2.1.12): TLS client, any. */
  private static final List<String> CLIENT_USAGES = List.of("1.3.6.1.5.5.7.3.2", "2.5.29.37.0");

  // Kinds of GeneralName (RFC 5280, section 4.2.1.6).
  private static final int RFC822_NAME = 1;
  private static final int DNS_NAME = 2;
  private static final int URI_NAME = 6;

  /** The certificate chain that the client has shown in TLS. */
  private record Chain(List<X509Certificate> certificates) implements Proof {}

  /** Empty: only the container knows whom it trusts. */
  private final Optional<X509TrustManager> authorities;

  private final RevokedCertificates revoked;

  private CertificateLogin(Optional<X509TrustManager> authorities, RevokedCertificates revoked) {
    this.authorities = authorities;
    this.revoked = revoked;
  }

  /**
   * Reads the authorities, and what they have revoked.
   *
   * @param tls of this gateway's own server; empty where a container's does that
   */
  static CertificateLogin load(Optional<TlsSettings> tls) throws ConfigException {
    Optional<KeyStore> trusted =
        tls.isPresent() ? KeyStores.authorities(tls.get()) : Optional.empty();
    if (trusted.isEmpty()) {
      return new CertificateLogin(Optional.empty(), RevokedCertificates.NONE);
    }
    Optional<Path> lists = tls.get().crlFile();
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted.get());
      Optional<X509TrustManager> authorities =
          Stream.of(factory.getTrustManagers())
              .filter(X509TrustManager.class::isInstance)
              .map(X509TrustManager.class::cast)
              .findFirst();
      return new CertificateLogin(
          authorities,
          authorities.isPresent() && lists.isPresent()
              ? new RevokedCertificates(
                  KeyStores.revocationLists(lists.get()),
                  List.of(authorities.get().getAcceptedIssuers()))
              : RevokedCertificates.NONE);
    } catch (GeneralSecurityException e) {
      throw new ConfigException(
          tls.get().truststore().map(Path::toString).orElse("configuration"),
          "tls.truststore",
          "cannot be used: " + e.getMessage());
    }
  }

  @Override
  public boolean holds(String name, Proof proof) {
    return proof instanceof Chain chain
        && (authorities.isEmpty() || isTrusted(authorities.get(), chain.certificates()))
        && !revoked.haveAnyOf(chain.certificates());
  }

  private static boolean isTrusted(X509TrustManager authorities, List<X509Certificate> chain) {
    try {
      authorities.checkClientTrusted(
          chain.toArray(X509Certificate[]::new), chain.get(0).getPublicKey().getAlgorithm());
      return true;
    } catch (CertificateException notAnyMore) {
      return false;
    }
  }

  @Override
  public Optional<String> challenge() {
    return Optional.empty(); // asked for by TLS, not by HTTP
  }

  @Override
  public Optional<LoginResult> attempt(HttpServletRequest request) {
    if (!(request.getAttribute(ATTRIBUTE) instanceof X509Certificate[] chain)
        || chain.length == 0) {
      return Optional.empty();
    }
    return Optional.of(judge(chain[0], new Chain(List.of(chain))));
  }

  private static LoginResult judge(X509Certificate certificate, Chain chain) {
    try {
      List<String> usages = certificate.getExtendedKeyUsage();
      if (usages != null && usages.stream().noneMatch(CLIENT_USAGES::contains)) {
        return new LoginResult.Refused("a certificate that is not meant for TLS clients");
      }
      String name = name(certificate);
      return name.isBlank()
          ? new LoginResult.Refused("a certificate without a name")
          : new LoginResult.Accepted(
              new Principal(
                  name,
                  Principal.Scheme.CLIENT_CERTIFICATE,
                  Set.of(),
                  Optional.of(certificate.getNotAfter().toInstant()),
                  List.of(chain)));
    } catch (CertificateParsingException e) {
      return new LoginResult.Refused("a certificate that cannot be read: " + e.getMessage());
    }
  }

  /**
   * The first subject alternative name of a kind that names a principal; empty if there is none.
   * The subject itself is not used (RFC 9525, section 2).
   */
  static String name(X509Certificate certificate) throws CertificateParsingException {
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    if (alternatives != null) {
      for (List<?> alternative : alternatives) {
        int kind = (Integer) alternative.get(0);
        if (kind == URI_NAME || kind == DNS_NAME || kind == RFC822_NAME) {
          return (String) alternative.get(1);
        }
      }
    }
    return "";
  }
}
