package io.rmigate.client.socket;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.deadline.CallTimeout;
import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.client.deadline.CallTimeoutException.Phase;
import io.rmigate.client.deadline.CallTimeouts;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.mediator.LookupSettings;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.ConnectPolicy;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.rmi.ConnectIOException;
import java.rmi.MarshalException;
import java.rmi.UnmarshalException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** How calls end whose time is over, against a scripted gateway. */
@Timeout(180)
class DeadlinesTest {
  private static final String HOST = "inside.example";
  private static final Duration SHORT = Duration.ofMillis(150);

  /** Enough for a call to leave on a machine that is busy, once all classes are loaded. */
  private static final Duration ENOUGH_TO_LEAVE = Duration.ofSeconds(2);

  private static final Duration GRACE = Duration.ofMinutes(2);

  /** {@code void v()}: a whole Call of 41 bytes. */
  private static final byte[] CALL =
      hex("50 aced0005 7722" + "11".repeat(22) + "ffffffff 9c9e6b1308366dda");

  private static final byte[] LOOKUP =
      hex("50 aced0005 7722" + "00".repeat(22) + "00000002 44154dc9d4e63bdf 74 0002 6e6d");

  /** A void Return. */
  private static final byte[] RETURN = hex("51 aced0005 770f 01" + "00".repeat(14));

  private final FakeGateway gateway = new FakeGateway();
  private MediatorAgent agent;
  private ExecutorService threads;

  @BeforeEach
  void begin() {
    threads = Executors.newCachedThreadPool();
    // Without RESUME no second connection is made while the gateway says nothing.
    gateway.welcome(welcome(0, Set.of(Feature.LOOKUPS, Feature.DEADLINES)));
    agent = agent();
  }

  /** Loads the classes that a bounded call needs, which takes longest before the first one. */
  @BeforeAll
  static void callOnce() throws Exception {
    DeadlinesTest first = new DeadlinesTest();
    first.begin();
    try {
      TunnelSocket socket = first.handshaken(within(PATIENCE));
      first.call(socket, first.gateway.accept(), 1);
      TunnelSocket late = first.handshaken(within(SHORT));
      assertThat(exceptionOf(() -> answer(late))).isNotNull();
    } finally {
      first.nothingIsLeft();
    }
  }

  @AfterEach
  void nothingIsLeft() {
    agent.close();
    threads.shutdownNow();
    NamedThreads.awaitEnd("rmigate-");
  }

  @Test
  void withoutABoundNothingMoreIsSentThanBefore() throws Exception {
    Deadlines others =
        new Deadlines(
            new CallTimeouts(
                Duration.ZERO,
                List.of(
                    new CallTimeouts.TargetRule(
                        DestinationPatterns.of(List.of("other.example:*")), SHORT)),
                List.of()));
    TunnelSocket plain = handshaken(Deadlines.NO_RULES);
    TunnelSocket notConcerned = handshaken(others);
    Connection link = gateway.accept();
    long before = link.bytesSent();
    assertThat(call(plain, link, 1)).isEqualTo(RETURN);
    long plainBytes = link.bytesSent() - before;
    int writes = link.writers().size();
    before = link.bytesSent();
    assertThat(call(notConcerned, link, 3)).isEqualTo(RETURN);

    assertThat(link.bytesSent() - before).isEqualTo(plainBytes);
    assertThat(link.writers()).hasSize(writes + 1);
    assertThat(List.of(link.expect(Open.class), link.expect(Data.class))).hasSize(2);
    assertThat(List.of(link.expect(Open.class), link.expect(Data.class))).hasSize(2);
    assertThat(link.unexpected()).allMatch(HeartbeatAck.class::isInstance);
  }

  /** The first of a stream, with its bound. */
  private static void expectCall(Connection link) throws InterruptedException {
    link.expect(Open.class);
    link.expect(Deadline.class);
    link.expect(Data.class);
  }

  @Test
  void theGatewayIsToldOfEachCallHowLongItMayTake() throws Exception {
    TunnelSocket socket = handshaken(within(Duration.ofSeconds(30)));
    Connection link = gateway.accept();
    for (int request = 1; request <= 2; request++) {
      assertThat(call(socket, link, 1)).isEqualTo(RETURN);
      if (request == 1) {
        link.expect(Open.class);
      }
      Deadline told = link.expect(Deadline.class);
      assertThat(told.request()).isEqualTo(request);
      assertThat(told.time()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(30));
      assertThat(link.expect(Data.class).endOfRequest()).isTrue();
    }
  }

