package io.rmigate.client.link;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Which thread reads while calls may come for which no thread waits. The daemon's patience is
 * longer than any test: it reads only when it is told to.
 */
@Timeout(180)
class LinkVisitorsTest {
  private final List<Frame> frames = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Connection connection;
  private LinkInbound inbound;

  @BeforeEach
  void start() throws IOException {
    connection = (Connection) new FakeGateway().connect(PATIENCE);
    inbound =
        new LinkInbound(
            new Carrier(connection, false),
            frames::add,
            () -> {},
            failure -> inbound.stop(),
            "rmigate-reader test",
            TimeUnit.HOURS.toNanos(1));
    inbound.start();
  }

  @AfterEach
  void stop() {
    inbound.stop();
    connection.close();
    threads.shutdownNow();
  }

  @Test
  void whoeverHasReadHandsOverAtOnce() throws Exception {
    Waiter waiter = waiterFor(1);
    Future<?> caller = threads.submit(() -> inbound.await(waiter, 0));
    await().until(() -> isReading(caller));
    inbound.awaitVisitors();
    connection.send(new Heartbeat(1));
    caller.get(); // and goes about what it has read
    connection.send(new Heartbeat(2));

    await().until(() -> frames.size() == 2);
  }

  @Test
  void theDaemonReadsWhenNobodyHas() {
    inbound.awaitVisitors();
    connection.send(new Heartbeat(1));
    await().until(() -> frames.size() == 1);
    connection.send(new Heartbeat(2));
    await().until(() -> frames.size() == 2);
  }

  @Test
  void whoWaitsForVisitorsNeverReads() throws Exception {
    Waiter visitor = waiterFor(1);
    Future<?> waiting = threads.submit(() -> inbound.follow(visitor, 0));
    connection.send(new Heartbeat(1));
    await().until(() -> frames.size() == 1);
    visitor.wake();
    waiting.get();

    assertThat(connection.readers())
        .extracting(Thread::getName)
        .containsOnly("rmigate-reader test");
  }

  /**
   * The calling thread is in the transport's read: the daemon is not, and there is no other thread.
   */
  private boolean isReading(Future<?> caller) {
    return !caller.isDone()
        && Thread.getAllStackTraces().entrySet().stream()
            .filter(entry -> !entry.getKey().getName().startsWith("rmigate-"))
            .flatMap(entry -> List.of(entry.getValue()).stream())
            .anyMatch(frame -> frame.getClassName().equals(Connection.class.getName()));
  }

  private Waiter waiterFor(int count) {
    return new Waiter() {
      @Override
      boolean satisfied() {
        return frames.size() >= count;
      }
    };
  }
}
