package io.rmigate.gateway.edge;

import static io.rmigate.gateway.login.UserLines.user;
import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.FrameSocket;
import io.rmigate.gateway.testing.Handshake;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HELLO in the request to upgrade, asked byte by byte (PROTOCOL.md, section 4). */
class EarlyHelloTest {
  private static final String YAML =
      """
      insecure: true
      state: state
      logins:
        basic:
          users-file: users
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      admin:
        principals: [alice, bob]
      """;

  private static final String BOTH =
      "Sec-WebSocket-Protocol: " + Tunnel.SUBPROTOCOL + ", " + Tunnel.HELLO_SUBPROTOCOL;
  private static final String ALICE = "Authorization: " + basic("alice", "wonder");
  private static final String BOB = "Authorization: " + basic("bob", "builder");

  @TempDir Path directory;
  private RunningGateway gateway;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(directory.resolve("users"), user("alice", "wonder") + user("bob", "builder"));
    gateway = RunningGateway.start(directory, YAML);
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private static Hello hello(SessionToken session, Map<String, String> properties) {
    return new Hello(
        Tunnel.VERSION,
        Tunnel.VERSION,
        Set.of(Feature.RESUME),
        session,
        0,
        1024,
        List.of(Welcome.IDENTITY),
        properties);
  }

  private static Hello hello() {
    return hello(SessionToken.NONE, Map.of());
  }

