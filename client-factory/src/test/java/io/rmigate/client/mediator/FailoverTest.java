package io.rmigate.client.mediator;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.socket.LostCallException;
import io.rmigate.client.socket.TunnelSocket;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.ConnectPolicy;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where an agent goes when its gateway is gone, and what becomes of its calls. */
class FailoverTest {
  private static final byte[] CALL = hex("50 aced0005 7722" + "00".repeat(34));
  private static final byte[] RETURN = hex("51 aced0005 770f 01" + "00".repeat(14));

  /** A gateway of the list, whose connections the test can hold up and refuse in its own way. */
  private static final class Listed implements TransportConnector {
    private final FakeGateway gateway = new FakeGateway();
    private final Semaphore attempts = new Semaphore(1000);
    private volatile IOException refusal;

    @Override
    public Transport connect(Duration timeout) throws IOException {
      attempts.acquireUninterruptibly();
      if (refusal != null) {
        throw refusal;
      }
      return gateway.connect(timeout);
    }
  }

  private final Listed one = new Listed();
  private final Listed two = new Listed();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private MediatorAgent agent = agent(PATIENCE);

  private MediatorAgent agent(Duration connectTimeout) {
    TransportConnector both =
        new TransportConnector() {
          @Override
          public Transport connect(Duration timeout) {
            throw new AssertionError("the agent chooses by itself");
          }

          @Override
          public List<TransportConnector> each() {
            return List.of(one, two);
          }
        };
    return new MediatorAgent(
        both,
        MediatorSettings.of(connectTimeout, Map.of(), Compression.OFF)
            .withGrace(Duration.ofMinutes(2))
            .mediating(new LookupSettings(false, NamePatterns.NONE, List.of()), LeaseMode.OFF));
  }

  @AfterEach
  void nothingIsLeft() {
    for (Listed each : List.of(one, two)) {
      each.attempts.release(1_000_000);
    }
    agent.close();
    threads.shutdownNow();
    NamedThreads.awaitEnd("rmigate-");
  }

  /** Sessions there outlive their links, as far as the agent knows. */
  private static void letResume(Listed listed) {
    listed.gateway.welcome(
        FakeGateway.welcomeTaking(Map.of(Welcome.GRACE, "120000"), Feature.RESUME));
  }

  private TunnelSocket handshaken() throws IOException {
    TunnelSocket socket = TunnelSocket.connect(agent, "inside.example", 1099);
    socket.getOutputStream().write(hex("4a524d49 0002 4b"));
    socket.getInputStream().readNBytes(7 + "inside.example".length());
    socket.getOutputStream().write(hex("0000 00000000"));
    return socket;
  }

  private Future<byte[]> call(TunnelSocket socket) {
    return call(socket, CALL);
  }

  private Future<byte[]> call(TunnelSocket socket, byte[] call) {
    return threads.submit(() -> outcome(socket, call));
  }

  private static byte[] outcome(TunnelSocket socket, byte[] call) throws IOException {
    for (int at = 0; at < call.length; at += 10_000) { // as object streams do
      socket.getOutputStream().write(call, at, Math.min(10_000, call.length - at));
    }
    byte[] read = new byte[8192];
    return Arrays.copyOf(read, socket.getInputStream().read(read));
  }