  @Test
  void aScopeBoundsTheCallsOfItsThread() throws Exception {
    TunnelSocket socket = handshaken(Deadlines.NO_RULES);
    Connection link = gateway.accept();
    try (CallTimeout scope = CallTimeout.of(Duration.ofSeconds(20))) {
      assertThat(scope).isNotNull();
      assertThat(call(socket, link, 1)).isEqualTo(RETURN);
    }
    assertThat(call(socket, link, 1)).isEqualTo(RETURN);

    link.expect(Open.class);
    assertThat(link.expect(Deadline.class).time()).isLessThanOrEqualTo(Duration.ofSeconds(20));
    link.expect(Data.class);
    link.expect(Data.class);
  }

  @Test
  void aCallThatTheGatewayCouldNotConnectForWasNotExecuted() throws Exception {
    TunnelSocket socket = handshaken(within(Duration.ofSeconds(30)));
    Connection link = gateway.accept();
    Future<Exception> failure = failing(socket);
    expectCall(link);
    link.send(new Refused(1, 1, RefusalReason.CALL_TIMEOUT, "x"));

    assertNotExecuted(failure, "waiting for the connection to the server");
  }

  @Test
  void aCallThatHadNotComeInTimeHasWaitedForTheLink() throws Exception {
    TunnelSocket socket = handshaken(within(Duration.ofSeconds(30)));
    Connection link = gateway.accept();
    Future<Exception> failure = failing(socket);
    expectCall(link);
    link.send(new Refused(1, 1, RefusalReason.CALL_LATE, "it came too late"));

    assertNotExecuted(failure, "waiting for the link to the rmigate gateway");
  }

  @Test
  void aGatewayThatDoesNotTakeDeadlinesIsToldOfNoneAndTheCallEndsAllTheSame() throws Exception {
    gateway.welcome(welcome(0, Set.of()));
    TunnelSocket socket = handshaken(within(ENOUGH_TO_LEAVE));
    Connection link = gateway.accept();
    assertThat(link.hello().features()).contains(Feature.DEADLINES);
    Future<Exception> failure = failing(socket);
    link.expect(Open.class);
    link.expect(Data.class);

    CallTimeoutException late = late(failure);
    assertThat(late.mayHaveBeenExecuted()).isTrue();
    assertNotMuchLater(late);
    assertThat(link.expect(Close.class).stream()).isEqualTo(1);
  }

  @Test
  void aDeadlineThatWasNotAgreedOnEndsTheSession() throws Exception {
    gateway.welcome(welcome(0, Set.of()));
    TunnelSocket socket = handshaken(within(Duration.ofSeconds(30)));
    Connection link = gateway.accept();
    Future<Exception> failure = failing(socket);
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new Deadline(1, 1, SHORT));