  private static byte[] bytes(Frame... frames) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Frame frame : frames) {
      bytes.writeBytes(FrameSocket.bytes(frame));
    }
    return bytes.toByteArray();
  }

  private static String header(byte[] bytes) {
    return Tunnel.HELLO_HEADER
        + ": "
        + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private FrameSocket open(String... headers) throws IOException {
    return FrameSocket.openWith(gateway.uri(), List.of(headers));
  }

  private static boolean isTaken(FrameSocket socket) {
    return socket
        .head()
        .contains("\r\nSec-WebSocket-Protocol: " + Tunnel.HELLO_SUBPROTOCOL + "\r\n");
  }

  /** The next frames of the link, at least one. */
  private static List<Frame> frames(FrameSocket socket) throws IOException {
    List<Frame> frames = new ArrayList<>();
    FrameReader reader = new FrameReader(frames::add);
    while (frames.isEmpty() || !reader.atFrameBoundary()) {
      byte[] payload = socket.receive().payload();
      reader.feed(payload, 0, payload.length);
    }
    return frames;
  }

  private int sessions() throws Exception {
    JsonNode sessions =
        new ObjectMapper()
            .readTree(
                gateway.get("/admin/sessions", "Authorization", basic("alice", "wonder")).body());
    return sessions.size();
  }

  @Test
  void theWelcomeFollowsTheAnswerAtOnce() throws Exception {
    try (FrameSocket socket = open(ALICE, BOTH, header(bytes(hello())))) {
      assertThat(isTaken(socket)).isTrue();
      assertThat(frames(socket).get(0)).isInstanceOf(Welcome.class);

      socket.send(FrameSocket.BINARY, true, bytes(new Heartbeat(7)));

      assertThat(frames(socket)).contains(new HeartbeatAck(7));
    }
  }

  /** The position of an agent begins with its HELLO, in the request too. */
  @Test
  void theSessionIsResumedBehindTheHello() throws Exception {
    Welcome welcome;
    try (FrameSocket socket = open(ALICE, BOTH, header(bytes(hello())))) {
      welcome = (Welcome) frames(socket).get(0);
      socket.send(FrameSocket.BINARY, true, bytes(new Heartbeat(1)));
      assertThat(frames(socket)).contains(new HeartbeatAck(1));
    }
    try (FrameSocket socket = open(ALICE)) {
      socket.send(FrameSocket.BINARY, true, bytes(hello().resuming(welcome.session(), 0)));

      Welcome again = (Welcome) frames(socket).get(0);

      assertThat(again.received()).isEqualTo(bytes(hello(), new Heartbeat(1)).length);
    }
  }

  @Test
  void aSecondHelloIsAViolation() throws Exception {
    try (FrameSocket socket = open(ALICE, BOTH, header(bytes(hello())))) {
      assertThat(frames(socket).get(0)).isInstanceOf(Welcome.class);
      socket.send(FrameSocket.BINARY, true, bytes(hello()));
      assertThat(frames(socket)).hasAtLeastOneElementOfType(Goodbye.class);
    }
  }

  @Test
  void withoutALoginNothingIsTaken() throws Exception {
    List<String> head = Handshake.ask(gateway.uri(), "", BOTH, header(bytes(hello())));

    assertThat(head.get(0)).startsWith("HTTP/1.1 401");
    assertThat(sessions()).isZero();
  }

  @Test
  void whatIsNotOneHelloForANewSessionIsIgnored() throws Exception {
    Welcome others;
    try (FrameSocket bob = open(BOB, BOTH, header(bytes(hello())))) {
      others = (Welcome) frames(bob).get(0);
      byte[] one = bytes(hello());
      String tooLong = "x".repeat(Tunnel.MAX_EARLY_HELLO_BYTES);
      SessionToken own = others.session();
      Map<String, List<String>> hostile =
          Map.ofEntries(
              Map.entry("empty", List.of(Tunnel.HELLO_HEADER + ": ")),
              Map.entry("no Base64", List.of(header(one) + "*")),
              Map.entry("the other alphabet", List.of(Tunnel.HELLO_HEADER + ": ++//")),
              Map.entry("twice", List.of(header(one), header(one))),
              Map.entry("two frames", List.of(header(bytes(hello(), hello())))),
              Map.entry(
                  "a stream behind it",
                  List.of(
                      header(
                          bytes(
                              hello(),
                              new Open(1, "rmi.example", 1099, Duration.ZERO, Duration.ZERO))))),
              Map.entry("half of it", List.of(header(Arrays.copyOf(one, 9)))),
              Map.entry("another frame", List.of(header(bytes(new Heartbeat(1))))),
              Map.entry("noise", List.of(header(new byte[] {1, 2, 3, 4}))),
              Map.entry(
                  "too long",
                  List.of(header(bytes(hello(SessionToken.NONE, Map.of("preload", tooLong)))))),
              Map.entry("another's session", List.of(header(bytes(hello(own, Map.of()))))),
              Map.entry(
                  "a position", List.of(header(bytes(hello().resuming(SessionToken.NONE, 5))))));
      int before = sessions();
      for (Map.Entry<String, List<String>> each : hostile.entrySet()) {
        List<String> headers = new ArrayList<>(List.of(ALICE, BOTH));
        headers.addAll(each.getValue());
        try (FrameSocket socket = FrameSocket.openWith(gateway.uri(), headers)) {
          assertThat(isTaken(socket)).as(each.getKey()).isFalse();

          socket.send(FrameSocket.BINARY, true, bytes(hello()));

          assertThat(frames(socket).get(0)).as(each.getKey()).isInstanceOf(Welcome.class);
        }
      }
      assertThat(before).isEqualTo(1);
      bob.send(FrameSocket.BINARY, true, bytes(new Heartbeat(2)));
      assertThat(frames(bob)).as("bob's session").contains(new HeartbeatAck(2));
    }
  }

  /** An agent that does not offer the subprotocol could not be told that its HELLO was taken. */
  @Test
  void aHeaderAloneIsIgnored() throws Exception {
    try (FrameSocket socket = open(ALICE, header(bytes(hello())))) {
      assertThat(isTaken(socket)).isFalse();
      socket.send(FrameSocket.BINARY, true, bytes(hello()));
      assertThat(frames(socket).get(0)).isInstanceOf(Welcome.class);
    }
  }
}
