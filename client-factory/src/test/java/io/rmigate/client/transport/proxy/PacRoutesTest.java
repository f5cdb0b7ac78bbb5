package io.rmigate.client.transport.proxy;

import static io.rmigate.client.transport.TransportBed.answering;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.client.transport.http.HttpRefusedException;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import io.rmigate.client.transport.websocket.WebSocketTransport;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which ways are taken when a PAC file says so, and where it comes from. */
@Timeout(180)
class PacRoutesTest {
  @TempDir Path directory;
  @RegisterExtension final TransportBed bed = new TransportBed();

  private ScriptedWebSocketPeer gateway() throws IOException {
    return bed.peer(ScriptedWebSocketPeer.Conversation::upgrade);
  }

  private ScriptedWebSocketPeer proxy(ScriptedWebSocketPeer gateway) throws IOException {
    return bed.peer(
        c -> {
          c.readRequest();
          c.send("HTTP/1.1 200 OK\r\n\r\n");
          c.relayTo(gateway.port());
        });
  }

  private static String saying(String answer) {
    return "function FindProxyForURL(url, host) {\n  return " + answer + ";\n}\n";
  }

  private Path file(String script) throws IOException {
    return Files.writeString(directory.resolve("proxy.pac"), script);
  }

  private static ClientConfig.Builder config(ScriptedWebSocketPeer gateway, Object pac) {
    return ClientConfig.builder()
        .gateways(TransportBed.url(gateway))
        .set(ConfigKey.PAC, pac.toString());
  }

  @Test
  void theFirstWayThatAnswersIsTaken() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy = proxy(gateway);
    int refusing = bed.refusingPort();
    GatewayDialer dialer;
    ClientConfig config =
        config(
                gateway,
                file(
                    saying(
                        "'SOCKS5 127.0.0.1:%1$d; PROXY 127.0.0.1:%1$d; PROXY 127.0.0.1:%2$d; DIRECT'"
                            .formatted(refusing, proxy.port()))))
            .build();
    dialer = new GatewayDialer(config);

    WebSocketTransport transport = bed.connect(new WebSocketConnector(config, dialer));

