package io.rmigate.client.transport.proxy;

import static io.rmigate.client.transport.TransportBed.answering;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.client.transport.http.HttpRefusedException;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import io.rmigate.client.transport.websocket.WebSocketTransport;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.littleshoot.proxy.HttpProxyServer;
import org.littleshoot.proxy.HttpProxyServerBootstrap;
import org.littleshoot.proxy.ProxyAuthenticator;
import org.littleshoot.proxy.impl.DefaultHttpProxyServer;

/** Through HTTP proxies: a real one without login and with Basic, a scripted one for the rest. */
@Timeout(180)
class HttpTunnelTest {
  @RegisterExtension final TransportBed bed = new TransportBed();
  @TempDir Path directory;

  @Test
  void withoutLogin() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    int proxy = littleProxy(null);

    WebSocketTransport transport = bed.connect(config(gateway, "localhost:" + proxy).build());

    assertThatAnswers(transport);
    assertThat(transport.toString()).endsWith("via HTTP proxy localhost:" + proxy);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void basicLoginInUrlOrFile(boolean inUrl) throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    String proxy = "localhost:" + littleProxy("ann:s3cr@t");

    ClientConfig config =
        inUrl
            ? config(gateway, "http://ann:s3cr%40t@" + proxy).build()
            : withLogin(config(gateway, proxy), "s3cr@t").build();

