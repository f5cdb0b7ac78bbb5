package io.rmigate.gateway.login;

import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The TLS client certificate. Whether its authority is to be trusted has been decided by TLS before
 * (tls.truststore, or the container's); here it only gets its name.
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
    return Optional.of(judge(chain[0]));
  }

  private static LoginResult judge(X509Certificate certificate) {
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
                  Optional.of(certificate.getNotAfter().toInstant())));
    } catch (CertificateParsingException e) {
      return new LoginResult.Refused("a certificate that cannot be read: " + e.getMessage());
    }
  }

  /**
   * The first subject alternative name of a kind that names somebody; empty when there is none.
   * What stands in the subject names nobody (RFC 9525, section 2).
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
