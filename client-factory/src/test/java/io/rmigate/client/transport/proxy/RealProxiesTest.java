package io.rmigate.client.transport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.transport.Keytool;
import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.client.transport.websocket.WebSocketTransport;
import io.rmigate.testing.LoopbackPort;
import java.io.IOException;
import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP proxies that companies have, with what they ask for. */
@Timeout(300)
class RealProxiesTest {
  /** {@code openssl passwd -apr1 -salt rmigate0 pass}. */
  private static final String HASHED = "ann:$apr1$rmigate0$MTijw7xpNTtxGf2KsDQ1y.\n";

  private static final String KNOWN_ONLY =
      """
      acl known proxy_auth REQUIRED
      http_access allow known
      http_access deny all
      """;

  @TempDir Path directory;
  @RegisterExtension final TransportBed bed = new TransportBed();
  private RealProxy proxy;

  @AfterEach
  void stop() throws InterruptedException {
    if (proxy != null) {
      proxy.stop();
    }
  }

  @Test
  void squidWithBasic() throws Exception {
    Path users = Files.writeString(directory.resolve("users"), HASHED);
    squid(
        "auth_param basic program %s %s\nauth_param basic children 1\n"
                .formatted(RealProxy.installed("usr/lib/squid/basic_ncsa_auth"), users)
            + KNOWN_ONLY);

    assertThatLoginsAreTold();
  }

  @Test
  void squidWithDigest() throws Exception {
    Path users = Files.writeString(directory.resolve("users"), "ann:pass\n");
    squid(
        """
        auth_param digest program %s %s
        auth_param digest children 1
        auth_param digest realm the proxy
        """
                .formatted(RealProxy.installed("usr/lib/squid/digest_file_auth"), users)
            + KNOWN_ONLY);

    assertThatLoginsAreTold();
  }

  /** The helper believes everybody; what is shown is who was asked for the login. */
  @Test
  void squidWithNtlm() throws Exception {
    squid(
        "auth_param ntlm program %s\nauth_param ntlm children 1\n"
                .formatted(RealProxy.installed("usr/lib/squid/ntlm_fake_auth"))
            + KNOWN_ONLY);
    Authenticator before = Authenticator.getDefault();
    Authenticator application =
        new Authenticator() {
          @Override
          protected PasswordAuthentication getPasswordAuthentication() {
            throw new AssertionError("asked the application");
          }
        };
    Authenticator.setDefault(application);
    try (ScriptedWebSocketPeer gateway = gateway()) {
      assertThatAnswers(withLogin(config(gateway, "127.0.0.1"), "ann", "pass"));
      assertThat(Authenticator.getDefault()).isSameAs(application);
    } finally {
      Authenticator.setDefault(before);
    }
  }

  @Test
  void squidOverTls() throws Exception {
    Path key =
        new Keytool(directory).selfSigned("proxy", "dns:localhost", "RSA"); // GnuTLS refuses EC
    RealProxy.installed("usr/sbin/squid");
    int port = LoopbackPort.free();
    proxy =
        RealProxy.squid(
            directory,
            port,
            "https_port 127.0.0.1:%d tls-cert=%s\nhttp_access allow all\n"
                .formatted(port, pemWithKey(key)));

    try (ScriptedWebSocketPeer gateway = gateway()) {
      assertThatAnswers(
          config(gateway, "https://localhost")
              .set(ConfigKey.PROXY_TRUSTSTORE, new Keytool(directory).pem(key).toString()));
    }
  }

  @Test
  void squidThatDoesNotLetThatPortThrough() throws Exception {
    squid("acl https port 443\nhttp_access deny CONNECT !https\nhttp_access allow all\n");

    try (ScriptedWebSocketPeer gateway = gateway()) {
      assertThatThrownBy(() -> bed.connect(config(gateway, "127.0.0.1").build()))
          .hasMessageContaining("answered 403 Forbidden to CONNECT 127.0.0.1:" + gateway.port())
          .hasMessageContaining("(a web page, 'ERROR: The requested URL could not be retrieved')")
          .hasMessageContaining("does not let connections to that host or port through");
    }
  }

  @Test
  void tinyproxyWithBasic() throws Exception {
    tinyproxy("BasicAuth ann pass\n");

    assertThatLoginsAreTold();
  }

