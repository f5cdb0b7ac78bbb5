package io.rmigate.client.link;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hello and welcome, by each thread that may read and write them. */
class LinkOpeningTest {
  private final FakeGateway gateway = new FakeGateway();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void nothingIsLeft() {
    timer.shutdownNow();
    threads.shutdownNow();
    await().until(() -> !isReading("rmigate-"));
  }

  @Test
  void aWelcomeThatTheDaemonReadsOpensTheLinkAtOnce() throws Exception {
    Link link =
        new Link(
            gateway.connect(PATIENCE), new UsageCounters(), Compression.AUTO, LinkListener.NONE);
    Connection connection = gateway.accept();
    connection.holdWrites();
    Future<?> opening =
        threads.submit(
            () -> {
              link.greet(Duration.ofDays(1), Map.of(), timer);
              return null;
            });
    await().until(() -> isReading("rmigate-reader")); // no other thread does
    connection.letAllWrite();
    opening.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(connection.readers().get(0).getName()).startsWith("rmigate-reader");
    link.close();
  }

  /** Whether a thread of such a name waits for the fake gateway to say something. */
  private static boolean isReading(String name) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().startsWith(name))
        .flatMap(thread -> Arrays.stream(thread.getValue()))
        .anyMatch(
            frame ->
                frame.getClassName().equals(Connection.class.getName())
                    && frame.getMethodName().equals("read"));
  }
}
