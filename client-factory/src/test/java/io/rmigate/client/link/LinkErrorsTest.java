package io.rmigate.client.link;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.stats.UsageCounters;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Forgot;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An {@link Error} of our own ends the link, and each call that waits on it hears so. */
class LinkErrorsTest {
  private static final byte[] REQUEST = new byte[10];

  private final FakeGateway gateway = new FakeGateway();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile boolean writesFail;
  private Link link;
  private Connection connection;

  @BeforeEach
  void openLink() throws Exception {
    Transport plain = gateway.connect(Duration.ofSeconds(10));
    link =
        new Link(new Failing(plain), new UsageCounters(), Compression.AUTO, new FailingListener());
    link.greet(Duration.ofSeconds(60), Map.of(), timer);
    connection = gateway.accept();
  }

  @AfterEach
  void nothingIsLeft() {
    link.close();
    timer.shutdownNow();
    threads.shutdownNow();
    NamedThreads.awaitEnd("rmigate-");
  }

  /** Without a time-out the caller reads the link itself, with one the link's own thread does. */
  @ParameterizedTest
  @ValueSource(ints = {0, 60_000})
  void anErrorWhileReadingWakesTheCallers(int timeoutMillis) throws Exception {
    Future<Integer> first = threads.submit(() -> call(timeoutMillis));
    Future<Integer> second = threads.submit(() -> call(timeoutMillis));
    await().until(() -> connection.requests() == 2);

    connection.send(new Forgot(1));

    assertFails(first);
    assertFails(second);
    assertThat(link.hasEnded()).isTrue();
  }

  @Test
  void anErrorWhileWritingWakesTheCallers() throws Exception {
    Future<Integer> waiting = threads.submit(() -> call(0));
    await().until(() -> connection.requests() == 1);

    writesFail = true;

    assertThatThrownBy(() -> call(0)).isInstanceOf(IOException.class);
    assertFails(waiting);
    assertThat(link.hasEnded()).isTrue();
  }

  @Test
  void anErrorOfTheDeputyWakesTheCallers() throws Exception {
    Future<Integer> waiting = threads.submit(() -> call(0));
    await().until(() -> connection.requests() == 1);

    writesFail = true;
    link.askForASign(); // written by the deputy

    assertFails(waiting);
    assertThat(link.hasEnded()).isTrue();
  }

  @Test
  void anErrorWhileTheSessionIsResumedWakesTheCallers() throws Exception {
    link.close();
    gateway.welcome(FakeGateway.welcomeBack(0, Duration.ofHours(1)));
    TransportConnector failing =
        timeout -> {
          throw new NoClassDefFoundError("scripted");
        };
    link =
        new Link(
            gateway.connect(PATIENCE),
            new Resumption(failing, PATIENCE, Duration.ofMinutes(1), OtherGateway.NOWHERE),
            new UsageCounters(),
            Compression.OFF,
            LinkListener.NONE);
    connection = gateway.accept();
    link.greet(PATIENCE, Map.of(), timer);
    Future<Integer> waiting = threads.submit(() -> call(0));
    await().until(() -> connection.requests() == 1);

    connection.cut();

    assertFails(waiting);
    assertThat(link.hasEnded()).isTrue();
  }

  private int call(int timeoutMillis) throws IOException {
    LinkStream stream = link.openStream("inside.example", 1099, Duration.ZERO, Duration.ZERO);
    stream.beginRequest();
    stream.send(true, REQUEST, 0, REQUEST.length);
    return stream.read(new byte[10], 0, 10, timeoutMillis);
  }

  private static void assertFails(Future<Integer> call) {
    assertThatThrownBy(() -> call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(LinkLostException.class)
        .hasMessageContaining("NoClassDefFoundError");
  }

  private static final class FailingListener implements LinkListener {
    @Override
    public Set<Feature> offers() {
      return Set.of();
    }

    @Override
    public void onFrame(Link of, Frame frame) {
      throw new NoClassDefFoundError("scripted");
    }

    @Override
    public void onEnded(Link of, IOException cause) {}
  }

  /** Writes as it was told until it is to fail. */
  private final class Failing implements Transport {
    private final Transport transport;

    Failing(Transport transport) {
      this.transport = transport;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return transport.read(buffer, offset, length);
    }

    @Override
    public void write(byte[] buffer, int offset, int length) throws IOException {
      if (writesFail) {
        throw new NoClassDefFoundError("scripted");
      }
      transport.write(buffer, offset, length);
    }

    @Override
    public long bytesReceived() {
      return transport.bytesReceived();
    }

    @Override
    public long bytesSent() {
      return transport.bytesSent();
    }

    @Override
    public void close() {
      transport.close();
    }
  }
}
