import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Asks a gateway on this machine whether it is well: exit code 0 if it answers 200, else 1. For an
 * image in which there is neither a shell nor curl. Argument: the URL.
 */
final class Health {
  private static final int PATIENCE_MILLIS = 4_000;

  private Health() {}

  public static void main(String[] arguments) throws Exception {
    URI uri = URI.create(arguments[0]);
    if (!InetAddress.getByName(uri.getHost()).isLoopbackAddress()) {
      throw new IllegalArgumentException(
          uri + " is not a loopback address; only these are permitted, as certificates are not checked");
    }
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    if (connection instanceof HttpsURLConnection https) {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, new TrustManager[] {new Anybody()}, null);
      https.setSSLSocketFactory(tls.getSocketFactory());
      https.setHostnameVerifier((host, session) -> true);
    }
    connection.setConnectTimeout(PATIENCE_MILLIS);
    connection.setReadTimeout(PATIENCE_MILLIS);
    try {
      int status = connection.getResponseCode();
      System.out.println(status);
      System.exit(status == 200 ? 0 : 1);
    } catch (IOException noAnswer) {
      System.out.println(noAnswer);
      System.exit(1);
    }
  }

  /** What is asked is whether the process answers, on loopback; nothing is told to it. */
  private static final class Anybody implements X509TrustManager {
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