    assertThat(transport.toString()).endsWith("via HTTP proxy 127.0.0.1:" + proxy.port());
    assertThat(dialer.chosen())
        .contains(
            "HTTP proxy 127.0.0.1:%d (PAC file %s)"
                .formatted(proxy.port(), directory.resolve("proxy.pac").toUri()));
  }

  @Test
  void directIsAWay() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    int refusing = bed.refusingPort();

    WebSocketTransport transport =
        bed.connect(
            config(gateway, file(saying("'PROXY 127.0.0.1:" + refusing + "; DIRECT'"))).build());

    assertThat(transport.toString()).endsWith("/rmigate");
  }

  @Test
  void whenNoWayLeadsThereAllAreNamed() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    int refusing = bed.refusingPort();

    assertThatThrownBy(
            () ->
                bed.connect(
                    config(
                            gateway,
                            file(
                                saying(
                                    "'PROXY 127.0.0.1:%1$d; PROXY localhost:%1$d'"
                                        .formatted(refusing))))
                        .build()))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("none of the ways of PAC file ")
        .hasMessageContaining(" 127.0.0.1:" + refusing + " cannot be reached")
        .hasMessageContaining(" localhost:" + refusing + " cannot be reached");
    assertThat(gateway.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"403 No", "500 No", "502 No", "503 No", "504 No"})
  void proxyThatRefusesIsNotPassedOver(String status) throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy = bed.peer(answering("HTTP/1.1 " + status + "\r\n\r\n"));

    assertThatThrownBy(
            () ->
                bed.connect(
                    config(gateway, file(saying("'PROXY 127.0.0.1:" + proxy.port() + "; DIRECT'")))
                        .build()))
        .hasMessageContaining(status);
    assertThat(gateway.requests()).isEmpty();
  }

  @Test
  void thePasswordIsForTheProxyThatAsks() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    Path password = Files.writeString(directory.resolve("password"), "s3cret");
    ScriptedWebSocketPeer proxy = proxyThatAsks(gateway);

    bed.connect(
        config(gateway, file(saying("'PROXY 127.0.0.1:" + proxy.port() + "'")))
            .set(ConfigKey.PROXY_USER, "ann")
            .set(ConfigKey.PROXY_PASSWORD_FILE, password.toString())
            .build());

    assertThat(gateway.requests().get(0)).doesNotContain("Proxy-Authorization");
  }

  /** An attacker between this machine and the server of the file can have written it. */
  @Test
  void thePasswordIsForNoProxyThatAPlainPacFileNames() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(
            c -> {
              c.readRequest();
              c.send(
                  "HTTP/1.1 407 X\r\nProxy-Authenticate: Basic realm=r\r\nContent-Length: 0\r\n\r\n");
              c.readRequest(); // which must not come
            });

    assertThatThrownBy(() -> bed.connect(plainPac(gateway, proxy).build()))
        .isInstanceOf(HttpRefusedException.class)
        .hasMessageContaining("407")
        .hasMessageContaining("plain-pac-login=on");

    assertThat(proxy.requests()).hasSize(1);
    assertThat(proxy.requests().get(0)).doesNotContain("Proxy-Authorization");
    assertThat(gateway.requests()).isEmpty();
  }

  @Test
  void thePasswordIsForThoseTooWhereThatIsSaid() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy = proxyThatAsks(gateway);

    bed.connect(plainPac(gateway, proxy).set(ConfigKey.PLAIN_PAC_LOGIN, "on").build());

    assertThat(gateway.requests()).hasSize(1);
  }

  /** And lets through who says the password. */
  private ScriptedWebSocketPeer proxyThatAsks(ScriptedWebSocketPeer gateway) throws IOException {
    return bed.peer(
        c -> {
          c.readRequest();
          c.send(
              "HTTP/1.1 407 X\r\nProxy-Authenticate: Basic realm=r\r\nContent-Length: 0\r\n\r\n");
          assertThat(c.readRequest()).contains("Proxy-Authorization: Basic YW5uOnMzY3JldA==");
          c.send("HTTP/1.1 200 OK\r\n\r\n");
          c.relayTo(gateway.port());
        });
  }

  private ClientConfig.Builder plainPac(ScriptedWebSocketPeer gateway, ScriptedWebSocketPeer proxy)
      throws IOException {
    ScriptedWebSocketPeer server =
        bed.peer(
            answering(
                "HTTP/1.1 200 OK\r\n\r\n" + saying("'PROXY 127.0.0.1:" + proxy.port() + "'")));
    return config(gateway, "http://127.0.0.1:" + server.port() + "/proxy.pac")
        .set(ConfigKey.PROXY_USER, "ann")
        .set(
            ConfigKey.PROXY_PASSWORD_FILE,
            Files.writeString(directory.resolve("password"), "s3cret").toString());
  }

  @Test
  void onlySocksIsNoWay() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();

    assertThatThrownBy(() -> bed.connect(config(gateway, file(saying("'SOCKS s:1080'"))).build()))
        .hasMessageContaining("by SOCKS s:1080 only; rmigate goes through HTTP proxies");
  }

  @Test
  void whatIsNotUnderstoodStopsTheConnection() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    Path file = file(saying("new Date()"));

    assertThatThrownBy(() -> bed.connect(config(gateway, file).build()))
        .hasMessage(file + ", line 2: new Date is not understood here");
    assertThat(gateway.requests()).isEmpty();
  }

  @Test
  void changedFileIsReadAgain() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ClientConfig config = config(gateway, file(saying("'SOCKS s:1'"))).build();
    WebSocketConnector connector = new WebSocketConnector(config);
    assertThatThrownBy(() -> bed.connect(connector)).hasMessageContaining("SOCKS s:1");

    file(saying("'DIRECT' /* at home */"));

    bed.connect(connector);
  }

  @Test
  void fromAServerItIsFetchedOnce() throws Exception {
    ScriptedWebSocketPeer gateway =
        bed.peer(
            ScriptedWebSocketPeer.Conversation::upgrade,
            ScriptedWebSocketPeer.Conversation::upgrade);
    ScriptedWebSocketPeer server =
        bed.peer(
            answering(
                "HTTP/1.1 200 OK\r\nContent-Type: application/x-ns-proxy-autoconfig\r\n\r\n"
                    + saying("'DIRECT'")));
    WebSocketConnector connector =
        new WebSocketConnector(
            config(gateway, "http://127.0.0.1:" + server.port() + "/proxy.pac?site=b").build());

    bed.connect(connector);
    bed.connect(connector);

    assertThat(server.requests()).hasSize(1);
    assertThat(server.requests().get(0))
        .startsWith("GET /proxy.pac?site=b HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n");
  }

  @Test
  void whereItsServerIsNotThereTheGatewayIsReachedDirectly() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ClientConfig config =
        config(gateway, "http://127.0.0.1:" + bed.refusingPort() + "/proxy.pac").build();
    GatewayDialer dialer = new GatewayDialer(config);

    bed.connect(new WebSocketConnector(config, dialer));

    assertThat(dialer.chosen().orElseThrow())
        .startsWith("no HTTP proxy (PAC file http://127.0.0.1:")
        .contains("cannot be reached: the server of the PAC file 127.0.0.1:");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 Not Found | cannot be had: 404 Not Found",
        "'302 Found\r\nLocation: https://login.hotel/' | it is at https://login.hotel/? rmigate does not follow",
        "'200 OK\r\nContent-Type: text/html' | came a web page, 'Welcome to the hotel': the login page",
      })
  void whatIsNoPacFileIsCalledSo(String status, String saying) throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer server =
        bed.peer(
            answering("HTTP/1.1 " + status + "\r\n\r\n<html><title>Welcome to the hotel</title>"));

    assertThatThrownBy(
            () ->
                bed.connect(
                    config(gateway, "http://127.0.0.1:" + server.port() + "/proxy.pac").build()))
        .hasMessageContaining(saying);
    assertThat(gateway.requests()).isEmpty();
  }
}
