package io.rmigate.client.transport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.transport.Keytool;
import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.client.transport.websocket.WebSocketTransport;
import java.io.IOException;
import java.nio.file.Path;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** HTTP proxies that are spoken to over TLS, and those that open the gateway's. */
@Timeout(180)
class ProxyTlsTest {
  @TempDir static Path keys;
  private static Keytool keytool;
  private static Path proxyKey;
  private static Path gatewayKey;

  @RegisterExtension final TransportBed bed = new TransportBed();

  @BeforeAll
  static void makeKeys() throws Exception {
    keytool = new Keytool(keys);
    proxyKey = keytool.selfSigned("proxy", "dns:localhost");
    gatewayKey = keytool.selfSigned("gateway", "dns:localhost");
  }

  @Test
  void tlsToTheGatewayLiesWithinTlsToTheProxy() throws Exception {
    ScriptedWebSocketPeer gateway = gateway(gatewayKey);
    ScriptedWebSocketPeer proxy =
        proxy(
            c -> {
              assertThat(c.readRequest()).startsWith("CONNECT localhost:" + gateway.port());
              c.send("HTTP/1.1 200 OK\r\n\r\n");
              c.relayTo(gateway.port());
            });

    WebSocketTransport transport =
        bed.connect(
            config("https", gateway, proxy)
                .set(ConfigKey.PROXY_TRUSTSTORE, keytool.pem(proxyKey).toString())
                .set(ConfigKey.TRUSTSTORE, keytool.pem(gatewayKey).toString())
                .build());

    assertThat(transport.read(new byte[1], 0, 1)).isEqualTo(1);
    assertThat(transport.toString()).endsWith("via HTTP proxy https://localhost:" + proxy.port());
  }

  @Test
  void theGatewayMayBeHttp() throws Exception {
    ScriptedWebSocketPeer gateway = bed.peer(ProxyTlsTest::answer);
    ScriptedWebSocketPeer proxy =
        proxy(
            c -> {
              c.readRequest();
              c.send("HTTP/1.1 200 OK\r\n\r\n");
              c.relayTo(gateway.port());
            });

    WebSocketTransport transport =
        bed.connect(
            config("http", gateway, proxy)
                .set(ConfigKey.PROXY_TRUSTSTORE, keytool.pem(proxyKey).toString())
                .build());

    assertThat(transport.read(new byte[1], 0, 1)).isEqualTo(1);
  }

  @Test
  void proxyThatIsNotTrustedIsToldNothing() throws Exception {
    ScriptedWebSocketPeer gateway = gateway(gatewayKey);
    ScriptedWebSocketPeer proxy = proxy(c -> c.readRequest());

    assertThatThrownBy(() -> bed.connect(config("https", gateway, proxy).build()))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("TLS with localhost:" + proxy.port())
        .hasMessageContaining("refused the certificate of CN=proxy,O=rmigate test")
        .hasMessageContaining("proxy-truststore=");
    assertThat(proxy.requests()).isEmpty();
  }

  @Test
  void trustForTheGatewayIsTrustForTheProxyUnlessThatHasItsOwn() throws Exception {
    ScriptedWebSocketPeer proxy =
        proxy(
            c -> {
              c.readRequest();
              c.send("HTTP/1.1 403 No\r\n\r\n");
            });

    assertThatThrownBy(
            () ->
                bed.connect(
                    config("https", proxy, proxy)
                        .set(ConfigKey.TRUSTSTORE, keytool.pem(proxyKey).toString())
                        .build()))
        .hasMessageContaining("403");
    assertThatThrownBy(
            () ->
                bed.connect(
                    config("https", proxy, proxy(c -> c.readRequest()))
                        .set(ConfigKey.TRUSTSTORE, keytool.pem(proxyKey).toString())
                        .set(ConfigKey.PROXY_TRUSTSTORE, keytool.pem(gatewayKey).toString())
                        .build()))
        .hasMessageContaining("refused the certificate of CN=proxy");
  }

  /** TLS interception: what looks like the gateway is the HTTP proxy, with its own authority. */
  @Test
  void proxyThatOpensTlsIsNamedByItsCertificate() throws Exception {
    ScriptedWebSocketPeer intercepting = gateway(proxyKey);
    ScriptedWebSocketPeer proxy =
        bed.peer(
            c -> {
              c.readRequest();
              c.send("HTTP/1.1 200 OK\r\n\r\n");
              c.relayTo(intercepting.port());
            });

    assertThatThrownBy(
            () ->
                bed.connect(
                    ClientConfig.builder()
                        .set(ConfigKey.GATEWAY, "https://localhost:" + intercepting.port())
                        .set(ConfigKey.PROXY, "localhost:" + proxy.port())
                        .set(ConfigKey.TRUSTSTORE, keytool.pem(gatewayKey).toString())
                        .build()))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("refused the certificate of CN=proxy,O=rmigate test")
        .hasMessageContaining("issued by CN=proxy,O=rmigate test")
        .hasMessageContaining("an HTTP proxy that opens TLS")
        .hasMessageContaining("truststore=");
    assertThat(intercepting.requests()).isEmpty();
  }

  private static ClientConfig.Builder config(
      String scheme, ScriptedWebSocketPeer gateway, ScriptedWebSocketPeer proxy) {
    return ClientConfig.builder()
        .set(ConfigKey.GATEWAY, scheme + "://localhost:" + gateway.port() + "/rmigate")
        .set(ConfigKey.PROXY, "https://localhost:" + proxy.port());
  }

  private static void answer(ScriptedWebSocketPeer.Conversation c) throws Exception {
    c.upgrade();
    c.sendHex("8201 2a");
    c.readFrame();
  }

  private ScriptedWebSocketPeer gateway(Path key) throws Exception {
    return tls(key, ProxyTlsTest::answer);
  }

  private ScriptedWebSocketPeer proxy(ScriptedWebSocketPeer.Script script) throws Exception {
    return tls(proxyKey, script);
  }

  private ScriptedWebSocketPeer tls(Path key, ScriptedWebSocketPeer.Script script)
      throws Exception {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(Keytool.load(key), Keytool.PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    SSLServerSocket socket =
        (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0);
    return bed.peer(
        socket,
        c -> {
          try {
            ((SSLSocket) c.socket()).startHandshake();
          } catch (IOException e) {
            return; // the client did not like us, which is what some tests are about
          }
          script.play(c);
        });
  }
}
