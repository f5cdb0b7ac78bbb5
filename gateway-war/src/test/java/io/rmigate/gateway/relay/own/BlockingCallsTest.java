package io.rmigate.gateway.relay.own;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.Jrmp;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockingCallsTest {
  private static final Duration SOON = Duration.ofMillis(300);
  private static final long MAX_REPLY = 1 << 20;
  private static final byte[] CALL =
      HexFormat.of()
          .parseHex("50aced00057722" + "00".repeat(Jrmp.OBJ_ID_BYTES) + "ffffffff9c9e6b1308366dda");

  private final List<AutoCloseable> opened = new ArrayList<>();
  private BlockingSettings settings = BlockingSettings.DEFAULTS;
  private Duration pingAfterIdle = Duration.ofHours(1);
  private Duration handshake = PATIENCE;
  private BlockingCalls calls;

  private BlockingCalls calls() {
    if (calls == null) {
      Relay relay = new Relay(new RelaySettings(PATIENCE, handshake, pingAfterIdle, 64 * 1024, 1));
      calls = new BlockingCalls(relay, settings);
      opened.add(calls);
      opened.add(relay);
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

  private Target target(ScriptedRmiServer server) {
    return new Target("127.0.0.1", server.port(), AddressRule.NAMED, PATIENCE, handshake);
  }

  private byte[] call(ScriptedRmiServer server) throws IOException {
    return call("anybody", server, PATIENCE, CALL);
  }

  private byte[] call(Object sharer, ScriptedRmiServer server, Duration within, byte[] message)
      throws IOException {
    long deadline = System.nanoTime() + within.toNanos();
    try (BlockingCall call = calls().begin(sharer, target(server), deadline, MAX_REPLY)) {
      call.write(message, 0, message.length);
      InputStream reply = call.send();
      byte[] whole = reply.readNBytes(ScriptedRmiServer.VOID_RETURN.length);
      call.answered();
      return whole;
    }
  }

  private OwnCallFailure failure(ScriptedRmiServer server, Duration within) {
    return failure("anybody", server, within);
  }

  private OwnCallFailure failure(Object sharer, ScriptedRmiServer server, Duration within) {
    return catchThrowableOfType(OwnCallException.class, () -> call(sharer, server, within, CALL))
        .failure();
  }

  @Test
  void callsOneAfterTheOtherShareAConnection() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NONE);

    for (int i = 0; i < 5; i++) {
      assertThat(call(server)).isEqualTo(ScriptedRmiServer.VOID_RETURN);
    }

    assertThat(server.connections()).hasSize(1);
    assertThat(server.received()).hasSize(5 * CALL.length);
  }

  @Test
  void answersInSingleBytesAreAnswers() throws Exception {
    assertThat(call(server(FailurePolicy.SINGLE_BYTES))).isEqualTo(ScriptedRmiServer.VOID_RETURN);
  }

  @Test
  void largeMessageLeavesBeforeItsEndIsKnown() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NEVER_ANSWER);
    byte[] part = new byte[200_000];
    try (BlockingCall call =
        calls().begin("anybody", target(server), System.nanoTime() + PATIENCE.toNanos(), 1)) {
      call.write(part, 0, part.length);
      await().until(() -> server.received().length > 100_000);
    }
    await().until(server::allEnded);
  }

  @Test
  void messageThatIsNotFinishedIsNeverSent() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    try (BlockingCall call =
        calls().begin("anybody", target(server), System.nanoTime() + PATIENCE.toNanos(), 1)) {
      call.write(CALL, 0, CALL.length);
      call.flush();
    }
    assertThat(server.connections()).isEmpty();
    assertThat(calls().connections()).isZero();
  }

  @Test
  void connectionThatHasDiedMeanwhileIsReplacedBeforeAByteIsWritten() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    call(server);
    server.connections().get(0).close();
    await().until(server::allEnded);

    assertThat(call(server)).isEqualTo(ScriptedRmiServer.VOID_RETURN);

    assertThat(server.connections()).hasSize(2);
    assertThat(server.received()).hasSize(2 * CALL.length);
  }

  @Test
  void silentConnectionIsPingedBeforeItIsUsed() throws Exception {
    pingAfterIdle = Duration.ZERO;
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    call(server);
    call(server);

    assertThat(server.connections()).hasSize(1);
    assertThat(server.received()).hasSize(2 * CALL.length + 1);
  }

  @ParameterizedTest
  @EnumSource(
      value = FailurePolicy.class,
      names = {"NO_PING_ACK", "WRONG_PING_ACK"})
  void connectionThatDoesNotAnswerItsPingIsReplaced(FailurePolicy policy) throws Exception {
    pingAfterIdle = Duration.ZERO;
    handshake = SOON;
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    call(server);
    server.policy(policy);

    assertThat(call(server)).isEqualTo(ScriptedRmiServer.VOID_RETURN);

    assertThat(server.connections()).hasSize(2);
  }

  @Test
  void bytesThatNobodyHasAskedForEndAConnection() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    server.answer(
        Stream.of(ScriptedRmiServer.VOID_RETURN, ScriptedRmiServer.VOID_RETURN)
            .collect(
                java.io.ByteArrayOutputStream::new,
                java.io.ByteArrayOutputStream::writeBytes,
                (one, other) -> one.writeBytes(other.toByteArray()))
            .toByteArray());

    call(server);
    call(server);

    assertThat(server.connections()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = FailurePolicy.class,
      names = {"CLOSE_AFTER_CALL", "CUT_RETURN"})
  void callThatMayHaveBeenExecutedIsNotRepeated(FailurePolicy policy) throws Exception {
    ScriptedRmiServer server = server(policy);

    OwnCallFailure failure = failure(server, PATIENCE);

    assertThat(failure.kind()).isEqualTo(OwnCallFailure.Kind.CLOSED);
    assertThat(failure.delivery()).isEqualTo(DeliveryStatus.POSSIBLY_DELIVERED);
    assertThat(server.received()).hasSize(CALL.length);
    assertThat(server.connections()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = FailurePolicy.class,
      names = {"NACK", "HTTP", "CLOSE_ON_HEADER"})
  void serverThatSpeaksSomethingElseGetsNothing(FailurePolicy policy) throws Exception {
    ScriptedRmiServer server = server(policy);

    OwnCallFailure failure = failure(server, PATIENCE);

    assertThat(failure.kind()).isEqualTo(OwnCallFailure.Kind.REFUSED);
    assertThat(failure.delivery()).isEqualTo(DeliveryStatus.NOT_SENT);
    assertThat(server.received()).isEmpty();
    assertThat(calls().connections()).isZero();
  }

  @Test
  void serverThatNeverAnswersIsCutOffAtTheDeadline() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NEVER_ANSWER);

    OwnCallFailure failure = failure(server, SOON);

    assertThat(failure.kind()).isEqualTo(OwnCallFailure.Kind.LATE);
    assertThat(failure.delivery()).isEqualTo(DeliveryStatus.POSSIBLY_DELIVERED);
    await().until(server::allEnded);
    assertThat(calls().connections()).isZero();
  }

  @Test
  void serverThatNeverReadsIsCutOffAtTheDeadline() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NEVER_READ);
    byte[] large = new byte[64 << 20];

    OwnCallException failed =
        catchThrowableOfType(OwnCallException.class, () -> call("anybody", server, SOON, large));

    assertThat(failed.failure().kind()).isEqualTo(OwnCallFailure.Kind.LATE);
    assertThat(failed.failure().delivery()).isEqualTo(DeliveryStatus.POSSIBLY_DELIVERED);
    assertThat(calls().connections()).isZero();
  }

  @Test
  void handshakeHasATimeOfItsOwn() throws Exception {
    handshake = SOON;
    OwnCallFailure failure = failure(server(FailurePolicy.NEVER_ACK), PATIENCE);

    assertThat(failure.kind()).isEqualTo(OwnCallFailure.Kind.REFUSED);
    assertThat(failure.delivery()).isEqualTo(DeliveryStatus.NOT_SENT);
  }

  @Test
  void replyLongerThanAllowedIsAFailure() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    server.answer(new byte[100]);
    try (BlockingCall call =
        calls().begin("anybody", target(server), System.nanoTime() + PATIENCE.toNanos(), 50)) {
      call.write(CALL, 0, CALL.length);
      InputStream reply = call.send();
      reply.readNBytes(50);
      OwnCallException failed = catchThrowableOfType(OwnCallException.class, reply::read);
      assertThat(failed.failure().kind()).isEqualTo(OwnCallFailure.Kind.NO_RETURN);
    }
    assertThat(calls().connections()).isZero();
  }

  @Test
  void connectionsToATargetAreBounded() throws Exception {
    settings = new BlockingSettings(2, 2, 5, PATIENCE);
    calls();
    ScriptedRmiServer server = server(FailurePolicy.NEVER_ANSWER);
    CompletableFuture<OwnCallFailure> one = begin("ann", server);
    CompletableFuture<OwnCallFailure> two = begin("ann", server);
    await().until(() -> server.received().length == 2 * CALL.length);
    CompletableFuture<OwnCallFailure> waiting = begin("bob", server);
    OwnCallFailure late = failure("carl", server, SOON);

    assertThat(late.kind()).isEqualTo(OwnCallFailure.Kind.OVERLOADED);
    assertThat(late.delivery()).isEqualTo(DeliveryStatus.NOT_SENT);
    assertThat(server.connections()).hasSize(2);
    server.policy(FailurePolicy.NONE);
    server.connections().get(0).close();
    await().until(() -> waiting.isDone());
    assertThat(waiting.get()).isNull();
    calls().close();
    assertThat(List.of(one.get().kind(), two.get().kind()))
        .containsOnly(OwnCallFailure.Kind.CLOSED);
  }

  private CompletableFuture<OwnCallFailure> begin(String sharer, ScriptedRmiServer server) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            call(sharer, server, PATIENCE, CALL);
            return null;
          } catch (OwnCallException failed) {
            return failed.failure();
          } catch (IOException impossible) {
            throw new AssertionError(impossible);
          }
        },
        task -> new Thread(task).start());
  }

  /** As object streams do, which write behind their failure that they have failed. */
  @Test
  void failedCallDoesNothingMoreAndLeavesItsPlace() throws Exception {
    settings = new BlockingSettings(2, 2, 2, PATIENCE);
    ScriptedRmiServer server = server(FailurePolicy.NACK);
    for (int i = 0; i < 5; i++) {
      try (BlockingCall call =
          calls().begin("ann", target(server), System.nanoTime() + PATIENCE.toNanos(), 100)) {
        byte[] large = new byte[200_000];
        OwnCallException first =
            catchThrowableOfType(OwnCallException.class, () -> call.write(large, 0, large.length));
        assertThat(
                catchThrowableOfType(OwnCallException.class, () -> call.write(large, 0, 100_000)))
            .isSameAs(first);
        assertThat(catchThrowableOfType(OwnCallException.class, call::send)).isSameAs(first);
      }
      assertThat(server.connections()).hasSize(i + 1);
    }
    server.policy(FailurePolicy.NONE);
    assertThat(call("ann", server, PATIENCE, CALL)).isEqualTo(ScriptedRmiServer.VOID_RETURN);
  }

  @Test
  void nobodyHasAllConnections() throws Exception {
    settings = new BlockingSettings(2, 1, 10, PATIENCE);
    calls();
    ScriptedRmiServer server = server(FailurePolicy.NEVER_ANSWER);
    CompletableFuture<OwnCallFailure> hanging = begin("ann", server);
    await().until(() -> server.received().length == CALL.length);

    assertThat(failure("ann", server, SOON).kind()).isEqualTo(OwnCallFailure.Kind.OVERLOADED);
    server.policy(FailurePolicy.NONE);
    assertThat(call("bob", server, PATIENCE, CALL)).isEqualTo(ScriptedRmiServer.VOID_RETURN);

    calls().close();
    assertThat(hanging.get().kind()).isEqualTo(OwnCallFailure.Kind.CLOSED);
  }

  @Test
  void idleConnectionsAreClosed() throws Exception {
    settings = new BlockingSettings(2, 2, 2, SOON);
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    call(server);

    await().until(server::allEnded);

    await().until(() -> calls().connections() == 0);
    assertThat(call(server)).isEqualTo(ScriptedRmiServer.VOID_RETURN);
  }

  @Test
  void addressThatIsNotPermittedIsNotConnectedTo() throws Exception {
    ScriptedRmiServer server = server(FailurePolicy.NONE);
    Target loopback =
        new Target("127.0.0.1", server.port(), AddressRule.ROUTABLE, PATIENCE, PATIENCE);
    try (BlockingCall call =
        calls().begin("anybody", loopback, System.nanoTime() + PATIENCE.toNanos(), MAX_REPLY)) {
      call.write(CALL, 0, CALL.length);
      OwnCallException failed = catchThrowableOfType(OwnCallException.class, call::send);
      assertThat(failed.failure().kind()).isEqualTo(OwnCallFailure.Kind.REFUSED);
    }
    assertThat(server.connections()).isEmpty();
  }
}