  private static byte[] outcome(Future<byte[]> call) throws Exception {
    return call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static void answer(Connection link) throws InterruptedException {
    int stream = link.expect(Open.class).stream();
    assertThat(link.expect(Data.class).bytes()).isEqualTo(CALL);
    link.send(new Data(stream, false, RETURN));
  }

  @Test
  void theFirstGatewayIsUsedAsLongAsItIsThere() throws Exception {
    agent.ensureLink();
    one.gateway.accept();
    one.refusal = new ConnectException("scripted");
    agent.close();
    agent = agent(PATIENCE);
    agent.ensureLink();
    two.gateway.accept();
  }

  @Test
  void gatewayThatCannotServeIsPassedOverAndOneThatRefusesUsIsNot() throws Exception {
    one.gateway.behindWelcome();
    one.refusal = new SocketTimeoutException("scripted");
    agent.ensureLink();
    two.gateway.accept().cut();
    await().until(() -> agent.currentLink().isEmpty());

    one.refusal = new IOException("401 scripted");

    assertThatThrownBy(agent::ensureLink)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("401 scripted");
  }

  @Test
  void gatewayThatDrainsIsTriedLast() throws Exception {
    agent.ensureLink();
    Connection first = one.gateway.accept();
    first.send(new Drain(Duration.ofMinutes(1)));
    await().until(() -> agent.currentLink().isEmpty());

    agent.ensureLink();

    Connection second = two.gateway.accept();
    second.send(new Drain(Duration.ofMinutes(1)));
    await().until(() -> agent.currentLink().isEmpty());
    agent.ensureLink();
    one.gateway.accept();
  }

  @Test
  void gatewayThatSaysGoodbyeToTheHelloIsPassedOver() throws Exception {
    one.gateway.policy(ConnectPolicy.STAY_SILENT);
    Future<?> opening =
        threads.submit(
            () -> {
              agent.ensureLink();
              return null;
            });
    Connection draining = one.gateway.accept();
    await().until(() -> draining.hello() != null);
    draining.send(new Goodbye(CloseCause.DRAINING, ""));
    two.gateway.accept();
    opening.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void whereNobodyListensTheOtherGatewayIsUsedAtOnceAndCallsMayHaveBeenExecuted() throws Exception {
    letResume(one);
    Future<byte[]> call = call(handshaken());
    Connection first = one.gateway.accept();
    first.expect(Open.class);
    first.expect(Data.class);

    one.refusal = new ConnectException("scripted");
    first.cut();

    Connection second = two.gateway.accept();
    assertThatThrownBy(() -> outcome(call))
        .cause()
        .isInstanceOf(LostCallException.class)
        .hasMessageContaining("another one is used")
        .hasMessageContaining("the call may have been executed");
    assertThat(second.unexpected()).isEmpty();
    assertThat(agent.currentLink()).isPresent();
  }

  @Test
  void callsOfWhichNothingHasLeftAreMadeAtTheOtherGateway() throws Exception {
    letResume(one);
    TunnelSocket socket = handshaken();
    Connection first = one.gateway.accept();
    one.attempts.drainPermits(); // the agent waits for its connection
    first.cut();
    await().until(first::isClosed);
    Future<byte[]> call = call(socket);
    await().until(() -> agent.currentLink().orElseThrow().openStreams() == 1);

    one.refusal = new ConnectException("scripted");
    one.attempts.release(1000);

    answer(two.gateway.accept());
    assertThat(outcome(call)).isEqualTo(RETURN);
    assertThat(first.unexpected()).isEmpty();
  }

  /** One that has been kept for the lost connection, and one that has used its credit up too. */
  @ParameterizedTest
  @ValueSource(ints = {100_000, 400_000})
  void longCallsOfWhichNothingHasLeftAreMadeThereTooAndWhole(int length) throws Exception {
    letResume(one);
    TunnelSocket socket = handshaken();
    Connection first = one.gateway.accept();
    one.attempts.drainPermits(); // the agent waits for its connection
    first.cut();
    await().until(first::isClosed);
    byte[] whole = Arrays.copyOf(CALL, length);
    for (int i = CALL.length; i < length; i++) {
      whole[i] = (byte) (i * 31);
    }
    Thread[] caller = new Thread[1];
    Future<byte[]> call =
        threads.submit(
            () -> {
              caller[0] = Thread.currentThread();
              return outcome(socket, whole);
            });
    await().until(() -> agent.currentLink().orElseThrow().openStreams() == 1);
    await().until(() -> waitsForTheGateway(caller[0])); // for credit, or the Return

    one.refusal = new ConnectException("scripted");
    one.attempts.release(1000);

    Connection second = two.gateway.accept();
    int stream = second.expect(Open.class).stream();
    byte[] come = new byte[length];
    int at = 0;
    for (Data part = second.expect(Data.class); ; part = second.expect(Data.class)) {
      System.arraycopy(part.bytes(), 0, come, at, part.bytes().length);
      at += part.bytes().length;
      if (part.endOfRequest()) {
        break;
      }
      second.send(new Credit(stream, part.bytes().length));
    }
    assertThat(at).isEqualTo(length);
    assertThat(come).isEqualTo(whole);
    second.send(new Data(stream, false, RETURN));
    assertThat(outcome(call)).isEqualTo(RETURN);
    assertThat(first.unexpected()).isEmpty();
  }

  private static boolean waitsForTheGateway(Thread caller) {
    return Arrays.stream(caller.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().endsWith(".LinkInbound")
                    && frame.getMethodName().equals("await"));
  }

  @Test
  void aLongCallOfWhichAPartHasLeftIsNotMadeAgain() throws Exception {
    letResume(one);
    TunnelSocket socket = handshaken();
    Connection first = one.gateway.accept();
    Future<byte[]> call = call(socket, Arrays.copyOf(CALL, 400_000)); // beyond the credit
    first.expect(Open.class);
    first.expect(Data.class);
    one.refusal = new ConnectException("scripted");
    first.cut();

    Connection second = two.gateway.accept();
    assertThatThrownBy(() -> outcome(call))
        .cause()
        .isInstanceOf(LostCallException.class)
        .hasMessageContaining("may have been executed");
    assertThat(second.unexpected()).isEmpty();
  }

  @Test
  void sessionIsNotGivenUpWhileNoOtherGatewayCanBeReachedEither() throws Exception {
    letResume(one);
    Future<byte[]> call = call(handshaken());
    Connection first = one.gateway.accept();
    first.expect(Open.class);
    first.expect(Data.class);
    two.refusal = new ConnectException("scripted");
    one.refusal = new ConnectException("scripted");
    two.attempts.drainPermits();
    first.cut();
    await().until(two.attempts::hasQueuedThreads);
    two.attempts.release(3); // some attempts in vain
    await().until(() -> two.attempts.availablePermits() == 0 && two.attempts.hasQueuedThreads());
    assertThat(call).isNotDone();
    assertThat(agent.currentLink()).isPresent();

    two.refusal = null;
    two.attempts.release(1000);

    two.gateway.accept();
    assertThatThrownBy(() -> outcome(call)).cause().isInstanceOf(LostCallException.class);
  }

  @Test
  void whoNeedsAGatewayThatHasBeenThereWaitsForItToComeBack() throws Exception {
    letResume(one);
    two.refusal = new ConnectException("scripted");
    agent.ensureLink();
    Connection first = one.gateway.accept();
    first.send(new Goodbye(CloseCause.DRAINING, ""));
    await().until(() -> agent.currentLink().isEmpty());
    one.refusal = new ConnectException("scripted");
    one.attempts.drainPermits();
    one.attempts.release(2);
    Future<byte[]> call = threads.submit(() -> outcome(call(handshaken())));
    await().until(() -> one.attempts.availablePermits() == 0 && one.attempts.hasQueuedThreads());

    one.refusal = null;
    one.attempts.release(1000);

    answer(one.gateway.accept());
    assertThat(outcome(call)).isEqualTo(RETURN);
  }

  @Test
  void silentGatewayIsGivenTheTimeOfAnAttempt() throws Exception {
    agent.close();
    agent = agent(Duration.ofSeconds(2));
    letResume(one);
    agent.ensureLink();
    Connection first = one.gateway.accept();
    one.refusal = new SocketTimeoutException("scripted: no answer");
    first.cut();
    two.gateway.accept();
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
