package io.rmigate.client.link;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A session that goes on over a better connection, which is lost before it has brought a byte. */
class LinkMoveTest {
  private static final Duration HEARTBEAT = Duration.ofHours(1);

  private final FakeGateway gateway = new FakeGateway();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private Link link;

  @AfterEach
  void stop() {
    link.close();
    timer.shutdownNow();
    NamedThreads.awaitEnd("rmigate-");
  }

  @Test
  void theSessionOutlivesTheLossOfTheConnectionThatItHasMovedTo() throws Exception {
    Connection first = open(Duration.ofMinutes(1));

    Connection better = move();
    assertThat(first.isClosed()).isTrue();
    better.cut();

    assertAnswers(gateway.accept());
  }

  @Test
  void theTimeToResumeDoesNotCountFromALossBeforeTheMove() throws Exception {
    Duration grace = Duration.ofMillis(300);
    open(grace).cut();
    long lost = System.nanoTime();
    assertAnswers(gateway.accept());
    await().until(() -> System.nanoTime() - lost > grace.toNanos());

    move().cut();

    assertAnswers(gateway.accept());
  }

  /** Opens the session, which is kept so long without a connection. */
  private Connection open(Duration grace) throws Exception {
    gateway.welcome(FakeGateway.welcomeBack(0, HEARTBEAT));
    link =
        new Link(
            gateway.connect(PATIENCE),
            new Resumption(gateway, PATIENCE, grace, OtherGateway.NOWHERE),
            new UsageCounters(),
            Compression.OFF,
            LinkListener.NONE);
    Connection first = gateway.accept();
    link.greet(PATIENCE, Map.of(), timer);
    gateway.welcome(FakeGateway.welcomeBack(first.bytesSent(), HEARTBEAT));
    return first;
  }

  private Connection move() throws Exception {
    assertThat(link.moveTo(gateway.connect(PATIENCE))).isTrue();
    return gateway.accept();
  }

  private static void assertAnswers(Connection connection) throws Exception {
    await().until(() -> !connection.readers().isEmpty()); // the welcome has been read
    connection.send(new Heartbeat(1));
    connection.expect(HeartbeatAck.class);
  }
}
