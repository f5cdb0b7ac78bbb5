package io.rmigate.client.transport.websocket;

import static io.rmigate.client.transport.TransportBed.config;
import static io.rmigate.client.transport.TransportBed.url;
import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.ScriptedWebSocketPeer.Conversation;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The HELLO that travels with the request to upgrade (PROTOCOL.md, section 4). */
@Timeout(180)
class EarlyHelloTest {
  private static final Hello HELLO = hello(Map.of("client", "rmigate test"));

  @RegisterExtension final TransportBed bed = new TransportBed();
  @TempDir Path directory;

  private static Hello hello(Map<String, String> properties) {
    return new Hello(1, 1, Set.of(), SessionToken.NONE, 0, 1024, List.of("identity"), properties);
  }

  private static byte[] bytes(Hello hello) {
    FrameOutput frame = new FrameOutput(256);
    frame.append(hello);
    return frame.toByteArray();
  }

  /** The frame in the header of a request; empty if it has none. */
  private static Optional<byte[]> carried(String request) {
    return request
        .lines()
        .filter(line -> line.startsWith(Tunnel.HELLO_HEADER + ": "))
        .map(line -> line.substring(Tunnel.HELLO_HEADER.length() + 2))
        .map(Base64.getUrlDecoder()::decode)
        .findFirst();
  }

  /**
   * The answer of a gateway that has taken the hello.
   *
   * @param millis duration of the login, as the answer states it
   */
  private static String taking(String request, String millis) {
    return ScriptedWebSocketPeer.switchingProtocols(request)
        .replace(
            "rmigate.1\r\n",
            Tunnel.HELLO_SUBPROTOCOL + "\r\n" + Tunnel.HELLO_HEADER + ": " + millis + "\r\n");
  }

  private WebSocketTransport connect(ScriptedWebSocketPeer peer, Hello hello) throws IOException {
    return bed.closing(new WebSocketConnector(config(peer)).connect(PATIENCE, hello));
  }

  private static void write(WebSocketTransport transport, byte[] bytes) throws IOException {
    transport.write(bytes.clone(), 0, bytes.length);
  }

  private static byte[] read(WebSocketTransport transport, int length) throws IOException {
    byte[] bytes = new byte[length];
    for (int count = 0; count < length; ) {
      count += transport.read(bytes, count, length - count);
    }
    return bytes;
  }

