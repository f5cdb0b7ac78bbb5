package io.rmigate.gateway.edge;

import static io.rmigate.gateway.login.UserLines.user;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that end from outside: their logins are withdrawn, or an administrator ends them. */
class WithdrawnLoginsTest {
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
      """;

  @TempDir Path directory;

  /** An agent's session, by the JDK's WebSocket. */
  private static final class Link implements WebSocket.Listener {
    private final List<Frame> frames = new CopyOnWriteArrayList<>();
    private final FrameReader reader = new FrameReader(frames::add);
    private WebSocket socket;

    static Link open(RunningGateway gateway, String name, String password) {
      Link link = new Link();
      link.socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .header("Authorization", RunningGateway.basic(name, password))
              .subprotocols(Tunnel.SUBPROTOCOL)
              .buildAsync(
                  URI.create(gateway.uri().toString().replace("http", "ws") + "/tunnel"), link)
              .join();
      link.say(
          new Hello(
              Tunnel.VERSION,
              Tunnel.VERSION,
              Set.of(),
              SessionToken.NONE,
              0,
              256 * 1024,
              List.of(Welcome.IDENTITY),
              Map.of()));
      await().until(() -> !link.received(Welcome.class).isEmpty());
      return link;
    }

    void say(Frame frame) {
      FrameOutput out = new FrameOutput(256);
      out.append(frame);
      socket.sendBinary(ByteBuffer.wrap(out.toByteArray()), true).join();
    }

    <F extends Frame> List<F> received(Class<F> type) {
      return frames.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
      try {
        reader.feed(data);
      } catch (IOException notOurProtocol) {
        throw new UncheckedIOException(notOurProtocol);
      }
      from.request(1);
      return null;
    }
  }

  @Test
  void anAdministratorEndsOneSessionAndNoOther() throws Exception {
    Files.writeString(directory.resolve("users"), user("alice", "wonder") + user("bob", "build"));
    String yaml = YAML + "admin:\n  principals: [bob]\naudit:\n  path: audit.jsonl\n";
    String id;
    try (RunningGateway gateway = RunningGateway.start(directory, yaml)) {
      Link ofAlice = Link.open(gateway, "alice", "wonder");
      Link ofBob = Link.open(gateway, "bob", "build");
      String bob = RunningGateway.basic("bob", "build");
      JsonNode sessions =
          new ObjectMapper().readTree(gateway.get("/admin/sessions", "Authorization", bob).body());
      assertThat(sessions).hasSize(2);
      id =
          sessions
              .at(sessions.at("/0/principal").asText().equals("alice") ? "/0/id" : "/1/id")
              .asText();

      assertThat(gateway.send("DELETE", "/admin/sessions/" + id, "Authorization", bob).statusCode())
          .isEqualTo(200);

      await().until(() -> !ofAlice.received(Goodbye.class).isEmpty());
      assertThat(ofAlice.received(Goodbye.class))
          .containsExactly(
              new Goodbye(CloseCause.NOT_PERMITTED, "an administrator has ended the session"));
      ofBob.say(new Heartbeat(7));
      await().until(() -> !ofBob.received(HeartbeatAck.class).isEmpty());
      assertThat(ofBob.received(Goodbye.class)).isEmpty();
    }
    assertThat(
            Files.readAllLines(directory.resolve("audit.jsonl")).stream()
                .filter(line -> line.contains("\"event\":\"admin\",\"outcome\":\"ended\"")))
        .singleElement()
        .asString()
        .contains("\"principal\":\"bob\"", "\"session\":\"" + id + "\"");
  }

  @Test
  void whoIsTakenOutOfTheUsersFileLosesTheSessionAndNobodyElseDoes() throws Exception {
    String alice = user("alice", "wonder");
    String bob = user("bob", "build");
    Path users = Files.writeString(directory.resolve("users"), alice + bob);
    try (RunningGateway gateway = RunningGateway.start(directory, YAML)) {
      Link ofAlice = Link.open(gateway, "alice", "wonder");
      Link ofBob = Link.open(gateway, "bob", "build");

      Files.writeString(users, bob);
      gateway.bootstrap().watcher().reloadIfChanged(); // or it has been, by itself

      await().until(() -> !ofAlice.received(Goodbye.class).isEmpty());
      assertThat(ofAlice.received(Goodbye.class))
          .extracting(Goodbye::cause)
          .containsExactly(CloseCause.NOT_PERMITTED);
      ofBob.say(new Heartbeat(7));
      await().until(() -> !ofBob.received(HeartbeatAck.class).isEmpty());
      assertThat(ofBob.received(Goodbye.class)).isEmpty();
    }
  }
}