  @Test
  void tinyproxyThatDoesNotLetThatPortThrough() throws Exception {
    tinyproxy("ConnectPort 443\n");

    try (ScriptedWebSocketPeer gateway = gateway()) {
      assertThatThrownBy(() -> bed.connect(config(gateway, "127.0.0.1").build()))
          .hasMessageContaining("answered 403")
          .hasMessageContaining("does not let connections to that host or port through");
    }
  }

  @Test
  void pacFileLeadsPastWhatIsNotThere() throws Exception {
    tinyproxy("");
    int refusing = bed.refusingPort();
    Path pac =
        Files.writeString(
            directory.resolve("proxy.pac"),
            "function FindProxyForURL(url, host) { return 'PROXY 127.0.0.1:%d; PROXY 127.0.0.1:%d' }"
                .formatted(refusing, proxy.port()));

    try (ScriptedWebSocketPeer gateway = gateway()) {
      WebSocketTransport transport =
          bed.connect(
              ClientConfig.builder()
                  .gateways(TransportBed.url(gateway))
                  .set(ConfigKey.PAC, pac.toString())
                  .build());

      assertThat(transport.toString()).endsWith("via HTTP proxy 127.0.0.1:" + proxy.port());
    }
  }

  /** No login, a wrong one, and the right one. */
  private void assertThatLoginsAreTold() throws Exception {
    try (ScriptedWebSocketPeer gateway = gateway()) {
      assertThatThrownBy(() -> bed.connect(config(gateway, "127.0.0.1").build()))
          .hasMessageContaining("answered 407")
          .hasMessageContaining("set proxy-user= and proxy-password-file=");
      assertThatThrownBy(
              () -> bed.connect(withLogin(config(gateway, "127.0.0.1"), "ann", "no").build()))
          .hasMessageContaining("refused the login of user 'ann'");
      assertThat(gateway.requests()).isEmpty();

      assertThatAnswers(withLogin(config(gateway, "127.0.0.1"), "ann", "pass"));
    }
  }

  private void assertThatAnswers(ClientConfig.Builder config) throws IOException {
    WebSocketTransport transport = bed.connect(config.build());
    byte[] target = new byte[1];
    assertThat(transport.read(target, 0, 1)).isEqualTo(1);
    assertThat(target[0]).isEqualTo((byte) 0x2a);
  }

  private void squid(String settings) throws IOException {
    RealProxy.installed("usr/sbin/squid");
    int port = LoopbackPort.free();
    proxy = RealProxy.squid(directory, port, "http_port 127.0.0.1:" + port + "\n" + settings);
  }

  private void tinyproxy(String settings) throws IOException {
    Path program = RealProxy.installed("usr/bin/tinyproxy");
    int port = LoopbackPort.free();
    Path file =
        Files.writeString(
            directory.resolve("tinyproxy.conf"),
            "Port " + port + "\nListen 127.0.0.1\nTimeout 60\nMaxClients 10\n" + settings);
    proxy =
        RealProxy.start(directory, port, List.of(program.toString(), "-d", "-c", file.toString()));
  }

  private static ScriptedWebSocketPeer gateway() throws IOException {
    return new ScriptedWebSocketPeer(
        c -> {
          c.upgrade();
          c.sendHex("8201 2a");
          c.readFrame();
        });
  }

  private ClientConfig.Builder config(ScriptedWebSocketPeer gateway, String host) {
    return ClientConfig.builder()
        .gateways(TransportBed.url(gateway))
        .set(ConfigKey.PROXY, host + ":" + proxy.port());
  }

  private ClientConfig.Builder withLogin(ClientConfig.Builder builder, String user, String password)
      throws IOException {
    Path file = Files.writeString(directory.resolve("password"), password);
    return builder
        .set(ConfigKey.PROXY_USER, user)
        .set(ConfigKey.PROXY_PASSWORD_FILE, file.toString());
  }

  /** Certificate and key in one file, as squid takes them. */
  private Path pemWithKey(Path keystore) throws Exception {
    KeyStore store = Keytool.load(keystore);
    byte[] key =
        store.getKey(store.aliases().nextElement(), Keytool.PASSWORD.toCharArray()).getEncoded();
    return Files.writeString(
        directory.resolve("proxy.pem"),
        Files.readString(new Keytool(directory).pem(keystore))
            + "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(key)
            + "\n-----END PRIVATE KEY-----\n");
  }
}