  @Test
  void aHelloTravelsWithTheRequest() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              String request = c.readRequest();
              assertThat(carried(request)).hasValue(bytes(HELLO));
              assertThat(request).contains("\r\nSec-WebSocket-Protocol: rmigate.1, rmigate.1h\r\n");
              c.send(taking(request, "0"));
              c.sendHex("8202 0405"); // at once
              assertThat(c.readFrame()).isEqualTo("82 090807");
            });
    WebSocketTransport transport = connect(peer, HELLO);

    assertThat(transport.helloNanos()).isPresent();
    assertThat(read(transport, 2)).containsExactly(4, 5);
    write(transport, new byte[] {9, 8, 7});
    peer.awaitEnd();
  }

  /** A proxy may have dropped the header from the request. */
  @Test
  void aHeaderInTheAnswerAloneTellsNothing() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c ->
                c.send(
                    taking(c.readRequest(), "0")
                        .replace(Tunnel.HELLO_SUBPROTOCOL, Tunnel.SUBPROTOCOL)));

    assertThat(connect(peer, HELLO).helloNanos()).isEmpty();
  }

  @Test
  void aGatewayThatTakesAHelloThatItWasNotSentIsNone() throws Exception {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.send(taking(c.readRequest(), "0")));

    assertThatThrownBy(() -> bed.connect(peer))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("Sec-WebSocket-Protocol: rmigate.1");
  }

  @Test
  void aGatewayThatDoesNotKnowTheHeaderGetsTheHelloAsAFrame() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.upgrade();
              assertThat(c.readFrame()).isEqualTo("82 " + HexFormat.of().formatHex(bytes(HELLO)));
            });
    WebSocketTransport transport = connect(peer, HELLO);

    assertThat(transport.helloNanos()).isEmpty();
    write(transport, bytes(HELLO));
    peer.awaitEnd();
  }

  /** The welcome shows that frames come from the gateway, and not that ours get there. */
  @Test
  void aWelcomeIsNoAnswerToThePing() throws Exception {
    byte[] long1 = new byte[100];
    long1[99] = 1;
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.send(taking(c.readRequest(), "0"));
              c.sendHex("8202 0405 8264" + HexFormat.of().formatHex(long1));
              assertThat(c.readFrame()).isEqualTo("89 ");
              c.sendHex("8a00 8201 06");
            });
    WebSocketTransport transport =
        bed.closing(new WebSocketConnector(config(peer)).proving().connect(PATIENCE, HELLO));

    byte[] all = read(transport, 103);
    assertThat(all).startsWith(4, 5).endsWith(0, 1, 6);
    peer.awaitEnd();
  }

  @Test
  void aConnectionWhosePingIsNotAnsweredIsGivenUp() throws Exception {
    Hello resumable =
        new Hello(
            1, 1, Set.of(Feature.RESUME), SessionToken.NONE, 0, 9, List.of("identity"), Map.of());
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.send(taking(c.readRequest(), "0"));
              c.sendHex("8201 06");
              c.fallSilent();
            });
    WebSocketConnector connector = new WebSocketConnector(config(peer)).proving();
    WebSocketTransport transport = bed.closing(connector.connect(PATIENCE, resumable));

    assertThat(read(transport, 1)).containsExactly(6);
    assertThatThrownBy(() -> read(transport, 1)).hasMessageContaining("no frame of ours");
    assertThat(transport.isUnproven()).isTrue();
  }

  /** The loss of the connection is none to a session that can be resumed: no round trip for it. */
  @Test
  void thePingOfASessionThatCanBeResumedIsAnsweredLater() throws Exception {
    Hello resumable =
        new Hello(
            1,
            1,
            Set.of(Feature.RESUME),
            SessionToken.NONE,
            0,
            1024,
            List.of("identity"),
            Map.of());
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.send(taking(c.readRequest(), "0"));
              assertThat(c.readFrame()).isEqualTo("89 ");
              assertThat(c.readFrame()).isEqualTo("82 01"); // before the answer
              c.sendHex("8a00 8201 06");
              c.fallSilent();
            });
    WebSocketConnector connector = new WebSocketConnector(config(peer)).proving();
    WebSocketTransport transport = bed.closing(connector.connect(PATIENCE, resumable));
    assertThat(transport.isUnproven()).isTrue();
    write(transport, new byte[] {1});
    assertThat(read(transport, 1)).containsExactly(6);
    assertThat(transport.isUnproven()).isFalse();
  }

  @Test
  void theTimeThatTheGatewayTookIsNotTheNetworks() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> c.send(taking(c.readRequest(), Long.toString(Long.MAX_VALUE))),
            c -> c.send(taking(c.readRequest(), "-5")));

    assertThat(connect(peer, HELLO).helloNanos()).hasValue(0);
    assertThat(connect(peer, HELLO).helloNanos().orElseThrow()).isPositive();
  }

  @Test
  void anAnswerThatIsNoTimeIsNotAGateways() throws Exception {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.send(taking(c.readRequest(), "soon")));

    assertThatThrownBy(() -> connect(peer, HELLO))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("a number of milliseconds");
  }

  /** HTTP servers and proxies log headers. */
  @Test
  void noTokenOfASessionStandsInAHeader() throws Exception {
    ScriptedWebSocketPeer peer = bed.peer(Conversation::upgrade);
    Hello resuming = HELLO.resuming(SessionToken.of(new byte[SessionToken.BYTES]), 17);

    assertThatThrownBy(() -> connect(peer, resuming)).isInstanceOf(IllegalArgumentException.class);
    connect(peer, HELLO);
    assertThat(peer.requests()).hasSize(1);
  }

  @Test
  void aLongHelloDoesNotTravelWithTheRequest() throws Exception {
    Hello many = hello(Map.of("preload", "x".repeat(Tunnel.MAX_EARLY_HELLO_BYTES)));
    ScriptedWebSocketPeer peer = bed.peer(Conversation::upgrade);

    connect(peer, many);

    assertThat(peer.requests().get(0)).doesNotContain(Tunnel.HELLO_HEADER);
  }

  /** Servers limit heads to 8 KiB, as a rule. */
  @Test
  void noHelloTravelsWithALongRequest() throws Exception {
    ScriptedWebSocketPeer peer = bed.peer(Conversation::upgrade);
    Path token = Files.writeString(directory.resolve("token"), "t".repeat(4000));
    ClientConfig config = ClientConfig.builder().gateways(url(peer)).tokenFile(token).build();

    bed.closing(new WebSocketConnector(config).connect(PATIENCE, HELLO));

    assertThat(peer.requests().get(0)).doesNotContain(Tunnel.HELLO_HEADER);
  }
}