    assertThat(link.expect(Goodbye.class).cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
    assertThat(failure.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(IOException.class);
  }

  /** The collector's stub reads its answer through a filter of its own: JRMP.md 5.1. */
  @Test
  void aDirtyThatGoesToItsServerIsBoundedLikeAnyCall() throws Exception {
    byte[] dirty =
        new DgcCall.Dirty(
                List.of(new ObjIdentifier(7, 1, 2, (short) 3)),
                1,
                Optional.of(new VmIdentifier(1, 2, 3, (short) 4)),
                600_000)
            .encode();
    TunnelSocket socket = handshaken(within(ENOUGH_TO_LEAVE));
    Connection link = gateway.accept();
    Future<Exception> refused = threads.submit(() -> exceptionOf(() -> answer(socket, dirty)));
    link.expect(Open.class);
    assertThat(link.expect(Deadline.class).request()).isEqualTo(1);
    assertThat(link.expect(Data.class).bytes()).isEqualTo(dirty);
    link.send(new Refused(1, 1, RefusalReason.CALL_TIMEOUT, "x"));
    assertNotExecuted(refused, "waiting for the connection to the server");

    Future<Exception> silent = threads.submit(() -> exceptionOf(() -> answer(socket, dirty)));
    assertThat(link.expect(Deadline.class).request()).isEqualTo(2);
    assertThat(link.expect(Data.class).bytes()).isEqualTo(dirty);
    assertThat(late(silent).mayHaveBeenExecuted()).isTrue();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualThreadsAreBoundedToo() throws Exception {
    TunnelSocket socket = handshaken(within(ENOUGH_TO_LEAVE));
    Connection link = gateway.accept();
    FutureTask<Exception> failing = new FutureTask<>(() -> exceptionOf(() -> answer(socket)));
    Object virtual =
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, failing);

    expectCall(link);
    assertThat(late(failing).mayHaveBeenExecuted()).isTrue();
    assertThat(link.writers()).isNotEmpty().doesNotContain((Thread) virtual);
    assertThat(link.readers()).isNotEmpty().doesNotContain((Thread) virtual);
  }

  @Test
  void aCallThatTheGatewayHasGivenUpMayHaveBeenExecuted() throws Exception {
    TunnelSocket socket = handshaken(within(Duration.ofSeconds(30)));
    Connection link = gateway.accept();
    Future<Exception> failure = failing(socket);
    expectCall(link);
    Thread.sleep(20); // so that there has been some time to tell where it went
    link.send(new Deadline(1, 1, Duration.ofMillis(5)), new Close(1, CloseCause.CALL_TIMEOUT));

    CallTimeoutException late = late(failure);
    assertThat(late.phase()).isEqualTo(Phase.ANSWER);
    assertThat(late.mayHaveBeenExecuted()).isTrue();
    assertThat(late.target()).isEqualTo(HOST + ":1099");
    assertThat(late.limit()).isEqualTo(Duration.ofSeconds(30));
    assertThat(late.forConnect()).isEqualTo(Duration.ofMillis(5));
    assertThat(late.forAnswer()).isPositive();
    // Who reads on, as a class may that catches the first, hears of it again instead of waiting.
    assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(IOException.class);
    socket.close();
    assertThat(link.expect(Close.class).stream()).isEqualTo(1);
    assertThat(agent.currentLink().orElseThrow().openStreams()).isZero();
  }

  @Test
  void aSilentGatewayIsNotWaitedForMuchLonger() throws Exception {
    TunnelSocket socket = handshaken(within(ENOUGH_TO_LEAVE));
    Connection link = gateway.accept();
    CallTimeoutException late = late(failing(socket));

    assertThat(late.phase()).isEqualTo(Phase.LINK);
    assertThat(late.mayHaveBeenExecuted()).isTrue();
    assertNotMuchLater(late);
    assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(IOException.class);
    expectCall(link);
    assertThat(link.expect(Close.class).cause()).isEqualTo(CloseCause.DONE);
  }

  @Test
  void whatWasOnItsWayBeforeTheCallIsNoSignOfTheLink() throws Exception {
    TunnelSocket socket = handshaken(within(ENOUGH_TO_LEAVE));
    Connection link = gateway.accept();
    Future<Exception> failure = failing(socket);
    expectCall(link);
    link.send(new HeartbeatAck(0)); // as if it had been read only now

    assertThat(late(failure).phase()).isEqualTo(Phase.LINK);
  }

  @Test
  void aReturnThatStopsHalfWayIsNotWaitedForEither() throws Exception {
    TunnelSocket socket = handshaken(within(ENOUGH_TO_LEAVE));
    Connection link = gateway.accept();
    Future<Exception> failure = failing(socket);
    expectCall(link);
    link.send(new Data(1, false, new byte[] {0x51}));

    CallTimeoutException late = late(failure);
    assertThat(late.phase()).isEqualTo(Phase.ANSWER);
    assertThat(late.mayHaveBeenExecuted()).isTrue();
    assertNotMuchLater(late);
    assertThat(link.expect(Close.class).stream()).isEqualTo(1);
  }

  @Test
  void aCallThatWaitsBehindOthersForTheLinkIsTakenBackAndNeverSent() throws Exception {
    TunnelSocket first = handshaken(Deadlines.NO_RULES);
    TunnelSocket late = handshaken(within(SHORT));
    TunnelSocket behind = handshaken(within(PATIENCE));
    Connection link = gateway.accept();
    link.holdWrites();
    int writes = link.writers().size();
    Future<byte[]> unbounded = threads.submit(() -> answer(first));
    await().until(() -> link.writers().size() > writes);

    Future<Exception> failure = failing(late);
    Future<byte[]> afterwards = threads.submit(() -> answer(behind));
    assertNotExecuted(failure, "waiting for the link");
    assertThat(agent.currentLink().orElseThrow().openStreams()).isEqualTo(2);
    link.letAllWrite();

    assertThat(link.expect(Open.class).stream()).isEqualTo(1);
    assertThat(link.expect(Data.class).stream()).isEqualTo(1);
    int other = link.expect(Open.class).stream();
    assertThat(link.expect(Deadline.class).stream()).isEqualTo(other);
    Data request = link.expect(Data.class);
    assertThat(request.stream()).isEqualTo(other);
    assertThat(request.bytes()).isEqualTo(CALL);
    link.send(new Data(1, false, RETURN), new Data(other, false, RETURN));
    assertThat(unbounded.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(RETURN);
    assertThat(afterwards.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(RETURN);
    assertThat(link.unexpected()).allMatch(HeartbeatAck.class::isInstance);
  }

  @Test
  void aCallIsTakenBackFromAStreamThatTheGatewayKnowsWhichIsThenClosed() throws Exception {
    TunnelSocket first = handshaken(Deadlines.NO_RULES);
    TunnelSocket late = handshaken(within(ENOUGH_TO_LEAVE));
    Connection link = gateway.accept();
    assertThat(call(late, link, 1)).isEqualTo(RETURN);
    link.holdWrites();
    int writes = link.writers().size();
    Future<byte[]> unbounded = threads.submit(() -> answer(first));
    await().until(() -> link.writers().size() > writes);
    assertNotExecuted(failing(late), "waiting for the link");
    link.letAllWrite();

    expectCall(link);
    assertThat(link.expect(Open.class).stream()).isEqualTo(3);
    assertThat(link.expect(Data.class).stream()).isEqualTo(3);
    assertThat(link.expect(Close.class).stream()).isEqualTo(1);
    link.send(new Close(1, CloseCause.DONE), new Data(3, false, RETURN));
    assertThat(unbounded.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(RETURN);
  }

  @Test
  void aTightLoopOfCallsThatAreTakenBackLeavesNothing() throws Exception {
    TunnelSocket first = handshaken(Deadlines.NO_RULES);
    Connection link = gateway.accept();
    link.holdWrites();
    int writes = link.writers().size();
    Future<byte[]> unbounded = threads.submit(() -> answer(first));
    await().until(() -> link.writers().size() > writes);
    for (int i = 0; i < 300; i++) {
      TunnelSocket late = handshaken(within(Duration.ofMillis(2)));
      assertNotExecuted(failing(late), "waiting for the link");
      late.close();
    }
    assertThat(agent.currentLink().orElseThrow().openStreams()).isEqualTo(1);
    link.letAllWrite();
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new Data(1, false, RETURN));
    assertThat(unbounded.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(RETURN);
    assertThat(link.unexpected()).allMatch(HeartbeatAck.class::isInstance);
  }

  @Test
  void callsThatNobodyAnswersLeaveNothingOnceTheirStreamsAreClosed() throws Exception {
    Connection link = null;
    for (int i = 0; i < 3; i++) {
      TunnelSocket late = handshaken(within(ENOUGH_TO_LEAVE));
      link = link == null ? gateway.accept() : link;
      assertThat(late(failing(late)).mayHaveBeenExecuted()).isTrue();
      Frame frame = link.expect(Frame.class);
      while (!(frame instanceof Close)) {
        frame = link.expect(Frame.class);
      }
      link.send(new Close(frame.stream(), CloseCause.DONE));
      await().until(() -> agent.currentLink().orElseThrow().openStreams() == 0);
    }
  }

  @Test
  void withoutALinkAConnectionIsWaitedForNoLongerThanItsCallMayTake() throws Exception {
    gateway.policy(ConnectPolicy.STAY_SILENT);
    CallTimeoutException late =
        catchThrowableOfType(
            CallTimeoutException.class,
            () -> TunnelSocket.connect(agent, within(SHORT), HOST, 1099));

    assertThat(late.phase()).isEqualTo(Phase.LINK);
    assertThat(late.mayHaveBeenExecuted()).isFalse();
    assertThat(late.forConnect()).isZero();
  }

  @Test
  void oneAttemptAtALinkServesAllWhoCannotWaitForIt() throws Exception {
    gateway.policy(ConnectPolicy.STAY_SILENT);
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(
              () -> TunnelSocket.connect(agent, within(Duration.ofMillis(2)), HOST, 1099))
          .isInstanceOf(CallTimeoutException.class);
    }
    gateway.accept();
    assertThat(
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("rmigate-link-attempt")))
        .hasSize(1);
  }

  @Test
  void whileTheLinkIsDownACallWaitsForItsDeadlineAndIsNeverSent() throws Exception {
    gateway.welcome(welcome(0));
    TunnelSocket patient = handshaken(within(PATIENCE)); // who has time for the first link
    TunnelSocket socket = handshaken(within(SHORT));
    Connection link = gateway.accept();
    gateway.policy(ConnectPolicy.REFUSE);
    long said = link.bytesSent();
    link.cut();
    await().until(link::isClosed);
    Future<byte[]> waiting = threads.submit(() -> answer(patient));
    assertNotExecuted(failing(socket), "waiting for the link");
    gateway.welcome(welcome(said));
    gateway.policy(ConnectPolicy.ACCEPT);

    Connection resumed = gateway.accept();
    int stream = resumed.expect(Open.class).stream();
    resumed.expect(Deadline.class);
    assertThat(resumed.expect(Data.class).bytes()).isEqualTo(CALL);
    resumed.send(new Data(stream, false, RETURN));
    assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(RETURN);
    assertThat(resumed.unexpected()).allMatch(HeartbeatAck.class::isInstance);
  }

  @Test
  void aLongCallWithoutCreditIsGivenUp() throws Exception {
    gateway.welcome(gateway.welcomeWith(20_000, Duration.ofSeconds(30)));
    TunnelSocket socket = handshaken(within(ENOUGH_TO_LEAVE));
    byte[] call = new byte[50_000];
    System.arraycopy(CALL, 0, call, 0, CALL.length);
    assertThatThrownBy(() -> socket.getOutputStream().write(call))
        .isInstanceOfSatisfying(
            CallTimeoutException.class, late -> assertThat(late.mayHaveBeenExecuted()).isTrue());
  }

  @Test
  void aLongCallThatTheGatewayGivesUpWhileItWaitsForCreditSaysWhereItsTimeWent() throws Exception {
    gateway.welcome(gateway.welcomeWith(20_000, Duration.ofSeconds(30)));
    TunnelSocket socket = handshaken(within(PATIENCE));
    Connection link = gateway.accept();
    byte[] call = new byte[50_000];
    System.arraycopy(CALL, 0, call, 0, CALL.length);
    Future<Exception> failure = threads.submit(() -> exceptionOf(() -> answer(socket, call)));
    expectCall(link);
    link.send(new Deadline(1, 1, Duration.ofMillis(5)), new Close(1, CloseCause.CALL_TIMEOUT));

    CallTimeoutException late = late(failure);
    assertThat(late.phase()).isEqualTo(Phase.ANSWER);
    assertThat(late.mayHaveBeenExecuted()).isTrue();
  }

  @Test
  void aStreamWhoseRefusedRequestCannotBeEndedInTimeIsClosed() throws Exception {
    TunnelSocket late = handshaken(within(ENOUGH_TO_LEAVE));
    TunnelSocket held = handshaken(Deadlines.NO_RULES);
    TunnelSocket behind = handshaken(Deadlines.NO_RULES);
    Connection link = gateway.accept();
    byte[] call = new byte[400_000]; // more than the credit
    System.arraycopy(CALL, 0, call, 0, CALL.length);
    Future<Exception> failure = threads.submit(() -> exceptionOf(() -> answer(late, call)));
    await().until(() -> bytesOf(1, link) == 256 * 1024);
    link.holdWrites();
    int writes = link.writers().size();
    begin(held, CALL);
    await().until(() -> link.writers().size() > writes);
    Thread filling =
        new Thread(
            () -> assertThatThrownBy(() -> answer(behind, call)).isInstanceOf(IOException.class));
    filling.start(); // as much as makes others wait for room
    await().until(() -> filling.getState() == Thread.State.WAITING);
    link.send(new Refused(1, 1, RefusalReason.UNKNOWN_HOST, "x"));

    assertThat(failure.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(java.rmi.UnknownHostException.class);
    link.letAllWrite();
    await()
        .until(
            () ->
                link.unexpected().stream()
                    .anyMatch(frame -> frame instanceof Close && frame.stream() == 1));
    behind.close();
    filling.join();
  }

  private static long bytesOf(int stream, Connection link) {
    return link.unexpected().stream()
        .filter(frame -> frame instanceof Data && frame.stream() == stream)
        .mapToLong(data -> ((Data) data).bytes().length)
        .sum();
  }

  /** Writes are let go about when the calls that wait behind them are over, or just after. */
  @Test
  void whatIsToldToBeNotExecutedNeverArrives() throws Exception {
    agent.ensureLink(); // which takes longer than a call may
    Connection link = null;
    Set<Integer> toldNotExecuted = ConcurrentHashMap.newKeySet();
    int callers = 6;
    int calls = 0;
    for (int round = 0; round < 60; round++) {
      List<TunnelSocket> sockets = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        sockets.add(handshaken(within(Duration.ofMillis(8))));
      }
      TunnelSocket writer = handshaken(Deadlines.NO_RULES);
      Connection held = link == null ? gateway.accept() : link;
      link = held;
      held.holdWrites();
      Future<?> writing = threads.submit(() -> answer(writer));
      await().until(held::holdsAWrite);
      List<Future<?>> ends = new ArrayList<>();
      for (TunnelSocket socket : sockets) {
        int number = ++calls;
        ends.add(
            threads.submit(
                () -> {
                  Exception failed = exceptionOf(() -> answer(socket, numbered(number)));
                  if (!(failed instanceof CallTimeoutException)) {
                    toldNotExecuted.add(number);
                  }
                  return null;
                }));
      }
      if (round > 0) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(12_000_000));
        held.letAllWrite();
      }
      for (Future<?> end : ends) {
        end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
      held.letAllWrite();
      writer.close();
      held.send(new Heartbeat(round)); // a gateway answers the close; bytes bring back who reads
      assertThatThrownBy(() -> writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
      sockets.forEach(TunnelSocket::close);
    }
    TunnelSocket behindAll = handshaken(Deadlines.NO_RULES);
    begin(behindAll, numbered(-1));
    Connection all = link;
    await().until(() -> arrived(all).contains(-1));

    assertThat(toldNotExecuted).hasSizeGreaterThanOrEqualTo(callers);
    assertThat(arrived(all)).doesNotContainAnyElementsOf(toldNotExecuted);
  }

  private static byte[] numbered(int number) {
    return ByteBuffer.wrap(CALL.clone()).putInt(7, number).array();
  }

  /** The numbers of the calls that have come. */
  private static Set<Integer> arrived(Connection link) {
    return link.unexpected().stream()
        .filter(Data.class::isInstance)
        .map(data -> ByteBuffer.wrap(((Data) data).bytes()).getInt(7))
        .collect(Collectors.toSet());
  }

  @Test
  void aLongCallThatNeverLeftWasNotExecutedAndItsCallerHearsThatWhenItReads() throws Exception {
    TunnelSocket first = handshaken(Deadlines.NO_RULES);
    TunnelSocket late = handshaken(within(SHORT));
    Connection link = gateway.accept();
    link.holdWrites();
    int writes = link.writers().size();
    Future<byte[]> unbounded = threads.submit(() -> answer(first));
    await().until(() -> link.writers().size() > writes);
    byte[] call = new byte[400_000];
    System.arraycopy(CALL, 0, call, 0, CALL.length);
    assertNotExecuted(
        threads.submit(() -> exceptionOf(() -> answer(late, call))), "waiting for the link");
    link.letAllWrite();
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new Data(1, false, RETURN));
    unbounded.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(link.unexpected()).allMatch(HeartbeatAck.class::isInstance);
  }

  @Test
  void aLookupThatTheGatewayDoesNotAnswerEndsToo() throws Exception {
    TunnelSocket socket = handshaken(within(ENOUGH_TO_LEAVE));
    Connection link = gateway.accept();
    assertNotExecuted(
        threads.submit(() -> exceptionOf(() -> answer(socket, LOOKUP))), "was not executed");
    link.expect(Lookup.class);
    assertThat(link.unexpected())
        .allMatch(Heartbeat.class::isInstance); // for the thread that reads
  }

  @Test
  void aSocketTimeoutLeavesTheCallAndItsDeadlineAsTheyAre() throws Exception {
    TunnelSocket socket = handshaken(within(PATIENCE));
    Connection link = gateway.accept();
    socket.setSoTimeout(20);
    assertThatThrownBy(() -> answer(socket))
        .isInstanceOf(SocketTimeoutException.class)
        .isNotInstanceOf(CallTimeoutException.class);
    link.send(new Data(1, false, RETURN));
    socket.setSoTimeout(0);
    assertThat(socket.getInputStream().readNBytes(RETURN.length)).isEqualTo(RETURN);
  }

  @Test
  void theRuntimeTellsOfACallThatMayHaveBeenExecutedByAnUnmarshalException() throws Exception {
    Registry registry = registry(ENOUGH_TO_LEAVE);
    UnmarshalException failed = catchThrowableOfType(UnmarshalException.class, registry::list);
    assertThat(failed).cause().isInstanceOf(CallTimeoutException.class);
    gateway.accept().expect(Open.class);
  }

  @Test
  void theRuntimeTellsOfACallThatReachedNoServerByAConnectIoException() throws Exception {
    Registry registry = registry(Duration.ofSeconds(30));
    Future<ConnectIOException> failure =
        threads.submit(() -> catchThrowableOfType(ConnectIOException.class, registry::list));
    Connection link = gateway.accept();
    await().until(() -> link.requests() == 1);
    link.send(new Refused(1, 1, RefusalReason.CALL_TIMEOUT, "x"));
    assertThat(failure.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .cause()
        .hasSameClassAs(new SocketTimeoutException())
        .hasMessageContaining("was not executed");
  }

  @Test
  void theRuntimeTellsOfALongCallThatWasUnderWayByAMarshalException() throws Exception {
    gateway.welcome(gateway.welcomeWith(20_000, Duration.ofSeconds(30)));
    Registry registry = registry(ENOUGH_TO_LEAVE);
    MarshalException failed =
        catchThrowableOfType(MarshalException.class, () -> registry.unbind("n".repeat(60_000)));
    assertThat(failed).cause().isInstanceOf(CallTimeoutException.class);
  }

  @Test
  void theRuntimeTellsOfAConnectionThatFoundNoLinkInTimeByAConnectIoException() throws Exception {
    gateway.policy(ConnectPolicy.STAY_SILENT);
    Registry registry = registry(SHORT);
    ConnectIOException failed = catchThrowableOfType(ConnectIOException.class, registry::list);
    assertThat(failed).cause().isInstanceOf(CallTimeoutException.class);
  }

  /** Not a lookup is asked of it, which the mediator would answer. */
  private Registry registry(Duration limit) throws Exception {
    return LocateRegistry.getRegistry(HOST, 1099, new Bounded(agent, within(limit)));
  }

  /** Equal to itself alone, so that each test has connections of its own. */
  private record Bounded(MediatorAgent agent, Deadlines deadlines)
      implements RMIClientSocketFactory {
    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return TunnelSocket.connect(agent, deadlines, host, port);
    }
  }

  private static Welcome welcome(long received) {
    return welcome(received, Set.of(Feature.RESUME, Feature.LOOKUPS, Feature.DEADLINES));
  }

  private static Welcome welcome(long received, Set<Feature> features) {
    return new Welcome(
        1,
        features,
        SessionToken.of(new byte[SessionToken.BYTES]),
        received,
        256 * 1024,
        1000,
        Duration.ofSeconds(30),
        Welcome.IDENTITY,
        Map.of(Welcome.GRACE, Long.toString(GRACE.toMillis())));
  }

  private MediatorAgent agent() {
    return new MediatorAgent(
        gateway,
        MediatorSettings.of(PATIENCE, Map.of("client", "test"), Compression.OFF)
            .withGrace(GRACE)
            .mediating(LookupSettings.DEFAULTS, LeaseMode.OFF));
  }

  private static Deadlines within(Duration limit) {
    return new Deadlines(new CallTimeouts(limit, List.of(), List.of()));
  }

  private TunnelSocket handshaken(Deadlines deadlines) throws Exception {
    TunnelSocket socket = TunnelSocket.connect(agent, deadlines, HOST, 1099);
    socket.getOutputStream().write(hex("4a524d49 0002 4b"));
    DataInputStream ack = new DataInputStream(socket.getInputStream());
    ack.readByte();
    ack.readUTF();
    ack.readInt();
    socket.getOutputStream().write(hex("0009 3132372e302e302e31 00000000"));
    return socket;
  }

  private byte[] call(TunnelSocket socket, Connection link, int stream) throws Exception {
    int before = link.requests();
    threads.execute(
        () -> {
          await().until(() -> link.requests() > before);
          link.send(new Data(stream, false, RETURN));
        });
    return answer(socket);
  }

  private static byte[] answer(TunnelSocket socket) throws IOException {
    return answer(socket, CALL);
  }

  /** Reads the whole Return: a void one, or an exceptional one. */
  private static byte[] answer(TunnelSocket socket, byte[] call) throws IOException {
    InputStream in = socket.getInputStream();
    socket.getOutputStream().write(call);
    byte[] begin = in.readNBytes(8);
    if (begin[7] == 1) {
      byte[] whole = java.util.Arrays.copyOf(begin, RETURN.length);
      System.arraycopy(in.readNBytes(RETURN.length - 8), 0, whole, 8, RETURN.length - 8);
      return whole;
    }
    byte[] rest = in.readNBytes(in.available());
    byte[] whole = java.util.Arrays.copyOf(begin, begin.length + rest.length);
    System.arraycopy(rest, 0, whole, begin.length, rest.length);
    return whole;
  }

  /** A call without an answer, until its socket or the link is closed. */
  private void begin(TunnelSocket socket, byte[] call) {
    threads.execute(
        () -> {
          try {
            answer(socket, call);
          } catch (IOException ended) {
            // by the test
          }
        });
  }

  /** What a caller gets: out of the Return, or of the socket. */
  private Future<Exception> failing(TunnelSocket socket) {
    return threads.submit(() -> exceptionOf(() -> answer(socket)));
  }

  private static Exception exceptionOf(Callable<byte[]> call) throws Exception {
    byte[] answer;
    try {
      answer = call.call();
    } catch (IOException failed) {
      return failed;
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(answer, 1, answer.length - 1))) {
      in.setObjectInputFilter(DeadlinesTest::onlyOfTheJdk);
      assertThat(in.readByte()).as("exceptional").isEqualTo((byte) 2);
      in.readNBytes(14);
      return (Exception) in.readObject();
    }
  }

