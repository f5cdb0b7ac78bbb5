package io.rmigate.client.transport.net;

import io.rmigate.client.config.CertificatePin;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.Secret;
import io.rmigate.client.config.TlsSettings;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS 1.2 or 1.3 of the agent over a connected socket: to a gateway, to an HTTP proxy, or to the
 * server of a PAC file. The handshake checks the certificate of the peer against the trust store
 * and the name of the host, and its key against the pins, if some are configured. No setting turns
 * these checks off.
 *
 * <p>The agent makes its own SSLContext even without a configured trust store, because an
 * application may have set a lenient default (SSLContext.setDefault). The next handshake makes
 * another context when the keystore or trust store file has changed, so that a renewed certificate
 * needs no restart.
 *
 * <p>Thread-safe.
 */
public final class TlsLayer {
  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  /** RFC 8446 §6.2; handshake_failure is how TLS 1.2 says certificate_required. */
  private static final List<String> ALERTS_ABOUT_OUR_CERTIFICATE =
      List.of(
          "certificate_required",
          "bad_certificate",
          "certificate_unknown",
          "unknown_ca",
          "handshake_failure");

  /** The alert that was sent: newer JDKs put its name in front of the message. */
  private static final String ALERT = "^\\([a-z_]+\\) ";

  /** A context and the state of the files it was made from. */
  private record Made(SSLContext context, List<String> stamps) {}

  private final TlsSettings settings;
  private final ConfigKey truststoreKey;
  private final ReentrantLock lock = new ReentrantLock();
  private Made made; // guarded by lock; null before the first connection

  /** A TLS layer for connections to gateways. */
  public TlsLayer(TlsSettings settings) {
    this(settings, ConfigKey.TRUSTSTORE);
  }

  /**
   * A TLS layer for connections to any peer.
   *
   * @param truststoreKey the key to name when a certificate is not trusted
   */
  public TlsLayer(TlsSettings settings, ConfigKey truststoreKey) {
    this.settings = settings;
    this.truststoreKey = truststoreKey;
  }

  /**
   * Does the handshake and all checks. The returned socket closes {@code plain}; a caller that must
   * not wait closes {@code plain} instead.
   *
   * @param host of the peer, without brackets
   */
  public SSLSocket handshake(Socket plain, String host, int port) throws IOException {
    SSLSocket socket =
        (SSLSocket) context().getSocketFactory().createSocket(plain, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // RFC 9110 §4.3.4
    parameters.setProtocols(
        PROTOCOLS.stream()
            .filter(Arrays.asList(socket.getSupportedProtocols())::contains)
            .toArray(String[]::new));
    serverName(host).ifPresent(name -> parameters.setServerNames(List.of(name)));
    socket.setSSLParameters(parameters);
    try {
      socket.startHandshake();
    } catch (SSLException e) {
      throw explain(e, host, port);
    }
    checkPins(socket, host);
    return socket;
  }

  /**
   * Adds to a failure of TLS what to do about it. With TLS 1.3 the gateway's opinion of our
   * certificate arrives only after the handshake, with the first read.
   */
  public static SSLException explain(SSLException e, String host, int port) {
    String message = String.valueOf(e.getMessage()).replaceFirst(ALERT, "");
    String where = "TLS with " + host + ":" + port + ": " + message;
    String hint = "";
    if (message.contains("Unsupported or unrecognized SSL message")) {
      hint =
          "; it does not speak TLS, is its URL http rather than https? Or did the login"
              + " page of this network answer?";
    } else if (message.contains("Received fatal alert")
        && ALERTS_ABOUT_OUR_CERTIFICATE.stream().anyMatch(message::contains)) {
      hint = "; the other side refused: does it want a client certificate (keystore=), or another?";
    }
    SSLException explained = new SSLHandshakeException(where + hint);
    explained.initCause(e);
    return explained;
  }

  /** SNI (RFC 6066 §3) carries names, not addresses. */
  private static Optional<SNIHostName> serverName(String host) {
    if (host.indexOf(':') >= 0 || host.matches("[0-9.]+")) {
      return Optional.empty();
    }
    try {
      return Optional.of(new SNIHostName(host));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // a name that no certificate can have either; the check will say so
    }
  }

  private void checkPins(SSLSocket socket, String host) throws IOException {
    if (settings.pins().isEmpty()) {
      return;
    }
    CertificatePin pin =
        CertificatePin.of(socket.getSession().getPeerCertificates()[0].getPublicKey());
    if (!settings.pins().contains(pin)) {
      throw new SSLPeerUnverifiedException(
          host
              + " has a trusted certificate, but its key is "
              + pin
              + " and none of those in pin= ("
              + String.join(", ", settings.pins().stream().map(CertificatePin::toString).toList())
              + "): either it was renewed with a new key, or TLS is opened on the way");
    }
  }

  private SSLContext context() throws IOException {
    lock.lock();
    try {
      List<String> stamps = stamps();
      if (made == null || !made.stamps.equals(stamps)) {
        made = new Made(make(), stamps);
      }
      return made.context;
    } finally {
      lock.unlock();
    }
  }

  private List<String> stamps() throws IOException {
    List<String> stamps = new ArrayList<>();
    for (Path file :
        Stream.of(settings.keystore(), settings.truststore()).flatMap(Optional::stream).toList()) {
      stamps.add(Files.getLastModifiedTime(file) + " " + Files.size(file));
    }
    return stamps;
  }

  private SSLContext make() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers(), trustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  private KeyManager[] keyManagers() throws IOException, GeneralSecurityException {
    if (settings.keystore().isEmpty()) {
      return new KeyManager[0];
    }
    Path file = settings.keystore().get();
    Secret.warnIfOpen("keystore", file);
    KeyStore store = KeyStoreFile.load("keystore", file, settings.keystorePassword());
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    try {
      factory.init(store, KeyStoreFile.password(settings.keystorePassword()));
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "keystore "
              + file
              + ": its key cannot be read with the password given: "
              + e.getMessage(),
          e);
    }
    return factory.getKeyManagers();
  }

  private TrustManager[] trustManagers() throws IOException, GeneralSecurityException {
    KeyStore store =
        settings.truststore().isEmpty()
            ? null // the JVM's own
            : KeyStoreFile.load(
                "truststore", settings.truststore().get(), settings.truststorePassword());
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager extended) {
        return new TrustManager[] {new NamingTrustManager(extended, truststoreKey)};
      }
    }
    throw new IOException(
        "the security provider "
            + factory.getProvider().getName()
            + " has no trust manager that checks host names");
  }
}
