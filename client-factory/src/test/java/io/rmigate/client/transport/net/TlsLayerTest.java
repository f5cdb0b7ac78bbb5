package io.rmigate.client.transport.net;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.CertificatePin;
import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.transport.Keytool;
import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import io.rmigate.client.transport.websocket.WebSocketTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom the client trusts, with real keys, and what it says when it does not. */
@Timeout(180)
class TlsLayerTest {
  @TempDir static Path keys;
  private static Keytool keytool;
  private static Path server; // for localhost and 127.0.0.1
  private static Path elsewhere; // for gateway.example
  private static Path client;

  @TempDir Path directory;
  @RegisterExtension final TransportBed bed = new TransportBed();

  @BeforeAll
  static void makeKeys() throws Exception {
    keytool = new Keytool(keys);
    server = keytool.selfSigned("server", "dns:localhost,ip:127.0.0.1");
    elsewhere = keytool.selfSigned("elsewhere", "dns:gateway.example");
    client = keytool.selfSigned("ann", "email:ann@example.org");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1"})
  void bytesGoBothWays(String host) throws Exception {
    ScriptedWebSocketPeer peer =
        peer(
            server,
            false,
            c -> {
              c.upgrade();
              assertThat(((SSLSocket) c.socket()).getSession().getProtocol()).isEqualTo("TLSv1.3");
              assertThat(c.readFrame()).isEqualTo("82 0102");
              c.sendHex("8901 05 8201 07");
              assertThat(c.readFrame()).isEqualTo("8a 05");
              assertThat(c.readFrame()).isEqualTo("88 03e8");
            });
    WebSocketTransport transport = bed.connect(trusting(peer, host, server).build());
    byte[] target = new byte[3];

    transport.write(new byte[] {1, 2}, 0, 2);
    int count = transport.read(target, 0, 3);
    transport.close();

    assertThat(count).isEqualTo(1);
    assertThat(target[0]).isEqualTo((byte) 7);
    peer.awaitEnd();
  }

  @Test
  void truststoreMayBePem() throws Exception {
    ScriptedWebSocketPeer peer = peer(server, false, c -> c.upgrade());

    bed.connect(
        config(peer, "localhost")
            .set(ConfigKey.TRUSTSTORE, keytool.pem(server).toString())
            .build());
  }

  @Test
  void wrongHostNameIsRefused() throws Exception {
    ScriptedWebSocketPeer peer = peer(elsewhere, false, c -> c.upgrade());

    assertThatThrownBy(() -> bed.connect(trusting(peer, "localhost", elsewhere).build()))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("TLS with localhost:" + peer.port())
        .hasMessageContaining("refused the certificate of CN=elsewhere,O=rmigate test")
        .hasMessageContaining("localhost");
    assertThat(peer.requests()).isEmpty();
  }

  @Test
  void unknownAuthorityIsRefusedAndNamed() throws Exception {
    ScriptedWebSocketPeer peer = peer(server, false, c -> c.upgrade());

    assertThatThrownBy(() -> bed.connect(config(peer, "localhost").build()))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("certificate of CN=server,O=rmigate test")
        .hasMessageContaining("issued by CN=server,O=rmigate test")
        .hasMessageContaining(pin(server).toString())
        .hasMessageContaining("truststore=");
    assertThat(peer.requests()).isEmpty();
  }

  @Test
  void lenientDefaultOfTheApplicationDoesNotCount() throws Exception {
    ScriptedWebSocketPeer peer = peer(server, false, c -> c.upgrade());
    SSLContext before = SSLContext.getDefault();
    SSLContext lenient = SSLContext.getInstance("TLS");
    lenient.init(null, new TrustManager[] {new TrustEverything()}, null);
    SSLContext.setDefault(lenient);
    try {
      assertThatThrownBy(() -> bed.connect(config(peer, "localhost").build()))
          .isInstanceOf(SSLException.class);
    } finally {
      SSLContext.setDefault(before);
    }
  }

  @Test
  void oneOfThePinsMustMatch() throws Exception {
    ScriptedWebSocketPeer peer = peer(server, false, c -> c.upgrade());

    bed.connect(
        trusting(peer, "localhost", server)
            .set(ConfigKey.PIN, pin(elsewhere) + "|" + pin(server))
            .build());
  }

  @Test
  void otherKeyIsRefusedBeforeAnythingIsSent() throws Exception {
    ScriptedWebSocketPeer peer = peer(server, false, c -> c.upgrade());

    assertThatThrownBy(
            () ->
                bed.connect(
                    trusting(peer, "localhost", server)
                        .set(ConfigKey.PIN, pin(elsewhere).toString())
                        .build()))
        .isInstanceOf(SSLPeerUnverifiedException.class)
        .hasMessageContaining("its key is " + pin(server))
        .hasMessageContaining(pin(elsewhere).toString());
    assertThat(peer.requests()).isEmpty();
  }

  @Test
  void pinDoesNotReplaceTrust() throws Exception {
    ScriptedWebSocketPeer peer = peer(server, false, c -> c.upgrade());

    assertThatThrownBy(
            () ->
                bed.connect(
                    config(peer, "localhost").set(ConfigKey.PIN, pin(server).toString()).build()))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("truststore=");
  }

  @Test
  void clientCertificateIsShown() throws Exception {
    CompletableFuture<String> shown = new CompletableFuture<>();
    ScriptedWebSocketPeer peer =
        peer(
            server,
            true,
            c -> {
              c.upgrade();
              shown.complete(((SSLSocket) c.socket()).getSession().getPeerPrincipal().getName());
            });

    bed.connect(
        trusting(peer, "localhost", server)
            .set(ConfigKey.KEYSTORE, client.toString())
            .set(ConfigKey.KEYSTORE_PASSWORD_FILE, keytool.passwordFile().toString())
            .build());

    assertThat(shown).succeedsWithin(PATIENCE).isEqualTo("CN=ann,O=rmigate test");
  }

  @Test
  void missingClientCertificateIsExplained() throws Exception {
    ScriptedWebSocketPeer peer = peer(server, true, c -> c.upgrade());

    assertThatThrownBy(() -> bed.connect(trusting(peer, "localhost", server).build()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("keystore=");
  }

  @Test
  void wrongStorePasswordIsExplained() throws Exception {
    ScriptedWebSocketPeer peer = peer(server, false, c -> c.upgrade());
    Path wrong = Files.writeString(directory.resolve("wrong"), "not-it");

    assertThatThrownBy(
            () ->
                bed.connect(
                    config(peer, "localhost")
                        .set(ConfigKey.KEYSTORE, client.toString())
                        .set(ConfigKey.KEYSTORE_PASSWORD_FILE, wrong.toString())
                        .build()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("keystore " + client + " cannot be used")
        .hasMessageContaining("password was incorrect")
        .hasMessageNotContaining("not-it");
  }

  @Test
  void renewedTruststoreNeedsNoRestart() throws Exception {
    ScriptedWebSocketPeer peer = peer(server, false, IGNORING_FAILURE, c -> c.upgrade());
    Path truststore = Files.copy(keytool.truststore(elsewhere), directory.resolve("truststore"));
    WebSocketConnector connector =
        new WebSocketConnector(
            config(peer, "localhost")
                .set(ConfigKey.TRUSTSTORE, truststore.toString())
                .set(ConfigKey.TRUSTSTORE_PASSWORD_FILE, keytool.passwordFile().toString())
                .build());
    assertThatThrownBy(() -> bed.connect(connector)).isInstanceOf(SSLException.class);

    Files.copy(keytool.truststore(server), truststore, StandardCopyOption.REPLACE_EXISTING);
    // A clock that stands still must not decide this test.
    Files.setLastModifiedTime(truststore, FileTime.fromMillis(1_000_000_000_000L));

    bed.connect(connector);
  }

  @Test
  void httpPortIsRecognized() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.send("HTTP/1.1 400 Bad Request\r\n\r\n");
              c.readToEnd(); // unread bytes would turn the end into a reset
            });

    assertThatThrownBy(() -> bed.connect(config(peer, "localhost").build()))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("is its URL http rather than https?");
  }

  @Test
  void silenceDuringTheHandshakeEndsAtTheTimeout() throws Exception {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.fallSilent());

    assertThatThrownBy(
            () ->
                new WebSocketConnector(config(peer, "localhost").build())
                    .connect(Duration.ofSeconds(1)))
        .isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void closeWakesAWriterAndAReaderAndDoesNotWait() throws Exception {
    ScriptedWebSocketPeer peer =
        peer(
            server,
            false,
            c -> {
              c.upgrade();
              c.fallSilent();
            });
    WebSocketTransport transport = bed.connect(trusting(peer, "localhost", server).build());
    CompletableFuture<Throwable> writing =
        TransportBed.failureOf(
            () -> {
              while (true) {
                transport.write(new byte[1 << 20], 0, 1 << 20);
              }
            });
    CompletableFuture<Throwable> reading =
        TransportBed.failureOf(() -> transport.read(new byte[1], 0, 1));
    AtomicLong last = new AtomicLong(-1);
    await()
        .pollInterval(Duration.ofMillis(300))
        .until(transport::bytesSent, sent -> sent > 1 << 20 && sent == last.getAndSet(sent));

    // The peer never reads: a thread that waited for it would wait for ever.
    assertThat(TransportBed.failureOf(transport::close)).succeedsWithin(PATIENCE).isNull();

    assertThat(writing).succeedsWithin(PATIENCE).isInstanceOf(SocketException.class);
    assertThat(reading).succeedsWithin(PATIENCE).isInstanceOf(SocketException.class);
  }

  private static final ScriptedWebSocketPeer.Script IGNORING_FAILURE =
      c -> {
        try {
          c.upgrade();
        } catch (IOException e) {
          // the client is expected to break off
        }
      };

  private ScriptedWebSocketPeer peer(
      Path key, boolean needsClientCertificate, ScriptedWebSocketPeer.Script... scripts)
      throws Exception {
    KeyManagerFactory keyManagers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keyManagers.init(Keytool.load(key), Keytool.PASSWORD.toCharArray());
    TrustManagerFactory trustManagers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trustManagers.init(
        KeyStore.getInstance(keytool.truststore(client).toFile(), Keytool.PASSWORD.toCharArray()));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
    SSLServerSocket socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket.setNeedClientAuth(needsClientCertificate);
    return bed.peer(socket, scripts);
  }

  private static CertificatePin pin(Path key) throws Exception {
    return CertificatePin.of(Keytool.certificate(key).getPublicKey());
  }

  private static ClientConfig.Builder config(ScriptedWebSocketPeer peer, String host) {
    return ClientConfig.builder()
        .set(ConfigKey.GATEWAY, "https://" + host + ":" + peer.port() + "/rmigate");
  }

  private static ClientConfig.Builder trusting(
      ScriptedWebSocketPeer peer, String host, Path trusted) throws Exception {
    return config(peer, host)
        .set(ConfigKey.TRUSTSTORE, keytool.truststore(trusted).toString())
        .set(ConfigKey.TRUSTSTORE_PASSWORD_FILE, keytool.passwordFile().toString());
  }

  /** What careless applications install. */
  private static final class TrustEverything extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
