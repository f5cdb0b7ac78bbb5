package io.rmigate.gateway.relay.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.rmi.NoSuchObjectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OwnCallsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SOON = Duration.ofMillis(300);
  private static final byte[] CALL =
      HexFormat.of()
          .parseHex("50aced00057722" + "00".repeat(Jrmp.OBJ_ID_BYTES) + "ffffffff9c9e6b1308366dda");

  /** A Return of the string "abc". */
  private static final byte[] STRING_RETURN =
      HexFormat.of().parseHex("51aced0005770f01" + "00".repeat(Jrmp.UID_BYTES) + "740003616263");

  private static final byte[] ACK = HexFormat.of().parseHex("54" + "07".repeat(Jrmp.UID_BYTES));

  /** How one call went. */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes
  private record Outcome(byte[] reply, OwnCallFailure failure) {}

  private final List<AutoCloseable> opened = new ArrayList<>();
  private OwnCallSettings settings = OwnCallSettings.DEFAULTS;
  private OwnCalls calls;

  private OwnCalls calls() {
    if (calls == null) {
      Relay relay =
          new Relay(new RelaySettings(PATIENCE, PATIENCE, Duration.ofSeconds(1), 64 * 1024, 2));
      opened.add(relay);
      calls = new OwnCalls(relay, settings);
    }
    return calls;
  }

  private ScriptedRmiServer server(FailurePolicy policy) throws IOException {
    ScriptedRmiServer server = new ScriptedRmiServer(policy);
    opened.add(server);
    return server;
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private static Target target(int port) {
    return new Target("127.0.0.1", port, AddressRule.NAMED, PATIENCE, PATIENCE);
  }

  private CompletableFuture<Outcome> begin(
      int port, OwnCalls.Result result, Duration within, byte[] call) {
    return begin("anybody", port, result, within, call);
  }

  private CompletableFuture<Outcome> begin(
      Object sharer, int port, OwnCalls.Result result, Duration within, byte[] call) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    calls()
        .call(
            sharer,
            sharer,
            target(port),
            call,
            result,
            within,
            new OwnCallListener() {
              @Override
              public void onReturn(byte[] message) {
                assertThat(Thread.currentThread().getName()).startsWith("rmigate-relay-");
                assertThat(outcome.complete(new Outcome(message, null))).isTrue();
              }

              @Override
              public void onFailure(OwnCallFailure failure) {
                assertThat(outcome.complete(new Outcome(null, failure))).isTrue();
              }
            });
    return outcome;
  }

  private CompletableFuture<Outcome> begin(ScriptedRmiServer server) {
    return begin(server.port(), OwnCalls.Result.NO_OBJECT, PATIENCE, CALL);
  }

  private static Outcome get(CompletableFuture<Outcome> outcome)
      throws InterruptedException, ExecutionException, TimeoutException {
    return outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static void expectFailure(
      Outcome outcome, OwnCallFailure.Kind kind, DeliveryStatus delivery) {
    assertThat(outcome.failure()).isNotNull();
    assertThat(outcome.failure().kind()).isEqualTo(kind);
    assertThat(outcome.failure().delivery()).isEqualTo(delivery);
  }

  @Test
  void callsOneAfterTheOtherShareAConnection() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NONE);

    for (int i = 0; i < 5; i++) {
      assertThat(get(begin(server)).reply()).isEqualTo(ScriptedRmiServer.VOID_RETURN);
    }

    assertThat(server.connections()).hasSize(1);
    assertThat(server.connections().get(0).protocol()).isEqualTo(Jrmp.STREAM_PROTOCOL);
    assertThat(server.received()).hasSize(5 * CALL.length);
  }

  @Test
  void resultMayComeLongBehindItsHeader() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.SINGLE_BYTES);
    server.answer(STRING_RETURN);

    Outcome outcome = get(begin(server.port(), OwnCalls.Result.OBJECT, PATIENCE, CALL));

    assertThat(outcome.reply()).isEqualTo(STRING_RETURN);
  }

  @Test
  void longReturnMayComeInSingleBytes() throws Exception {
    settings = new OwnCallSettings(1, 10, 1 << 20, 40_000, PATIENCE);
    ScriptedRmiServer server = server(FailurePolicy.SINGLE_BYTES);
    String nulls = "70".repeat(30_000);
    byte[] reply =
        HexFormat.of()
            .parseHex(
                "51aced0005770f01"
                    + "00".repeat(Jrmp.UID_BYTES)
                    + "757200135b4c6a6176612e6c616e672e4f626a6563743b" // Object[]
                    + "90ce589f1073296c02000078700000"
                    + Integer.toHexString(30_000)
                    + nulls);
    server.answer(reply);

    Outcome outcome = get(begin(server.port(), OwnCalls.Result.OBJECT, PATIENCE, CALL));

    assertThat(outcome.reply()).isEqualTo(reply);
  }

  @Test
  void exceptionIsAwaitedWhereNoResultIs() throws Exception {
    byte[] exception = ExceptionalReturn.encode(new NoSuchObjectException("gone"));
    ScriptedRmiServer server = server(FailurePolicy.SINGLE_BYTES);
    server.answer(exception);

    assertThat(get(begin(server)).reply()).isEqualTo(exception);
  }

  @Test
  void callsBeyondTheConnectionsWaitAndBeyondTheWaitingAreRefused() throws Exception {
    settings = new OwnCallSettings(2, 3, 1 << 20, 1 << 20, PATIENCE);
    ScriptedRmiServer server = server(FailurePolicy.NEVER_ANSWER);

    List<CompletableFuture<Outcome>> five =
        IntStream.range(0, 5).mapToObj(i -> begin(server)).toList();
    CompletableFuture<Outcome> sixth = begin(server);

    expectFailure(get(sixth), OwnCallFailure.Kind.OVERLOADED, DeliveryStatus.NOT_SENT);
    await().atMost(PATIENCE).until(() -> server.received().length == 2 * CALL.length);
    assertThat(calls.connections()).isEqualTo(2);
    assertThat(five).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void waitingCallsGoOnAsConnectionsBecomeFree() throws Exception {
    settings = new OwnCallSettings(1, 100, 1 << 20, 1 << 20, PATIENCE);
    ScriptedRmiServer server = server(FailurePolicy.NONE);

    List<CompletableFuture<Outcome>> all =
        IntStream.range(0, 50).mapToObj(i -> begin(server)).toList();

    for (CompletableFuture<Outcome> one : all) {
      assertThat(get(one).reply()).isEqualTo(ScriptedRmiServer.VOID_RETURN);
    }
    assertThat(server.connections()).hasSize(1);
  }

  @Test
  void waitingIsBoundedInBytesToo() throws Exception {
    settings = new OwnCallSettings(1, 100, CALL.length, 1 << 20, PATIENCE);
    ScriptedRmiServer server = server(FailurePolicy.NEVER_ANSWER);

    List<CompletableFuture<Outcome>> two = List.of(begin(server), begin(server));

    expectFailure(get(begin(server)), OwnCallFailure.Kind.OVERLOADED, DeliveryStatus.NOT_SENT);
    assertThat(two).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void messagesThatAreNeverWrittenEndToo() throws Exception {
    settings = new OwnCallSettings(1, 1, 1 << 20, 1 << 20, PATIENCE);
    ScriptedRmiServer server = server(FailurePolicy.NEVER_ACK);
    AtomicInteger over = new AtomicInteger();

    for (int i = 0; i < 5; i++) {
      calls().send("anybody", "anybody", target(server.port()), ACK, SOON, over::incrementAndGet);
    }

    await().atMost(PATIENCE).until(() -> over.get() == 5);
  }

  @Test
  void floodOfOneSharerKeepsNobodyElseOut() throws Exception {
    settings = new OwnCallSettings(1, 4, 1 << 20, 1 << 20, PATIENCE);
    ScriptedRmiServer server = server(FailurePolicy.NEVER_ANSWER);
    int port = server.port();
    List<CompletableFuture<Outcome>> flood =
        IntStream.range(0, 20)
            .mapToObj(i -> begin("flood", port, OwnCalls.Result.NO_OBJECT, PATIENCE, CALL))
            .toList();

    CompletableFuture<Outcome> other =
        begin("other", port, OwnCalls.Result.NO_OBJECT, PATIENCE, CALL);

    // One is under way, three wait beside the other's.
    await().atMost(PATIENCE).until(() -> flood.stream().filter(f -> f.isDone()).count() == 16);
    assertThat(other).isNotDone();
  }

  @Test
  void idleConnectionIsClosed() throws Exception {
    settings = new OwnCallSettings(2, 10, 1 << 20, 1 << 20, SOON);
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    get(begin(server));
    assertThat(calls.connections()).isEqualTo(1);

    await().atMost(PATIENCE).until(() -> server.allEnded() && calls.connections() == 0);

    assertThat(get(begin(server)).reply()).isEqualTo(ScriptedRmiServer.VOID_RETURN);
  }

  @Test
  void callThatMayHaveBeenExecutedIsNotRepeated() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.CLOSE_AFTER_CALL);

    Outcome outcome = get(begin(server));

    expectFailure(outcome, OwnCallFailure.Kind.CLOSED, DeliveryStatus.POSSIBLY_DELIVERED);
    assertThat(server.received()).isEqualTo(CALL);
    assertThat(calls.connections()).isZero();
  }

  @Test
  void cutReturnIsAFailure() throws Exception {
    expectFailure(
        get(begin(server(FailurePolicy.CUT_RETURN))),
        OwnCallFailure.Kind.CLOSED,
        DeliveryStatus.POSSIBLY_DELIVERED);
  }

  @Test
  void refusedConnectionSaysSo() throws Exception {
    Socket bound = new Socket(); // not listening: no other program can get its port
    opened.add(bound);
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    Outcome outcome = get(begin(bound.getLocalPort(), OwnCalls.Result.NO_OBJECT, PATIENCE, CALL));

    expectFailure(outcome, OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
    assertThat(outcome.failure().refusal())
        .isEqualTo(Optional.of(RefusalReason.CONNECTION_REFUSED));
  }

  @ParameterizedTest
  @EnumSource(
      value = FailurePolicy.class,
      names = {"NACK", "HTTP", "CLOSE_ON_HEADER"})
  void peerThatIsNoRmiServerGetsNothing(FailurePolicy policy) throws Exception {
    ScriptedRmiServer server = server(policy);

    Outcome outcome = get(begin(server));

    expectFailure(outcome, OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
    assertThat(server.received()).isEmpty();
  }

  @Test
  void callToASilentServerEndsInTime() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NEVER_ANSWER);

    Outcome outcome = get(begin(server.port(), OwnCalls.Result.NO_OBJECT, SOON, CALL));

    expectFailure(outcome, OwnCallFailure.Kind.LATE, DeliveryStatus.POSSIBLY_DELIVERED);
    await().atMost(PATIENCE).until(server::allEnded);
  }

  @Test
  void callThatWasNeverWrittenEndsInTimeToo() throws Exception {
    settings = new OwnCallSettings(1, 10, 1 << 20, 1 << 20, PATIENCE);
    ScriptedRmiServer server = server(FailurePolicy.NEVER_ACK);

    CompletableFuture<Outcome> connecting =
        begin(server.port(), OwnCalls.Result.NO_OBJECT, SOON, CALL);
    CompletableFuture<Outcome> waiting =
        begin(server.port(), OwnCalls.Result.NO_OBJECT, SOON, CALL);

    expectFailure(get(connecting), OwnCallFailure.Kind.LATE, DeliveryStatus.NOT_SENT);
    expectFailure(get(waiting), OwnCallFailure.Kind.LATE, DeliveryStatus.NOT_SENT);
    assertThat(server.received()).isEmpty();
  }

  @Test
  void tooLongReturnIsAFailure() throws Exception {
    settings = new OwnCallSettings(1, 10, 1 << 20, STRING_RETURN.length - 1, PATIENCE);
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    server.answer(STRING_RETURN);

    expectFailure(
        get(begin(server.port(), OwnCalls.Result.OBJECT, PATIENCE, CALL)),
        OwnCallFailure.Kind.NO_RETURN,
        DeliveryStatus.POSSIBLY_DELIVERED);
  }

  @ParameterizedTest
  @EnumSource(OwnCalls.Result.class)
  void whatIsNotOneReturnIsAFailure(OwnCalls.Result result) throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    for (String wrong :
        List.of("53", "485454502f312e31", HexFormat.of().formatHex(STRING_RETURN) + "51")) {
      server.answer(HexFormat.of().parseHex(wrong));

      expectFailure(
          get(begin(server.port(), result, PATIENCE, CALL)),
          OwnCallFailure.Kind.NO_RETURN,
          DeliveryStatus.POSSIBLY_DELIVERED);
    }
    await().atMost(PATIENCE).until(() -> server.allEnded());
  }

  @Test
  void messageWithoutAnswerLeavesTheConnectionFree() throws Exception {
    settings = new OwnCallSettings(1, 1000, 1 << 20, 1 << 20, PATIENCE);
    ScriptedRmiServer server = server(FailurePolicy.NONE);

    AtomicInteger written = new AtomicInteger();
    for (int i = 0; i < 500; i++) {
      calls()
          .send(
              "anybody", "anybody", target(server.port()), ACK, PATIENCE, written::incrementAndGet);
    }

    assertThat(get(begin(server)).reply()).isEqualTo(ScriptedRmiServer.VOID_RETURN);
    assertThat(written).hasValue(500);
    assertThat(server.received()).hasSize(500 * ACK.length + CALL.length);
    assertThat(server.connections()).hasSize(1);
  }

  @Test
  void brokenListenerHarmsNobodyElse() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    calls()
        .call(
            "anybody",
            "anybody",
            target(server.port()),
            CALL,
            OwnCalls.Result.NO_OBJECT,
            PATIENCE,
            new OwnCallListener() {
              @Override
              public void onReturn(byte[] message) {
                throw new StackOverflowError("wanted by the test");
              }

              @Override
              public void onFailure(OwnCallFailure failure) {}
            });

    assertThat(get(begin(server)).reply()).isEqualTo(ScriptedRmiServer.VOID_RETURN);
  }
}
