package io.rmigate.client.ladder;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.Way;
import io.rmigate.testing.Interrupted;
import io.rmigate.testing.NamedThreads;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a way costs whose packets are dropped: a stagger, and not its own time. When the next one is
 * due is computed, and asserted as such; waits for dropped attempts are counted.
 */
class RaceTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final List<Way> WAYS = List.of(Way.DIRECT, Way.CONNECT, Way.WEBSOCKET);

  private final CountDownLatch testIsOver = new CountDownLatch(1);
  private final AtomicInteger droppedThatEnded = new AtomicInteger();

  @AfterEach
  void nothingIsLeft() {
    testIsOver.countDown();
    NamedThreads.awaitEnd("rmigate-way ");
  }

  /** A server behind a firewall that says nothing: longer than any bound there is. */
  private Closeable beDropped() throws IOException {
    try {
      testIsOver.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    droppedThatEnded.incrementAndGet();
    throw new IOException("dropped");
  }

  private static Closeable after(CountDownLatch others, Closeable server) throws IOException {
    try {
      others.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return server;
  }

  @Test
  void theNextWayIsDueOneStaggerAfterTheOneBeforeWhateverBecomesOfThat() {
    Duration stagger = Duration.ofMillis(250);
    Race.Pace pace = Race.every(stagger);

    assertThat(pace.nextNanos(1_000, OptionalLong.empty())).hasValue(1_000 + stagger.toNanos());
    assertThat(pace.nextNanos(1_000, OptionalLong.of(5_000))).hasValue(1_000 + stagger.toNanos());
  }

  @Test
  void nobodyWaitsForWaysWhosePacketsAreDropped() throws Exception {
    Queue<Integer> endedBefore = new ConcurrentLinkedQueue<>();
    CountDownLatch allTried = new CountDownLatch(WAYS.size()); // the last may not win before
    Closeable server = () -> {};

    Race.Result<Closeable> result =
        new Race<Closeable>(
                WAYS,
                (way, left, watch) -> {
                  endedBefore.add(droppedThatEnded.get());
                  allTried.countDown();
                  return way == Way.WEBSOCKET ? after(allTried, server) : beDropped();
                },
                Race.every(Duration.ofMillis(1)),
                failure -> false)
            .run(PATIENCE);

    assertThat(result.winner()).isSameAs(server);
    assertThat(result.overtaken()).containsExactly(Way.DIRECT, Way.CONNECT);
    assertThat(endedBefore).containsExactly(0, 0, 0);
    assertThat(droppedThatEnded).hasValue(0);
  }

  @Test
  void anInterruptNeitherEndsItNorIsLost() throws Exception {
    CountDownLatch waitsAllTheSame = new CountDownLatch(1);
    Closeable server = () -> {};
    Interrupted.thisThread(waitsAllTheSame::countDown);

    Race.Result<Closeable> result =
        new Race<Closeable>(
                List.of(Way.DIRECT),
                (way, left, watch) -> {
                  try {
                    waitsAllTheSame.await();
                  } catch (InterruptedException notThisOne) {
                    throw new IOException(notThisOne);
                  }
                  return server;
                },
                Race.every(SECOND),
                failure -> false)
            .run(PATIENCE);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.winner()).isSameAs(server);
  }

  @Test
  void byDefaultDroppedPacketsCostASecondAtMost() {
    ClientConfig config =
        ClientConfig.builder()
            .gateways(URI.create("http://127.0.0.1:1/rmigate"))
            .set(ConfigKey.WAY, "auto")
            .build();
    List<Way> pastTheGateway =
        config.ways().inOrder().stream().takeWhile(way -> !way.isLink()).toList();
    assertThat(pastTheGateway).containsExactly(Way.DIRECT, Way.CONNECT);

    Duration unknown = config.wayStagger().multipliedBy(pastTheGateway.size());
    assertThat(unknown).as("where nothing is known").isLessThanOrEqualTo(SECOND);
    Duration known =
        config.wayStagger().multipliedBy(ServerLadder.PATIENT_STAGGERS + pastTheGateway.size() - 1);
    assertThat(known)
        .as("where one of them has worked before, and then the others")
        .isLessThanOrEqualTo(SECOND);
  }
}
