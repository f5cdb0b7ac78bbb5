package io.rmigate.gateway.standalone;

import io.rmigate.gateway.log.RareLines;
import io.rmigate.protocol.LogText;
import java.net.Socket;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges as another one does, and says in the log whom revocation lists keep out: he is told no
 * more than that the handshake has failed. One line a minute about the same authority.
 */
final class LoggingTrustManager extends X509ExtendedTrustManager {
  private static final Logger log = LoggerFactory.getLogger(LoggingTrustManager.class);

  private final X509ExtendedTrustManager judge;
  private final RareLines lines = new RareLines();

  LoggingTrustManager(X509ExtendedTrustManager judge) {
    this.judge = judge;
  }

  private CertificateException told(CertificateException refusal) {
    for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertPathValidatorException invalid
          && invalid.getIndex() >= 0
          && invalid.getCertPath().getCertificates().get(invalid.getIndex())
              instanceof X509Certificate certificate) {
        tell(invalid.getReason(), certificate);
        break;
      }
    }
    return refusal;
  }

  private void tell(CertPathValidatorException.Reason reason, X509Certificate certificate) {
    String issuer = LogText.brief(certificate.getIssuerX500Principal().getName());
    if (reason == BasicReason.REVOKED && lines.mayWrite(reason + issuer)) {
      log.warn(
          "a client's certificate is refused: its number {} is on the list of {} in tls.crl-file",
          certificate.getSerialNumber().toString(16),
          issuer);
    } else if (reason == BasicReason.UNDETERMINED_REVOCATION_STATUS
        && lines.mayWrite(reason + issuer)) {
      log.warn(
          "a client's certificate is refused: tls.crl-file has no current list of its issuer, {}",
          issuer);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    try {
      judge.checkClientTrusted(chain, type, engine);
    } catch (CertificateException e) {
      throw told(e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    try {
      judge.checkClientTrusted(chain, type, socket);
    } catch (CertificateException e) {
      throw told(e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    try {
      judge.checkClientTrusted(chain, type);
    } catch (CertificateException e) {
      throw told(e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    judge.checkServerTrusted(chain, type, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    judge.checkServerTrusted(chain, type, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    judge.checkServerTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return judge.getAcceptedIssuers();
  }
}
