package io.rmigate.client.link;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.stats.UsageCounters;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.client.transport.net.ConnectWatch;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A link that falls silent while something waits for the gateway, with heartbeats once an hour. */
class SilenceWatchTest {
  private static final Duration HEARTBEAT = Duration.ofHours(1);

  private final FakeGateway gateway = new FakeGateway();
  private final HeldGateway held = new HeldGateway();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private Link link;

  @AfterEach
  void stop() {
    held.go.countDown();
    link.close();
    timer.shutdownNow();
    NamedThreads.awaitEnd("rmigate-");
  }

  @Test
  void theSessionGoesOnOverASecondConnectionWhenTheProbeIsNotAnswered() throws Exception {
    Connection first = open();

    link.askForASign();
    first.expect(Heartbeat.class);
    first.expect(Heartbeat.class); // the probe
    held.go.countDown();

    Connection second = gateway.accept();
    await().until(() -> link.resumed() == 1);
    assertThat(second.hello().session()).isNotEqualTo(SessionToken.NONE);
    await().until(first::isClosed);
    assertThat(link.connection()).contains(second);
  }

  @Test
  void aSecondConnectionIsClosedUnusedWhenTheFirstAnswersBeforeIt() throws Exception {
    Connection first = open();

    link.askForASign();
    first.expect(Heartbeat.class);
    Heartbeat probe = first.expect(Heartbeat.class);
    await().until(() -> held.begun.get() == 1);
    long before = System.nanoTime();
    first.send(new HeartbeatAck(probe.number()));
    await().until(() -> link.hasHeardSince(before));
    held.go.countDown();

    Connection second = gateway.accept();
    await().until(second::isClosed);
    assertThat(second.hello()).isNull();
    assertThat(first.isClosed()).isFalse();
    assertThat(link.resumed()).isZero();
  }

  /** The probe goes out again on the second connection, and is answered there. */
  @Test
  void anAnswerOverTheSecondConnectionDoesNotEndIt() throws Exception {
    open();
    held.go.countDown();

    link.askForASign();
    Connection second = gateway.accept();
    second.expect(Heartbeat.class);
    await().until(() -> link.resumed() == 1);
    second.send(new HeartbeatAck(1), new Heartbeat(1));
    await().until(() -> second.unexpected().stream().anyMatch(HeartbeatAck.class::isInstance));

    held.watch.leaveOpen(new Socket()); // throws if the attempt was abandoned
    assertThat(link.connection()).contains(second);
  }

  /** A writer that the network holds does not hold up the next connection. */
  @Test
  void theSessionGoesOnAlthoughAThreadWritesToTheSilentConnection() throws Exception {
    Connection first = open();
    first.holdWrites();
    held.go.countDown();

    link.askForASign();
    await().until(first::holdsAWrite);

    Connection second = gateway.accept();
    second.expect(Heartbeat.class);
    assertThat(first.isClosed()).isTrue();
  }

  @Test
  void answeredProbesLeadToNoSecondConnection() throws Exception {
    Connection first = open();
    LinkStream stream = link.openStream("server", 1099, PATIENCE, PATIENCE);
    Thread caller = new Thread(() -> waitForEver(stream), "caller");
    caller.start();
    try {
      first.expect(Open.class);
      first.expect(Data.class);
      for (int probes = 0; probes < 3; probes++) {
        first.send(new HeartbeatAck(first.expect(Heartbeat.class).number()));
      }
      assertThat(held.begun).hasValue(0);
      assertThat(link.resumed()).isZero();
    } finally {
      link.close();
      caller.join();
    }
  }

  private static void waitForEver(LinkStream stream) {
    try {
      stream.beginRequest();
      stream.send(true, new byte[] {1}, 0, 1);
      stream.read(new byte[1], 0, 1, 0);
    } catch (IOException closed) {
      // By the end of the test.
    }
  }

  private Connection open() throws Exception {
    gateway.welcome(FakeGateway.welcomeBack(0, HEARTBEAT));
    link =
        new Link(
            gateway.connect(PATIENCE),
            new Resumption(held, PATIENCE, Duration.ofMinutes(1), OtherGateway.NOWHERE),
            new UsageCounters(),
            Compression.OFF,
            LinkListener.NONE);
    Connection first = gateway.accept();
    link.greet(PATIENCE, Map.of(), timer);
    gateway.welcome(FakeGateway.welcomeBack(first.bytesSent(), HEARTBEAT));
    return first;
  }

  /** Connects when it is let. */
  private final class HeldGateway implements TransportConnector {
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private volatile ConnectWatch watch;

    @Override
    public Transport connect(Duration timeout, ConnectWatch over) throws IOException {
      watch = over;
      return connect(timeout);
    }

    @Override
    public Transport connect(Duration timeout) throws IOException {
      begun.incrementAndGet();
      try {
        go.await();
      } catch (InterruptedException never) {
        throw new IOException(never);
      }
      return gateway.connect(timeout);
    }
  }
}