  /** What the stub of the JDK's collector lets pass of classes, and more. */
  private static ObjectInputFilter.Status onlyOfTheJdk(ObjectInputFilter.FilterInfo info) {
    Class<?> type = info.serialClass();
    while (type != null && type.isArray()) {
      type = type.getComponentType();
    }
    return type == null || Set.of("java.base", "java.rmi").contains(type.getModule().getName())
        ? ObjectInputFilter.Status.UNDECIDED
        : ObjectInputFilter.Status.REJECTED;
  }

  private static CallTimeoutException late(Future<Exception> failure) throws Exception {
    Exception failed = failure.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(failed).isInstanceOf(CallTimeoutException.class);
    return (CallTimeoutException) failed;
  }

  /** Long before anything else would end the wait, be the machine busy. */
  private static void assertNotMuchLater(CallTimeoutException late) {
    assertThat(late.forLink().plus(late.forConnect()).plus(late.forAnswer()))
        .isLessThan(late.limit().plusSeconds(15));
  }

  private static void assertNotExecuted(Future<Exception> failure, String words) throws Exception {
    assertThat(failure.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ConnectIOException.class)
        .cause()
        .hasSameClassAs(new SocketTimeoutException())
        .hasMessageContaining(HOST + ":1099")
        .hasMessageContaining(words)
        .hasMessageContaining("was not executed");
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
