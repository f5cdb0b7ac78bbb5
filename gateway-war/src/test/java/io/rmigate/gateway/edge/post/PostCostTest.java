package io.rmigate.gateway.edge.post;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.edge.StrictSessions;
import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.protocol.post.ConnectionId;
import io.rmigate.protocol.post.Post;
import io.rmigate.protocol.post.PostRequest;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a POST costs the gateway in memory, from its body to what its frames ask for: no more than
 * ten times its bytes, 64 KiB, and 256 bytes for each frame, which may be as short as four. The
 * body's buffer and the scripted container's part count.
 */
class PostCostTest {
  private static final int TIMES = 10;
  private static final int BESIDES = 64 * 1024;
  private static final int OF_A_FRAME = 256;
  private static final int HEARTBEATS = 5_000;
  private static final Principal ANN = new Principal("ann", Principal.Scheme.BASIC);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Relay relay = new Relay(RelaySettings.DEFAULTS);
  private final SessionRegistry registry = StrictSessions.over(relay, Duration.ofSeconds(60));
  private final PostConnections connections =
      new PostConnections(
          registry,
          new PostConnections.Limits(Duration.ofSeconds(25), 1000, 1000),
          System::nanoTime);
  private final PostDoor door = new PostDoor(connections, DoorAudit.OFF);
  private final SecureRandom random = new SecureRandom();

  @AfterEach
  void stop() {
    connections.close();
    registry.close();
    relay.close();
  }

  private static byte[] frames(int times, Supplier<Frame> frame) {
    FrameOutput frames = new FrameOutput(1024);
    for (int i = 0; i < times; i++) {
      frames.append(frame.get());
    }
    return frames.toByteArray();
  }

  private static Hello hello(int more) {
    Map<String, String> properties = new LinkedHashMap<>();
    for (int i = 0; i < more; i++) {
      properties.put("p" + i, "");
    }
    return new Hello(
        Tunnel.VERSION,
        Tunnel.VERSION,
        Set.of(),
        SessionToken.NONE,
        0,
        64 * 1024,
        List.of(Welcome.IDENTITY),
        properties);
  }

  private long take(ConnectionId id, int number, byte[] frames) throws IOException {
    byte[] body = PostRequest.encode(id, number, 0, 0, frames, 0, frames.length);
    return take(body);
  }

  private long take(byte[] body) throws IOException {
    ScriptedExchange exchange =
        new ScriptedExchange(
            Map.of("Content-Type", Post.CONTENT_TYPE), body.length, "192.0.2.1", body, body.length);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    door.take(exchange.request(), ANN);
    exchange.takeAnswer();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void aRequestCostsNoMoreThanTenTimesItsBytesAnd64KiBBesideItsFrames() throws IOException {
    Map<String, byte[]> kinds = new LinkedHashMap<>();
    kinds.put("nothing", new byte[0]);
    kinds.put("heartbeats", frames(HEARTBEATS, () -> new Heartbeat(7)));
    kinds.put("another hello", frames(1, () -> hello(0)));
    kinds.put("no frames", new byte[30_000]);
    Map<String, String> beyond = new LinkedHashMap<>();
    for (Map.Entry<String, byte[]> kind : kinds.entrySet()) {
      long cost = Long.MAX_VALUE;
      for (int i = 0; i < 3; i++) { // the first makes what is made once
        ConnectionId id = ConnectionId.random(random);
        take(id, 1, frames(1, () -> hello(0)));
        cost = Math.min(cost, take(id, 2, kind.getValue()));
      }
      long frames = kind.getKey().equals("heartbeats") ? HEARTBEATS : 1;
      note(beyond, kind.getKey(), cost - OF_A_FRAME * frames, kind.getValue().length);
    }
    note(beyond, "greeting", greeting(0), frames(1, () -> hello(0)).length);
    note(beyond, "long greeting", greeting(60), frames(1, () -> hello(60)).length);
    take(new byte[50_000]);
    note(beyond, "no request", take(new byte[50_000]), 50_000);
    assertThat(beyond).isEmpty();
  }

  private long greeting(int more) throws IOException {
    take(ConnectionId.random(random), 1, frames(1, () -> hello(more)));
    return take(ConnectionId.random(random), 1, frames(1, () -> hello(more)));
  }

  private static void note(Map<String, String> beyond, String kind, long cost, int bytes) {
    if (cost > (long) TIMES * bytes + BESIDES) {
      beyond.put(kind, cost + " for " + bytes);
    }
  }
}
