package io.rmigate.client.transport.net;

import io.rmigate.client.config.CertificatePin;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.protocol.LogText;
import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Decides as the trust manager beneath it does, and says in a refusal whose certificate was
 * refused: "unable to find valid certification path" alone sends people looking in the wrong place.
 * Weakens nothing: every check of the one beneath, the host name's included, is passed on.
 */
final class NamingTrustManager extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager beneath;
  private final ConfigKey truststore;

  /**
   * @param truststore the key with which more can be trusted
   */
  NamingTrustManager(X509ExtendedTrustManager beneath, ConfigKey truststore) {
    this.beneath = beneath;
    this.truststore = truststore;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    try {
      beneath.checkServerTrusted(chain, authType, socket);
    } catch (CertificateException e) {
      throw naming(chain, e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    try {
      beneath.checkServerTrusted(chain, authType, engine);
    } catch (CertificateException e) {
      throw naming(chain, e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    try {
      beneath.checkServerTrusted(chain, authType);
    } catch (CertificateException e) {
      throw naming(chain, e);
    }
  }

  private CertificateException naming(X509Certificate[] chain, CertificateException e) {
    X509Certificate leaf = chain[0];
    boolean unknownAuthority =
        e.getCause() instanceof CertPathBuilderException; // not for an expired one, say
    return new CertificateException(
        "refused the certificate of "
            + LogText.brief(leaf.getSubjectX500Principal().getName())
            + ", issued by "
            + LogText.brief(leaf.getIssuerX500Principal().getName())
            + ", key "
            + CertificatePin.of(leaf.getPublicKey())
            + ": "
            + e.getMessage()
            + (unknownAuthority
                ? "; if that issuer is right (your company's, or an HTTP proxy that opens TLS), name"
                    + " its certificate in "
                    + truststore.key()
                    + "="
                : "")
            + (CertificateNames.areOthers(e) ? CertificateNames.told(leaf) : ""),
        e);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    beneath.checkClientTrusted(chain, authType, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    beneath.checkClientTrusted(chain, authType, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    beneath.checkClientTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return beneath.getAcceptedIssuers();
  }
}
