package io.rmigate.gateway.testing;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Asks a gateway whether it is ready, until it is. */
final class Readiness {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private Readiness() {}

  static void await(GatewayUnderTest gateway) {
    URI health = URI.create(gateway.uri() + "/health/ready");
    try {
      Awaitility.await()
          .atMost(TIMEOUT)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> !gateway.jvm().isAlive() || status(health) == 200);
    } catch (ConditionTimeoutException e) {
      throw notReady(gateway, "not ready within " + TIMEOUT + ": " + health, e);
    }
    if (!gateway.jvm().isAlive()) {
      throw notReady(gateway, "ended before it was ready", null);
    }
  }

  private static AssertionError notReady(
      GatewayUnderTest gateway, String what, ConditionTimeoutException cause) {
    return new AssertionError(
        gateway.jvm() + " " + what + "\n" + String.join("\n", gateway.jvm().output()), cause);
  }

  private static int status(URI uri) throws IOException, GeneralSecurityException {
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    if (connection instanceof HttpsURLConnection https) {
      // Whether the certificate is checked is the agent's matter; here only the answer counts.
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustingAnybody()}, null);
      https.setSSLSocketFactory(context.getSocketFactory());
      https.setHostnameVerifier((host, session) -> true);
    }
    connection.setConnectTimeout(5_000);
    connection.setReadTimeout(5_000);
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }

  private static final class TrustingAnybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