    assertThatAnswers(bed.connect(config));
  }

  @Test
  void passwordIsReadAnewForEachConnection() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    String proxy = "localhost:" + littleProxy("ann:new");
    WebSocketConnector connector =
        new WebSocketConnector(withLogin(config(gateway, proxy), "old").build());
    assertThatThrownBy(() -> bed.connect(connector))
        .hasMessageContaining("refused the login of user 'ann'")
        .hasMessageContaining("proxy-password-file")
        .hasMessageNotContaining("old)");

    Files.writeString(directory.resolve("proxy-password"), "new");

    assertThatAnswers(bed.connect(connector));
  }

  @Test
  void loginThatIsWantedButNotConfigured() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    String proxy = "localhost:" + littleProxy("ann:secret");

    assertThatThrownBy(() -> bed.connect(config(gateway, proxy).build()))
        .isInstanceOf(HttpRefusedException.class)
        .hasMessageContaining("HTTP proxy " + proxy)
        .hasMessageContaining("407")
        .hasMessageContaining("Basic")
        .hasMessageContaining("set proxy-user= and proxy-password-file=");
    assertThat(gateway.requests()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"MD5", "SHA-256"})
  void digestLogin(String algorithm) throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    String challenge =
        "Digest realm=\"the proxy\", nonce=\"n1\", qop=\"auth\", opaque=\"o\", algorithm="
            + algorithm;
    ScriptedWebSocketPeer proxy =
        bed.peer(
            c -> {
              assertThat(c.readRequest()).doesNotContain("Proxy-Authorization");
              c.send(wanting("Basic realm=\"the proxy\"", challenge)); // and closes
            },
            c -> {
              String request = c.readRequest();
              assertDigest(request, algorithm, "n1", gateway.port());
              c.send("HTTP/1.0 200 Connection established\r\n\r\n");
              c.relayTo(gateway.port());
            });

    assertThatLoginSucceeds(proxy, gateway);

    assertThat(proxy.requests().get(1)).doesNotContain("Basic");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\n\r\nno, 1",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nno, 1\r\n0\r\n\r\n"
      })
  void loginGoesOverTheSameConnection(String body) throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(
            c -> {
              c.readRequest();
              c.send(
                  "HTTP/1.1 407 Who are you?\r\nProxy-Authenticate: Digest realm=\"the proxy\","
                      + " nonce=\"n1\", qop=\"auth\"\r\n"
                      + body);
              assertDigest(c.readRequest(), "MD5", "n1", gateway.port());
              letThrough(c, gateway);
            });

    assertThatLoginSucceeds(proxy, gateway);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 407 X\r\nConnection: close",
        "HTTP/1.1 407 X\r\nProxy-Connection: close",
        "HTTP/1.0 407 X"
      })
  void connectionThatIsSaidToCloseIsNotUsedAgain(String beginning) throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(
            c -> {
              c.readRequest();
              c.send(
                  beginning + "\r\nProxy-Authenticate: Basic realm=r\r\nContent-Length: 0\r\n\r\n");
              assertThat(c.atEnd()).isTrue(); // not another request
            },
            c -> {
              c.readRequest();
              letThrough(c, gateway);
            });

    assertThatLoginSucceeds(proxy, gateway);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\n\r\n5\r\nno",
        "Content-Length: 99\r\n\r\nno",
        "Transfer-Encoding: chunked\r\n\r\n?\r\n"
      })
  void pageThatIsCutDoesNotKeepFromLoggingIn(String body) throws Exception {
    assertThatLogsInBehind(body, c -> {});
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Transfer-Encoding: chunked\r\n\r\n5\r\nno", "Content-Length: 99\r\n\r\nno"})
  void pageThatDoesNotComeDoesNotKeepFromLoggingIn(String body) throws Exception {
    assertThatLogsInBehind(body, ScriptedWebSocketPeer.Conversation::readToEnd);
  }

  private static void letThrough(
      ScriptedWebSocketPeer.Conversation c, ScriptedWebSocketPeer gateway) throws IOException {
    c.send("HTTP/1.1 200 OK\r\n\r\n");
    c.relayTo(gateway.port());
  }

  private void assertThatLoginSucceeds(ScriptedWebSocketPeer proxy, ScriptedWebSocketPeer gateway)
      throws Exception {
    assertThatAnswers(
        bed.connect(withLogin(config(gateway, "127.0.0.1:" + proxy.port()), "pass").build()));
  }

  private void assertThatLogsInBehind(String body, ScriptedWebSocketPeer.Script then)
      throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(
            c -> {
              c.readRequest();
              c.send("HTTP/1.1 407 X\r\nProxy-Authenticate: Basic realm=r\r\n" + body);
              then.play(c);
            },
            c -> {
              assertThat(c.readRequest()).contains("Proxy-Authorization: Basic ");
              letThrough(c, gateway);
            });

    assertThatLoginSucceeds(proxy, gateway);
  }

  @Test
  void gatewayThatTheProxyDoesNotReachForTheJdkIsAConnectExceptionToo() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(
            answering("HTTP/1.1 407 X\r\nProxy-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n"),
            answering("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n"));

    assertThatThrownBy(() -> bed.connect(config(gateway, "127.0.0.1:" + proxy.port()).build()))
        .isInstanceOf(ProxyRefusedException.class)
        .hasMessageContaining("answered 407 X to CONNECT")
        .hasMessageContaining("; the JDK: ");
  }

  @Test
  void loginIsSentToTheHttpProxyOnly() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();

    bed.connect(
        config(gateway, "http://ann:s3cret@localhost:" + littleProxy("ann:s3cret")).build());

    assertThat(gateway.requests()).hasSize(1);
    assertThat(gateway.requests().get(0)).doesNotContain("Proxy-Authorization");
  }

  @Test
  void noPasswordIsInAnyText() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ClientConfig config =
        config(gateway, "http://ann:s3cret@localhost:" + littleProxy("ann:other")).build();
    WebSocketConnector connector = new WebSocketConnector(config);

    assertThatThrownBy(() -> bed.connect(connector))
        .hasMessageContaining("refused the login of user 'ann'")
        .satisfies(
            e -> {
              StringWriter trace = new StringWriter();
              e.printStackTrace(new PrintWriter(trace));
              assertThat(trace + " " + config + connector)
                  .doesNotContain("s3cret")
                  .doesNotContain(Base64.getEncoder().encodeToString("ann:s3cret".getBytes(UTF_8)));
            });
  }

  @Test
  void strongestSchemeIsTaken() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(
            c -> {
              c.readRequest();
              c.send(
                  wanting(
                      "Negotiate, Basic realm=\"r\"",
                      "Digest realm=\"r\", nonce=\"m\", qop=\"auth\", algorithm=MD5",
                      "Digest realm=\"r\", nonce=\"s\", qop=\"auth\", algorithm=SHA-256"));
            },
            c -> {
              assertThat(c.readRequest()).contains("algorithm=SHA-256").contains("nonce=\"s\"");
              letThrough(c, gateway);
            });

    assertThatLoginSucceeds(proxy, gateway);
  }

  @Test
  void staleNonceIsAnsweredOnceMore() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(
            c -> {
              c.readRequest();
              c.send(wanting("Digest realm=\"the proxy\", nonce=\"n1\", qop=\"auth\""));
            },
            c -> {
              assertDigest(c.readRequest(), "MD5", "n1", gateway.port());
              c.send(wanting("Digest realm=\"the proxy\", nonce=\"n2\", qop=\"auth\", stale=true"));
            },
            c -> {
              assertDigest(c.readRequest(), "MD5", "n2", gateway.port());
              letThrough(c, gateway);
            });

    assertThatLoginSucceeds(proxy, gateway);
  }

  @Test
  void refusedLoginIsNotTriedAgain() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer.Script refusing =
        c -> {
          c.readRequest();
          c.send(wanting("Digest realm=\"r\", nonce=\"n\", qop=\"auth\""));
        };
    ScriptedWebSocketPeer proxy = bed.peer(refusing, refusing);

    assertThatThrownBy(
            () -> bed.connect(withLogin(config(gateway, "127.0.0.1:" + proxy.port()), "x").build()))
        .hasMessageContaining("refused the login of user 'ann'");
    assertThat(proxy.requests()).hasSize(2); // more could lock the account
  }

  @Test
  void unknownSchemesAreNamed() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(
            c -> {
              c.readRequest();
              c.send(wanting("Hawk", "Digest nonce=n, qop=auth, algorithm=SHA-512"));
            });

    assertThatThrownBy(
            () -> bed.connect(withLogin(config(gateway, "127.0.0.1:" + proxy.port()), "x").build()))
        .hasMessageContaining("wants a login (Hawk, Digest) that could not be done")
        .hasMessageContaining("rmigate knows Basic and Digest");
    assertThat(proxy.requests()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "403 Forbidden | does not let connections to that host or port through",
        "404 Not Found | is this an HTTP proxy?",
        "'302 Found\r\nLocation: http://login.hotel/' | 'points to http://login.hotel/: a page where'",
      })
  void refusalSaysWhatToDo(String status, String saying) throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy = bed.peer(answering("HTTP/1.1 " + status + "\r\n\r\n"));

    assertThatThrownBy(() -> bed.connect(config(gateway, "127.0.0.1:" + proxy.port()).build()))
        .isInstanceOf(HttpRefusedException.class)
        .hasMessageContaining("CONNECT 127.0.0.1:" + gateway.port())
        .hasMessageContaining(status.lines().findFirst().orElseThrow())
        .hasMessageContaining(saying);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "403 Blocked | (a web page, 'Not from here'): it does not let",
        "200 OK | answered CONNECT with a web page, 'Not from here': the login page of this network",
      })
  void webPageInPlaceOfAnAnswerIsCalledByItsTitle(String status, String saying) throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(
            answering(
                "HTTP/1.1 "
                    + status
                    + "\r\nContent-Type: text/html\r\n\r\n"
                    + "<html><head><TITLE>Not from\n here</TITLE>"));

    assertThatThrownBy(() -> bed.connect(config(gateway, "127.0.0.1:" + proxy.port()).build()))
        .hasMessageContaining("127.0.0.1:" + proxy.port())
        .message()
        .contains(saying);
  }

  @Test
  void pageWithoutAnEndIsNotWaitedFor() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(
            c -> {
              c.readRequest();
              c.send("HTTP/1.1 403 No\r\nContent-Type: text/html\r\n\r\n<html>");
              c.fallSilent();
            });

    assertThatThrownBy(() -> bed.connect(config(gateway, "127.0.0.1:" + proxy.port()).build()))
        .hasMessageContaining("answered 403 No to CONNECT");
  }

  @Test
  void gatewayThatTheProxyCannotReachIsAConnectException() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy = bed.peer(answering("HTTP/1.1 502 Bad Gateway\r\n\r\n"));

    assertThatThrownBy(() -> bed.connect(config(gateway, "127.0.0.1:" + proxy.port()).build()))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("could not reach the gateway");
  }

  @Test
  void proxyThatIsNotThereIsNamed() throws Exception {
    int refusing = bed.refusingPort();
    ScriptedWebSocketPeer gateway = gateway();

    assertThatThrownBy(() -> bed.connect(config(gateway, "127.0.0.1:" + refusing).build()))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("the HTTP proxy (builder proxy) 127.0.0.1:" + refusing);
  }

  @Test
  void bytesThatNobodyAskedForAreAViolation() throws Exception {
    ScriptedWebSocketPeer gateway = gateway();
    ScriptedWebSocketPeer proxy =
        bed.peer(answering("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 101 X\r\n\r\n"));

    assertThatThrownBy(() -> bed.connect(config(gateway, "127.0.0.1:" + proxy.port()).build()))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("expected nothing behind its answer");
  }

  private static void assertDigest(String request, String algorithm, String nonce, int port)
      throws Exception {
    String uri = "127.0.0.1:" + port;
    String cnonce = field(request, "cnonce");
    String a1 = hash(algorithm, "ann:the proxy:pass");
    String a2 = hash(algorithm, "CONNECT:" + uri);
    assertThat(field(request, "uri")).isEqualTo(uri);
    assertThat(field(request, "response"))
        .isEqualTo(hash(algorithm, a1 + ":" + nonce + ":00000001:" + cnonce + ":auth:" + a2));
  }

  private static String field(String request, String name) {
    return request.replaceAll("(?s).*[ ,]" + name + "=\"([^\"]*)\".*", "$1");
  }

  private static String hash(String algorithm, String text) throws Exception {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String wanting(String... challenges) {
    return "HTTP/1.1 407 Proxy Authentication Required\r\n"
        + "Proxy-Authenticate: "
        + String.join("\r\nProxy-Authenticate: ", challenges)
        + "\r\nContent-Length: 0\r\n\r\n";
  }

  private ScriptedWebSocketPeer gateway() throws IOException {
    return bed.peer(
        c -> {
          c.upgrade();
          c.sendHex("8201 2a");
          c.readFrame();
        });
  }

  /** A real HTTP proxy; {@code login} is user:password, or null for none. */
  private int littleProxy(String login) {
    HttpProxyServerBootstrap bootstrap =
        DefaultHttpProxyServer.bootstrap()
            .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    if (login != null) {
      bootstrap.withProxyAuthenticator(
          new ProxyAuthenticator() {
            @Override
            public boolean authenticate(String user, String password) {
              return login.equals(user + ":" + password);
            }

            @Override
            public String getRealm() {
              return "little";
            }
          });
    }
    HttpProxyServer server = bootstrap.start();
    bed.closing(server::abort);
    return server.getListenAddress().getPort();
  }

  private static ClientConfig.Builder config(ScriptedWebSocketPeer gateway, String proxy) {
    return ClientConfig.builder()
        .set(ConfigKey.GATEWAY, "http://127.0.0.1:" + gateway.port() + "/rmigate")
        .set(ConfigKey.PROXY, proxy);
  }

  private ClientConfig.Builder withLogin(ClientConfig.Builder builder, String password)
      throws IOException {
    Path file = Files.writeString(directory.resolve("proxy-password"), password);
    return builder
        .set(ConfigKey.PROXY_USER, "ann")
        .set(ConfigKey.PROXY_PASSWORD_FILE, file.toString());
  }

  private static void assertThatAnswers(WebSocketTransport transport) throws IOException {
    byte[] target = new byte[1];
    assertThat(transport.read(target, 0, 1)).isEqualTo(1);
    assertThat(target[0]).isEqualTo((byte) 0x2a);
  }
}
