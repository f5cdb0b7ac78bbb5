package io.rmigate.client.link;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Coding;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.ConnectPolicy;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.Patience;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compression of a real link, against a gateway in memory. */
class LinkCodingTest {
  private static final Duration PATIENCE = Patience.PATIENCE;
  private static final byte[] REQUEST = new byte[100];

  private final FakeGateway gateway = new FakeGateway();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Link link;
  private Connection connection;

  @AfterEach
  void close() {
    connection.letAllWrite();
    link.close();
    timer.shutdownNow();
    threads.shutdownNow();
  }

  @Test
  void whatIsToldOnCodesFromTheFirstRequestAndTellsTheGateway() throws Exception {
    open(Compression.ON, "deflate.1");
    assertThat(connection.hello().codings()).containsExactly("deflate.1", "identity");
    request();
    assertThat(connection.expect(Coding.class).wanted()).isTrue();
    connection.expect(Open.class);
    connection.expect(Data.class);
    assertThat(connection.writers()).as("hello, and all the rest at once").hasSize(2);
    assertThat(link.codingSent()).isEqualTo(connection.coded());
    assertThat(link.codingSent().ratio()).isLessThan(0.7);
    assertThat(link.isCoding()).isTrue();
    assertThat(link.coding()).isEqualTo("deflate.1");
  }

  @Test
  void whatIsToldOffOffersNothingAndSendsPlainly() throws Exception {
    open(Compression.OFF, "identity");
    assertThat(connection.hello().codings()).containsExactly("identity");
    request();
    connection.expect(Open.class);
    connection.expect(Data.class);
    assertThat(connection.coded()).isEqualTo(CodingFigures.NONE);
    assertThat(link.isCoding()).isFalse();
  }

  @Test
  void aGatewayThatTakesNoCodingIsSpokenToPlainly() throws Exception {
    open(Compression.ON, "identity");
    request();
    connection.expect(Open.class);
    connection.expect(Data.class);
    assertThat(link.isCoding()).isFalse();
  }

  @Test
  void aCodingThatWasNotOfferedIsAViolation() throws Exception {
    gateway.welcome(welcome("deflate.1"));
    link =
        new Link(
            gateway.connect(PATIENCE), new UsageCounters(), Compression.OFF, LinkListener.NONE);
    connection = gateway.accept();
    assertThatThrownBy(() -> link.greet(PATIENCE, Map.of(), timer))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessage("expected a coding that was offered, got deflate.1");
  }

  @Test
  void aSlowWelcomeDecidesForCoding() throws Exception {
    gateway.policy(ConnectPolicy.STAY_SILENT);
    link =
        new Link(
            gateway.connect(PATIENCE), new UsageCounters(), Compression.AUTO, LinkListener.NONE);
    connection = gateway.accept();
    Future<?> greeting =
        threads.submit(
            () -> {
              link.greet(PATIENCE, Map.of(), timer);
              return null;
            });
    await().until(() -> connection.hello() != null);
    long heardNanos = System.nanoTime();
    await() // what is tested is a delay
        .until(() -> System.nanoTime() - heardNanos >= CodingChoice.SURELY_FAR.toNanos());
    connection.send(welcome("deflate.1"));
    greeting.get(60, TimeUnit.SECONDS);
    assertThat(link.isCoding()).isTrue();
    assertThat(link.roundTrip())
        .hasValueSatisfying(
            trip -> assertThat(trip).isGreaterThanOrEqualTo(CodingChoice.SURELY_FAR));

    request();
    assertThat(connection.expect(Coding.class).wanted()).isTrue();
    connection.expect(Open.class);
    connection.expect(Data.class);
    connection.expect(Heartbeat.class); // one round trip alone may be an accident
    assertThat(connection.writers()).as("hello, and all the rest at once").hasSize(2);
  }

  @Test
  void whatTheGatewayCodesIsUndone() throws Exception {
    open(Compression.ON, "deflate.1");
    LinkStream stream = request();
    byte[] reply = new byte[5_000];
    Arrays.fill(reply, (byte) 7);
    connection.sendCoded(new Data(stream.id(), false, reply));
    byte[] read = new byte[reply.length];
    int count = 0;
    while (count < read.length) {
      count += stream.read(read, count, read.length - count, 0);
    }
    assertThat(read).isEqualTo(reply);
    assertThat(link.codingReceived().uncodedBytes()).isEqualTo(4 + reply.length);
    assertThat(link.codingReceived().codedBytes()).isLessThan(100);
  }

  @Test
  void aGatewayThatAsksForAnswersAndDoesNotReadThemLosesTheLink() throws Exception {
    open(Compression.ON, "deflate.1");
    connection.holdWrites();
    Heartbeat[] many = new Heartbeat[10_000];
    Arrays.setAll(many, number -> new Heartbeat(number % 100));
    for (int i = 0; i < 60; i++) {
      connection.sendCoded(many);
    }
    await().atMost(PATIENCE).until(link::hasEnded);
  }

  private void open(Compression compression, String picked) throws Exception {
    gateway.welcome(welcome(picked));
    link = new Link(gateway.connect(PATIENCE), new UsageCounters(), compression, LinkListener.NONE);
    link.greet(PATIENCE, Map.of(), timer);
    connection = gateway.accept();
  }

  private LinkStream request() throws Exception {
    LinkStream stream = link.openStream("inside.example", 1099, Duration.ZERO, Duration.ZERO);
    stream.beginRequest();
    stream.send(true, REQUEST, 0, REQUEST.length);
    return stream;
  }

  private static Welcome welcome(String coding) {
    return new Welcome(
        1,
        Set.of(),
        SessionToken.of(new byte[SessionToken.BYTES]),
        0,
        256 * 1024,
        100,
        Duration.ofMinutes(10),
        coding,
        Map.of());
  }
}
