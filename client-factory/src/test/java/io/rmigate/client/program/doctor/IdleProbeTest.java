package io.rmigate.client.program.doctor;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.testing.FakeGateway;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class IdleProbeTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(50);

  private final FakeGateway gateway = new FakeGateway();

  @Test
  void connectionThatStillCarriesSomethingIsOpen() throws Exception {
    CompletableFuture<IdleProbe.Result> result = measure(SHORT, LONG);
    FakeGateway.Connection connection = gateway.accept();
    connection.send(new HeartbeatAck(connection.expect(Heartbeat.class).number()));

    assertThat(result.get()).isEqualTo(new IdleProbe.Result.Open(SHORT, Duration.ofSeconds(30)));
  }

  @Test
  void connectionThatIsClosedMeanwhileIsCut() throws Exception {
    CompletableFuture<IdleProbe.Result> result = measure(LONG, LONG);
    FakeGateway.Connection connection = gateway.accept();
    await().until(() -> connection.bytesReceived() > 0);
    connection.cut(); // behind the welcome

    assertThat(result.get()).isInstanceOf(IdleProbe.Result.Closed.class);
  }

  @Test
  void connectionThatCarriesNothingAnyMoreIsDead() throws Exception {
    CompletableFuture<IdleProbe.Result> result = measure(SHORT, Duration.ofSeconds(1));
    gateway.accept();

    assertThat(result.get()).isEqualTo(new IdleProbe.Result.Dead(SHORT, Duration.ofSeconds(30)));
  }

  @Test
  void gatewayThatSaysNothingCannotBeMeasured() throws Exception {
    gateway.policy(FakeGateway.ConnectPolicy.STAY_SILENT);

    assertThat(measure(SHORT, SHORT).get()).isInstanceOf(IdleProbe.Result.Unknown.class);
  }

  @Test
  void itIsNoLongerIdleThanTheGatewayBears() throws Exception {
    gateway.welcome(gateway.welcomeWith(1024, Duration.ofMillis(20)));
    CompletableFuture<IdleProbe.Result> result = measure(LONG, LONG);
    FakeGateway.Connection connection = gateway.accept();
    connection.send(new HeartbeatAck(connection.expect(Heartbeat.class).number()));

    assertThat(result.get())
        .isEqualTo(new IdleProbe.Result.Open(Duration.ofMillis(50), Duration.ofMillis(20)));
  }

  private CompletableFuture<IdleProbe.Result> measure(Duration idle, Duration patience) {
    CompletableFuture<IdleProbe.Result> result = new CompletableFuture<>();
    Thread measuring =
        new Thread(
            () -> {
              try {
                result.complete(
                    IdleProbe.measure(
                        gateway.connect(patience), idle, patience, Map.of("client", "test")));
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    measuring.setDaemon(true);
    measuring.start();
    return result;
  }
}
