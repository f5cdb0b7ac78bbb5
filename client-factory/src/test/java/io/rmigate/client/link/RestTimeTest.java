package io.rmigate.client.link;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a link rests after what has become of those that rested before. */
@Timeout(180)
class RestTimeTest {
  private static final Duration HEARTBEAT = Duration.ofHours(1);

  private final RestTime rest = new RestTime();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void withoutACutItIsAsLongAsTheGatewaySays() {
    for (int i = 0; i < 1_000; i++) {
      rest.kept();
    }
    assertThat(rest.within(HEARTBEAT)).isEqualTo(HEARTBEAT);
  }

  @Test
  void aCutTeachesToRestForLess() {
    rest.cutAfter(Duration.ofSeconds(30).toNanos());
    assertThat(rest.within(HEARTBEAT)).isEqualTo(Duration.ofSeconds(20));
    rest.cutAfter(Duration.ofSeconds(60).toNanos());
    assertThat(rest.within(HEARTBEAT)).isEqualTo(Duration.ofSeconds(20));
    rest.cutAfter(Duration.ofSeconds(9).toNanos());
    assertThat(rest.within(HEARTBEAT)).isEqualTo(Duration.ofSeconds(6));
    assertThat(rest.within(Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void whatEndsSoonWasNotCutForResting() {
    rest.cutAfter(Duration.ofMillis(4_900).toNanos());
    assertThat(rest.within(HEARTBEAT)).isEqualTo(HEARTBEAT);
  }

  @Test
  void afterManyRestsThatWereNotCutItIsLongerAgain() {
    rest.cutAfter(Duration.ofSeconds(30).toNanos());
    keep(50);
    assertThat(rest.within(HEARTBEAT)).isEqualTo(Duration.ofSeconds(20));
    keep(1);
    assertThat(rest.within(HEARTBEAT)).isEqualTo(Duration.ofSeconds(30));

    rest.cutAfter(Duration.ofSeconds(30).toNanos()); // it was too much
    keep(100);
    assertThat(rest.within(HEARTBEAT)).isEqualTo(Duration.ofSeconds(20));
    keep(1);
    assertThat(rest.within(HEARTBEAT)).isEqualTo(Duration.ofSeconds(30));
  }

  private void keep(int times) {
    for (int i = 0; i < times; i++) {
      rest.kept();
    }
  }

  @Test
  void aLinkThatWasCutWhileItRestedBeatsMoreOften() throws Exception {
    FakeGateway gateway = new FakeGateway();
    gateway.welcome(FakeGateway.welcomeBack(0, HEARTBEAT));
    Link link =
        new Link(
            gateway.connect(PATIENCE),
            new Resumption(gateway, PATIENCE, Duration.ofMinutes(1), OtherGateway.NOWHERE),
            new UsageCounters(),
            Compression.OFF,
            LinkListener.NONE,
            new RestTime(Duration.ofMillis(50)));
    Connection first = gateway.accept();
    link.greet(PATIENCE, Map.of(), timer);
    gateway.welcome(FakeGateway.welcomeBack(first.bytesSent(), HEARTBEAT));
    Thread.sleep(50); // it rests, for so long or longer
    first.cut();

    Connection second = gateway.accept();
    second.expect(Heartbeat.class);
    second.expect(Heartbeat.class);
    assertThat(first.unexpected()).isEmpty();
    link.close();
  }
}
