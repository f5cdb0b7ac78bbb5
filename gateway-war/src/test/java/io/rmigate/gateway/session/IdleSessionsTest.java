package io.rmigate.gateway.session;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Open;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a session costs that has nothing to do. */
class IdleSessionsTest {
  private static final int SESSIONS = 2_000;
  private static final int STREAMS = 4;
  private static final long BOUND = 40 * 1024;

  /** Takes everything and keeps nothing, so that only the session is measured. */
  private static final class NoPort implements LinkPort {
    boolean closed;

    @Override
    public void send(ByteBuffer bytes, SendEnd end) {
      end.sendEnded(null);
    }

    @Override
    public void close(CloseCause cause) {
      closed = true;
    }

    @Override
    public String peer() {
      return "192.0.2.1";
    }
  }

  @Test
  void anIdleSessionCostsNoThreadAndLittleMemory() {
    Relay relay = new Relay(RelaySettings.DEFAULTS);
    TargetPolicy policy =
        new TargetPolicy(
            List.of(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.READING)));
    SessionRegistry registry = PlainSessions.over(relay, SessionSettings.DEFAULTS, policy);
    List<NoPort> ports = new ArrayList<>();
    begin(registry, ports); // classes, buffers of the logger
    List<WeakReference<TunnelSession>> sessions = new ArrayList<>(SESSIONS);
    long threadsBefore = ownThreads();
    long before = usedHeap();
    for (int i = 0; i < SESSIONS; i++) {
      sessions.add(new WeakReference<>(begin(registry, ports)));
    }
    long perSession = (usedHeap() - before) / SESSIONS;
    System.out.printf("idle session with %d open streams: %d bytes of heap%n", STREAMS, perSession);
    assertThat(ownThreads()).isLessThanOrEqualTo(threadsBefore);
    assertThat(registry.sessions()).hasSize(SESSIONS + 1);
    assertThat(perSession).isLessThan(BOUND);

    registry.close();
    relay.close();
    assertThat(registry.sessions()).isEmpty();
    assertThat(ports).allMatch(port -> port.closed);
    await()
        .until(
            () -> {
              usedHeap();
              return sessions.stream().allMatch(session -> session.refersTo(null));
            });
  }

  private static TunnelSession begin(SessionRegistry registry, List<NoPort> ports) {
    NoPort port = new NoPort();
    ports.add(port);
    TunnelSession session = registry.begin(port, SessionBed.ANN);
    FrameOutput out = new FrameOutput(256);
    out.append(TestAgent.greeting(1, 1, TestAgent.CREDIT));
    for (int i = 0; i < STREAMS; i++) {
      out.append(new Open(1 + 2 * i, "127.0.0.1", 1099, Duration.ZERO, Duration.ZERO));
    }
    session.onBytes(ByteBuffer.wrap(out.toByteArray()));
    return session;
  }

  private static long ownThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("rmigate-"))
        .count();
  }

  private static long usedHeap() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      used = Math.min(used, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return used;
  }
}
