package io.rmigate.client.transport.websocket;

import static io.rmigate.client.transport.TransportBed.answering;
import static io.rmigate.client.transport.TransportBed.config;
import static io.rmigate.client.transport.TransportBed.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.GatewayUnavailableException;
import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.client.transport.TransportRefusedException;
import io.rmigate.client.transport.http.HttpHead;
import io.rmigate.client.transport.http.HttpRefusedException;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The opening handshake, RFC 6455 §4, and what is said when it fails. */
@Timeout(180)
class WebSocketConnectorTest {
  @RegisterExtension final TransportBed bed = new TransportBed();
  @TempDir Path directory;

  @Test
  void requestIsThatOfTheSpecification() throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.upgrade());

    bed.connect(config(peer));

    String request = peer.requests().get(0);
    assertThat(request)
        .startsWith("GET /rmigate/tunnel HTTP/1.1\r\n")
        .contains("\r\nHost: 127.0.0.1:" + peer.port() + "\r\n")
        .contains("\r\nUpgrade: websocket\r\n")
        .contains("\r\nConnection: Upgrade\r\n")
        .contains("\r\nSec-WebSocket-Version: 13\r\n")
        .contains("\r\nSec-WebSocket-Protocol: rmigate.1\r\n")
        .doesNotContain("Sec-WebSocket-Extensions")
        .doesNotContain("Authorization");
    String key = request.replaceAll("(?s).*Sec-WebSocket-Key: (\\S+).*", "$1");
    assertThat(Base64.getDecoder().decode(key)).hasSize(16);
  }

  @Test
  void acceptIsThatOfTheSpecification() {
    // RFC 6455 §1.3
    assertThat(WebSocketProtocol.acceptOf("dGhlIHNhbXBsZSBub25jZQ=="))
        .isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  }

  @Test
  void passwordIsReadAnewForEachConnection() throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.upgrade(), c -> c.upgrade());
    Path password = Files.writeString(directory.resolve("password"), "first\n");
    WebSocketConnector connector =
        new WebSocketConnector(
            ClientConfig.builder().gateways(url(peer)).user("ümit", password).build());

    bed.connect(connector);
    Files.writeString(password, "sécond\r\nrest is ignored");
    bed.connect(connector);

    assertThat(peer.requests().get(0)).contains(basic("ümit:first"));
    assertThat(peer.requests().get(1)).contains(basic("ümit:sécond"));
  }

  @Test
  void tokenIsReadAnewForEachConnection() throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.upgrade(), c -> c.upgrade());
    Path token = Files.writeString(directory.resolve("token"), "aaa.bbb.ccc");
    WebSocketConnector connector =
        new WebSocketConnector(ClientConfig.builder().gateways(url(peer)).tokenFile(token).build());

    bed.connect(connector);
    Files.writeString(token, "ddd.eee.f-_=\n");
    bed.connect(connector);

    assertThat(peer.requests().get(0)).contains("\r\nAuthorization: Bearer aaa.bbb.ccc\r\n");
    assertThat(peer.requests().get(1)).contains("\r\nAuthorization: Bearer ddd.eee.f-_=\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "line\u0001"})
  void unusableTokenIsNotSent(String content) throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(c -> assertThat(c.atEnd()).isTrue());
    Path token = Files.writeString(directory.resolve("token"), content);
    ClientConfig config = ClientConfig.builder().gateways(url(peer)).tokenFile(token).build();

    assertThatThrownBy(() -> bed.connect(config))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("token-file " + token);
    peer.awaitEnd();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'200 OK\r\nContent-Type: text/html\r\n\r\n<title>Hotel</title>' | a web page, 'Hotel', where 101",
        "401 Unauthorized | none is configured; set user= and password-file=",
        "404 Not Found | context path",
        "407 Proxy Authentication Required | set proxy=",
        "421 Misdirected Request | have its operator add this one to hosts",
      })
  void refusalSaysWhatToDo(String status, String saying) throws IOException {
    assertRefused(HttpRefusedException.class, status, saying);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 OK | 101 Switching Protocols was expected",
        "400 Bad Request | pass Upgrade on",
        "403 Forbidden | may not use the tunnel",
        "405 Method Not Allowed | 101 Switching Protocols was expected",
        "426 Upgrade Required | pass Upgrade on",
        "501 Not Implemented | pass Upgrade on",
      })
  void refusalOfTheUpgradeAloneLeavesAnotherTransportItsChance(String status, String saying)
      throws IOException {
    assertRefused(TransportRefusedException.class, status, saying);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "429 Too Many Requests | full",
        "500 Internal Server Error | is this an rmigate gateway?",
        "502 Bad Gateway | is the gateway up?",
        "503 Service Unavailable | draining",
        "504 Gateway Timeout | is the gateway up?",
      })
  void gatewayThatCannotServeNowIsToldFromOneThatRefuses(String status, String saying)
      throws IOException {
    assertRefused(GatewayUnavailableException.class, status, saying);
  }

  private void assertRefused(Class<? extends IOException> type, String status, String saying)
      throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(answering("HTTP/1.1 " + status + "\r\n\r\n"));

    assertThatThrownBy(() -> bed.connect(config(peer)))
        .isExactlyInstanceOf(type)
        .hasMessageContaining(url(peer).toString())
        .hasMessageContaining(saying);
  }

  @Test
  void refusedLoginIsNamedWithoutItsPassword() throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(answering("HTTP/1.1 401 Unauthorized\r\n\r\n"));
    Path password = Files.writeString(directory.resolve("password"), "hunter2");
    ClientConfig config = ClientConfig.builder().gateways(url(peer)).user("ann", password).build();

    assertThatThrownBy(() -> bed.connect(config))
        .hasMessageContaining("user 'ann'")
        .hasMessageContaining("password-file " + password)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void redirectIsNamedAndNotFollowed() throws IOException {
    ScriptedWebSocketPeer peer =
        bed.peer(
            answering("HTTP/1.1 302 Found\r\nLocation: https://login.example/\u001b[2J\r\n\r\n"));

    assertThatThrownBy(() -> bed.connect(config(peer)))
        .hasMessageContaining("points to https://login.example/?[2J")
        .hasMessageContaining("does not follow");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Upgrade: websocket | Upgrade: h2c | Upgrade: websocket",
        "Connection: Upgrade | Connection: close | Connection: Upgrade",
        "rmigate.1 | rmigate.2 | Sec-WebSocket-Protocol: rmigate.1, got rmigate.2",
        "Sec-WebSocket-Protocol: | X: | Sec-WebSocket-Protocol: rmigate.1, got none",
        "Accept: | Accept: x | Sec-WebSocket-Accept",
        "Connection: Upgrade | Connection: Upgrade\\r\\nSec-WebSocket-Extensions: permessage-deflate | no Sec-WebSocket-Extensions",
      })
  void wrongAnswerIsAViolation(String right, String wrong, String saying) throws IOException {
    String replacement = wrong.replace("\\r\\n", "\r\n");
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              String answer = ScriptedWebSocketPeer.switchingProtocols(c.readRequest());
              c.send(answer.replace(right, replacement));
            });

    assertThatThrownBy(() -> bed.connect(config(peer)))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining(saying);
  }

  @Test
  void fieldNamesAndTokensHaveNoCase() throws IOException {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              String answer = ScriptedWebSocketPeer.switchingProtocols(c.readRequest());
              c.send(
                  answer
                      .replace("Upgrade: websocket", "upgrade:WebSocket")
                      .replace("Connection: Upgrade", "CONNECTION: keep-alive, UPGRADE")
                      .replace("Sec-WebSocket", "sec-websocket"));
            });

    bed.connect(config(peer));
  }

  @Test
  void answerMayComeInPiecesAndAfterInterimOnes() throws IOException {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              String answer = ScriptedWebSocketPeer.switchingProtocols(c.readRequest());
              c.socket().setTcpNoDelay(true);
              for (char letter :
                  ("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + answer).toCharArray()) {
                c.send(String.valueOf(letter));
              }
              c.sendHex("8201 2a");
            });
    byte[] target = new byte[5];

    assertThat(bed.connect(config(peer)).read(target, 0, 5)).isEqualTo(1);
    assertThat(target[0]).isEqualTo((byte) 0x2a);
  }

  @Test
  void framesBehindTheAnswerAreNotLost() throws IOException {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              String answer = ScriptedWebSocketPeer.switchingProtocols(c.readRequest());
              c.send(answer + "\u0082\u0002*+\u0082"); // a frame and a half in the same packet
              c.sendHex("01 2c");
            });
    WebSocketTransport transport = bed.connect(config(peer));
    byte[] target = new byte[5];

    for (int done = 0; done < 3; ) {
      done += transport.read(target, done, 5 - done);
    }
    assertThat(target).startsWith(0x2a, 0x2b, 0x2c);
  }

  @Test
  void endlessHeadIsRefused() throws IOException {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.readRequest();
              c.send("HTTP/1.1 101 Switching Protocols\r\nX: " + "a".repeat(HttpHead.MAX_BYTES));
              c.atEnd();
            });

    assertThatThrownBy(() -> bed.connect(config(peer)))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("at most 16384 bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"
      })
  void whatIsNotHttpIsAViolation(String answer) throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(answering(answer));

    assertThatThrownBy(() -> bed.connect(config(peer)))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining(url(peer).toString());
  }

  @Test
  void connectionEndedInsteadOfAnAnswer() throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.readRequest());

    assertThatThrownBy(() -> bed.connect(config(peer)))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("closed the connection instead of answering");
  }

  @Test
  void silenceEndsAtTheTimeout() throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.fallSilent());

    assertThatThrownBy(() -> new WebSocketConnector(config(peer)).connect(Duration.ofSeconds(1)))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("the handshake with " + url(peer));
  }

  @Test
  void dripOfBytesEndsAtTheTimeoutToo() throws IOException {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.readRequest();
              CountDownLatch never = new CountDownLatch(1);
              try {
                c.send("HTTP/1.1 101 X\r\n");
                while (!never.await(20, TimeUnit.MILLISECONDS)) { // each read is quick enough
                  c.send("X: y\r\n");
                }
              } catch (IOException e) {
                // the client has given up, as it should
              }
            });

    assertThatThrownBy(() -> new WebSocketConnector(config(peer)).connect(Duration.ofSeconds(1)))
        .isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void unknownHostIsNamedOnce() {
    String unknown = "x".repeat(64) + ".invalid"; // too long for DNS, so no server is asked
    assertThatThrownBy(
            () ->
                bed.connect(
                    ClientConfig.builder().gateways(URI.create("http://" + unknown)).build()))
        .isInstanceOf(UnknownHostException.class)
        .hasMessage(
            "the gateway "
                + unknown
                + " has no address: is the name right, and does DNS work"
                + " here?");
  }

  @Test
  void closedPortIsAConnectException() throws IOException {
    URI refusing = URI.create("http://127.0.0.1:" + bed.refusingPort());

    assertThatThrownBy(() -> bed.connect(ClientConfig.builder().gateways(refusing).build()))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("the gateway 127.0.0.1:" + refusing.getPort() + " cannot be reached");
  }

  @Test
  void gatewayThatCannotBeReachedIsPassedOver() throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.upgrade());
    URI refusing = URI.create("http://127.0.0.1:" + bed.refusingPort());

    assertThat(bed.connect(ClientConfig.builder().gateways(refusing, url(peer)).build()).toString())
        .endsWith(url(peer).toString());
  }

  @Test
  void gatewayThatRefusesIsNotPassedOver() throws IOException {
    ScriptedWebSocketPeer first = bed.peer(answering("HTTP/1.1 403 Forbidden\r\n\r\n"));
    ScriptedWebSocketPeer second = bed.peer(c -> c.upgrade());

    assertThatThrownBy(
            () -> bed.connect(ClientConfig.builder().gateways(url(first), url(second)).build()))
        .hasMessageContaining("403");
    assertThat(second.requests()).isEmpty();
  }

  @Test
  void proxySelectorOfTheApplicationIsNotAsked() throws IOException {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.upgrade());
    ProxySelector before = ProxySelector.getDefault();
    List<URI> asked = new ArrayList<>();
    ProxySelector.setDefault(
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            asked.add(uri);
            return List.of(Proxy.NO_PROXY);
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException e) {}
        });
    try {
      bed.connect(config(peer));
    } finally {
      ProxySelector.setDefault(before);
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void gatewayMayHaveAnIpv6Address() throws IOException {
    InetAddress loopback =
        InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    ServerSocket server;
    try {
      server = new ServerSocket(0, 50, loopback);
    } catch (IOException e) {
      Assumptions.abort("this machine has no IPv6: " + e.getMessage());
      return;
    }
    ScriptedWebSocketPeer peer = bed.peer(server, c -> c.upgrade());

    bed.connect(ClientConfig.builder().gateways(URI.create("http://[::1]:" + peer.port())).build());

    assertThat(peer.requests().get(0))
        .startsWith("GET /tunnel HTTP/1.1\r\n")
        .contains("Host: [::1]:" + peer.port());
  }

  private static String basic(String pair) {
    return "\r\nAuthorization: Basic "
        + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))
        + "\r\n";
  }
}
