package io.rmigate.client.socket;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.ConnectPolicy;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.io.DataInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the RMI runtime does with a socket (JRMP.md 2.1), against a scripted gateway. */
@Timeout(180)
class TunnelSocketTest {
  /** {@code void v()}: a whole Call of 41 bytes. */
  private static final byte[] CALL =
      hex("50 aced0005 7722" + "00".repeat(22) + "ffffffff 9c9e6b1308366dda");

  /** A void Return. */
  private static final byte[] RETURN = hex("51 aced0005 770f 01" + "00".repeat(14));

  private final FakeGateway gateway = new FakeGateway();
  private final MediatorAgent agent =
      new MediatorAgent(
          gateway, MediatorSettings.of(PATIENCE, Map.of("client", "test"), Compression.AUTO));
  private ExecutorService threads;

  @BeforeEach
  void startThreads() {
    threads = Executors.newCachedThreadPool();
  }

  @AfterEach
  void nothingIsLeft() {
    agent.close();
    threads.shutdownNow();
    NamedThreads.awaitEnd("rmigate-");
  }

  @Test
  void headerIsAcknowledgedWithTheGatewaysInnerHostAndNothingIsSent() throws Exception {
    TunnelSocket socket = connect();
    socket.getOutputStream().write(hex("4a524d49 0002 4b"));
    DataInputStream in = new DataInputStream(socket.getInputStream());
    assertThat(in.readByte()).isEqualTo((byte) 0x4E);
    assertThat(in.readUTF()).isEqualTo("gw.inner");
    assertThat(in.readInt()).isZero();
    assertThat(gateway.accept().unexpected()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"4c", "4d", "00"})
  void singleOpAndMultiplexAreNotSupported(String protocol) throws Exception {
    TunnelSocket socket = connect();
    socket.getOutputStream().write(hex("4a524d49 0002 " + protocol));
    assertThat(socket.getInputStream().read()).isEqualTo(0x4F);
    assertThat(gateway.accept().unexpected()).isEmpty();
  }

  @Test
  void pingsAreAnsweredHere() throws Exception {
    TunnelSocket socket = handshaken();
    for (int i = 0; i < 3; i++) {
      socket.getOutputStream().write(0x52);
      assertThat(socket.getInputStream().read()).isEqualTo(0x53);
    }
    assertThat(gateway.accept().unexpected()).isEmpty();
  }

  @Test
  void aCallLeavesWithTheFirstReadInOneWriteTogetherWithItsOpen() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    int writesBefore = link.writers().size();
    socket.getOutputStream().write(CALL);
    socket.getOutputStream().flush();
    assertThat(link.unexpected()).isEmpty();
    answerLater(link, new Data(1, false, RETURN));
    assertThat(socket.getInputStream().read(new byte[8192])).isEqualTo(RETURN.length);

    Open open = link.expect(Open.class);
    assertThat(open.host()).isEqualTo("inside.example");
    assertThat(open.port()).isEqualTo(1099);
    assertThat(open.handshakeTimeout()).isEqualTo(Duration.ofSeconds(60));
    Data data = link.expect(Data.class);
    assertThat(data.endOfRequest()).isTrue();
    assertThat(data.bytes()).isEqualTo(CALL);
    assertThat(link.writers()).hasSize(writesBefore + 1);
  }

  @Test
  void aLoneCallerWritesAndReadsTheLinkItselfWithNoHandOver() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    int writes = link.writers().size();
    int calls = 0;
    do { // at first the daemon may still be reading
      call(socket, link);
      calls++;
    } while (!link.readers().contains(Thread.currentThread()) && calls < 1000);
    assertThat(link.readers()).contains(Thread.currentThread());
    assertThat(link.writers().subList(writes, link.writers().size()))
        .filteredOn(Thread.currentThread()::equals)
        .hasSize(calls);
  }

  @Test
  void aLargeCallGoesInChunksAsCreditAllows() throws Exception {
    gateway.welcome(gateway.welcomeWith(20_000, Duration.ofSeconds(30)));
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    byte[] call = new byte[50_000];
    call[0] = 0x50;
    Future<Integer> result =
        threads.submit(
            () -> {
              socket.getOutputStream().write(call);
              return socket.getInputStream().read(new byte[100]);
            });
    link.expect(Open.class);
    int received = 0;
    boolean ended = false;
    while (received < 20_000) {
      Data data = link.expect(Data.class);
      assertThat(data.bytes().length).isLessThanOrEqualTo(Tunnel.MAX_BODY_BYTES);
      received += data.bytes().length;
    }
    assertThat(received).isEqualTo(20_000);
    assertThat(link.unexpected()).isEmpty();
    link.send(new Credit(1, 100_000));
    while (!ended) {
      Data data = link.expect(Data.class);
      received += data.bytes().length;
      ended = data.endOfRequest();
    }
    assertThat(received).isEqualTo(50_000);
    link.send(new Data(1, false, RETURN));
    assertThat(result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(RETURN.length);
  }

  @Test
  void aSmallCallPassesBetweenTheChunksOfALargeOneThatWaits() throws Exception {
    gateway.welcome(gateway.welcomeWith(16_384, Duration.ofSeconds(30)));
    TunnelSocket large = handshaken();
    TunnelSocket small = handshaken();
    Connection link = gateway.accept();
    byte[] call = new byte[1_000_000];
    call[0] = 0x50;
    Future<?> sending =
        threads.submit(
            () -> {
              large.getOutputStream().write(call);
              return null;
            });
    link.expect(Open.class);
    link.expect(Data.class); // the credit is used up: the large call waits
    answerLater(link, new Data(3, false, RETURN));
    small.getOutputStream().write(CALL);
    assertThat(small.getInputStream().read(new byte[100])).isEqualTo(RETURN.length);
    assertThat(sending.isDone()).isFalse();
    large.close();
    link.send(new Close(1, CloseCause.DONE));
    assertThatThrownBy(() -> sending.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(LostCallException.class);
  }

  @Test
  void creditIsGivenBackInHalvesOfTheWindow() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    answerLater(link, chunks(1, 200_000));
    socket.getOutputStream().write(CALL);
    assertThat(socket.getInputStream().readNBytes(200_000)).hasSize(200_000);
    link.expect(Open.class);
    link.expect(Data.class);
    assertThat(link.expect(Credit.class).moreBytes()).isBetween(131_072, 200_000);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void soTimeoutIsHonouredAndLeavesTheSocketUsable() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    socket.setSoTimeout(50);
    socket.getOutputStream().write(CALL);
    assertThatThrownBy(() -> socket.getInputStream().read(new byte[10]))
        .isInstanceOf(SocketTimeoutException.class);
    link.send(new Data(1, false, RETURN));
    socket.setSoTimeout((int) PATIENCE.toMillis());
    assertThat(socket.getInputStream().readNBytes(RETURN.length)).isEqualTo(RETURN);
    socket.setSoTimeout(20);
    assertThatThrownBy(() -> socket.getInputStream().read(new byte[10]))
        .isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void closeFromAnotherThreadWakesTheReaderAndTellsTheGateway() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    CountDownLatch reading = new CountDownLatch(1);
    Future<Integer> read =
        threads.submit(
            () -> {
              socket.getOutputStream().write(CALL);
              reading.countDown();
              return socket.getInputStream().read(new byte[10]);
            });
    reading.await();
    link.expect(Open.class);
    link.expect(Data.class);
    socket.close();
    socket.close();
    assertThat(link.expect(Close.class).cause()).isEqualTo(CloseCause.DONE);
    link.send(new Close(1, CloseCause.DONE));
    assertThatThrownBy(() -> read.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(LostCallException.class);
    assertThat(link.unexpected()).isEmpty();
    await().until(() -> agent.currentLink().orElseThrow().openStreams() == 0);
  }

  @Test
  void aNumberIsUsedAgainOnlyAfterBothSidesHaveClosed() throws Exception {
    TunnelSocket first = handshaken();
    Connection link = gateway.accept();
    call(first, link);
    first.close();
    link.expect(Close.class);
    TunnelSocket second = handshaken();
    callOn(second, link, 3);
    second.close();
    link.expect(Close.class);
    link.send(new Close(1, CloseCause.DONE), new Close(3, CloseCause.DONE));
    await().until(() -> agent.currentLink().orElseThrow().openStreams() == 0);
    callOn(handshaken(), link, 1);
  }

  @Test
  void aCallThatIsNotReadForIsDroppedUnsent() throws Exception {
    TunnelSocket socket = handshaken();
    socket.getOutputStream().write(CALL);
    socket.getOutputStream().flush();
    socket.close();
    assertThat(gateway.accept().unexpected()).isEmpty();
  }

  @Test
  void aDgcAckLeavesWithoutARead() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    byte[] ack = new byte[15];
    ack[0] = 0x54;
    socket.getOutputStream().write(ack, 0, 7);
    socket.getOutputStream().write(ack, 7, 8);
    assertThat(socket.getInputStream().available()).isZero();
    link.expect(Open.class);
    assertThat(link.expect(Data.class).bytes()).isEqualTo(ack);
    callOn(socket, link, 1);
  }

  @Test
  void theServersEndOfAConnectionIsTheEndOfTheReturnOnly() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    answerLater(link, new Data(1, false, hex("51 aced")), new ReturnEnd(1, 1));
    socket.getOutputStream().write(CALL);
    assertThat(socket.getInputStream().readNBytes(3)).hasSize(3);
    assertThat(socket.getInputStream().read()).isEqualTo(-1);
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new ReturnEnd(1, 1)); // late, and for the request before
    callOn(socket, link, 1);
  }

  @Test
  void refusalsBecomeExceptionalReturnsOfTheRightClass() throws Exception {
    assertRefusal(RefusalReason.CONNECTION_REFUSED, "java.rmi.ConnectException");
    assertRefusal(RefusalReason.UNKNOWN_HOST, "java.rmi.UnknownHostException");
    assertRefusal(RefusalReason.CONNECT_FAILED, "java.rmi.ConnectIOException");
    assertRefusal(RefusalReason.NOT_JRMP, "java.rmi.ConnectIOException");
    assertRefusal(RefusalReason.TARGET_NOT_PERMITTED, "java.rmi.ConnectException");
    assertRefusal(RefusalReason.OPERATION_NOT_PERMITTED, "java.rmi.AccessException");
  }

  private void assertRefusal(RefusalReason reason, String exception) throws Exception {
    FakeGateway other = new FakeGateway();
    try (MediatorAgent own =
        new MediatorAgent(other, MediatorSettings.of(PATIENCE, Map.of(), Compression.AUTO))) {
      TunnelSocket socket = handshake(TunnelSocket.connect(own, "inside.example", 1099));
      Connection link = other.accept();
      answerLater(link, new Refused(1, 1, reason, "why"));
      socket.getOutputStream().write(CALL);
      byte[] bytes = new byte[8192];
      int count = socket.getInputStream().read(bytes);
      assertThat(bytes[0]).isEqualTo((byte) 0x51);
      assertThat(new String(bytes, 0, count, StandardCharsets.ISO_8859_1)).contains(exception);
    }
  }

  @Test
  void aLostLinkFailsTheCallInFlightAndSparesTheIdleConnection() throws Exception {
    TunnelSocket busy = handshaken();
    TunnelSocket idle = handshaken();
    Connection link = gateway.accept();
    callOn(idle, link, 1);
    Future<Integer> read =
        threads.submit(
            () -> {
              busy.getOutputStream().write(CALL);
              return busy.getInputStream().read(new byte[10]);
            });
    link.expect(Open.class);
    link.expect(Data.class);
    link.cut();
    assertThatThrownBy(() -> read.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(LostCallException.class);
    idle.getOutputStream().write(0x52);
    assertThat(idle.getInputStream().read()).isEqualTo(0x53);
    Future<byte[]> again =
        threads.submit(
            () -> {
              idle.getOutputStream().write(CALL);
              return idle.getInputStream().readNBytes(RETURN.length);
            });
    Connection next = gateway.accept();
    next.expect(Open.class);
    next.expect(Data.class);
    next.send(new Data(1, false, RETURN));
    assertThat(again.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(RETURN);
    assertThat(link.isClosed()).isTrue();
  }

  @Test
  void withoutAGatewayConnectFailsAsARefusedConnectionDoes() {
    gateway.policy(ConnectPolicy.REFUSE);
    assertThatThrownBy(this::connect)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("scripted: refused");
  }

  @Test
  void aCallThatFindsNoLinkFailsAsARefusedConnectionDoes() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    callOn(socket, link, 1);
    gateway.policy(ConnectPolicy.REFUSE);
    link.cut();
    await().until(() -> agent.currentLink().isEmpty());
    socket.getOutputStream().write(CALL);
    byte[] bytes = new byte[8192];
    int count = socket.getInputStream().read(bytes);
    assertThat(new String(bytes, 0, count, StandardCharsets.ISO_8859_1))
        .contains("java.rmi.ConnectException");
  }

  @Test
  void aCallBeyondTheStreamsOfASessionFailsUnsent() throws Exception {
    gateway.welcome(gateway.welcomeWith(1000, 1, Duration.ofSeconds(30)));
    TunnelSocket first = handshaken();
    Connection link = gateway.accept();
    callOn(first, link, 1);
    TunnelSocket second = handshaken();
    second.getOutputStream().write(CALL);
    assertThat(second.getInputStream().read()).isEqualTo(0x51);
    byte[] rest = second.getInputStream().readNBytes(second.getInputStream().available());
    assertThat(new String(rest, StandardCharsets.ISO_8859_1))
        .contains("java.rmi.ConnectIOException")
        .contains("allows 1 open connections in one session");
    assertThat(link.unexpected()).isEmpty();
    first.close();
    link.expect(Close.class);
    link.send(new Close(1, CloseCause.DONE));
    await().until(() -> agent.currentLink().orElseThrow().openStreams() == 0);
    callOn(second, link, 1); // there is room now
  }

  @Test
  void aGatewayThatStaysSilentIsGivenUpInTime() {
    gateway.policy(ConnectPolicy.STAY_SILENT);
    try (MediatorAgent hurried =
        new MediatorAgent(
            gateway, MediatorSettings.of(Duration.ofSeconds(1), Map.of(), Compression.OFF))) {
      assertThatThrownBy(() -> TunnelSocket.connect(hurried, "inside.example", 1099))
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("did not welcome us");
    }
  }

  @Test
  void aLinkThatIsSilentForThreeHeartbeatsIsDead() throws Exception {
    gateway.welcome(gateway.welcomeWith(1000, Duration.ofMillis(500)));
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    socket.getOutputStream().write(CALL);
    assertThatThrownBy(() -> socket.getInputStream().read(new byte[10]))
        .isInstanceOf(LostCallException.class)
        .hasMessageContaining("nothing was heard");
    assertThat(link.unexpected()).hasAtLeastOneElementOfType(Heartbeat.class);
  }

  @Test
  void heartbeatsAreAnsweredWhileNobodyCalls() throws Exception {
    connect();
    Connection link = gateway.accept();
    link.send(new Heartbeat(77));
    assertThat(link.expect(HeartbeatAck.class).number()).isEqualTo(77);
  }

  @Test
  void afterADrainRequestsUseANewLinkAndTheGatewayIsToldSo() throws Exception {
    TunnelSocket old = handshaken();
    Connection link = gateway.accept();
    callOn(old, link, 1);
    link.send(new Drain(Duration.ofSeconds(5)));
    await().until(() -> agent.currentLink().isEmpty());
    assertThat(link.expect(Drain.class)).isEqualTo(new Drain(Duration.ZERO));
    TunnelSocket fresh = handshaken();
    Connection other = gateway.accept();
    callOn(fresh, other, 1);
    callOn(old, other, 3);
    await().until(() -> link.unexpected().contains(new Close(1, CloseCause.DONE)));
    assertThat(link.unexpected()).noneMatch(Data.class::isInstance);
  }

  @Test
  void whatIsUnderWayWhenTheGatewayDrainsIsFinishedThere() throws Exception {
    gateway.welcome(gateway.welcomeWith(20_000, Duration.ofSeconds(30)));
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    byte[] call = new byte[30_000];
    call[0] = 0x50;
    Future<Integer> result =
        threads.submit(
            () -> {
              socket.getOutputStream().write(call);
              return socket.getInputStream().read(new byte[100]);
            });
    link.expect(Open.class);
    for (int received = 0; received < 20_000; ) {
      received += link.expect(Data.class).bytes().length;
    }
    link.send(new Drain(Duration.ofSeconds(5)));
    await().until(() -> agent.currentLink().isEmpty());
    assertThat(link.unexpected()).isEmpty(); // the rest of the request is still to come

    link.send(new Credit(1, 20_000));

    boolean ended = false;
    while (!ended) {
      ended = link.expect(Data.class).endOfRequest();
    }
    link.expect(Drain.class);
    link.send(new Data(1, false, RETURN));
    assertThat(result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(RETURN.length);
  }

  @Test
  void framesThatMustNotComeEndTheLinkWithAGoodbyeThatSaysWhy() throws Exception {
    List<Frame> forbidden =
        List.of(
            new Data(7, false, new byte[1]), // no such stream
            new Data(1, true, new byte[1]), // only openers end requests
            new Open(2, "h", 1, Duration.ZERO, Duration.ZERO),
            gateway.welcomeWith(1, Duration.ofSeconds(1)), // twice
            new Credit(1, Tunnel.MAX_CREDIT_BYTES));
    for (Frame frame : forbidden) {
      FakeGateway other = new FakeGateway();
      try (MediatorAgent own =
          new MediatorAgent(other, MediatorSettings.of(PATIENCE, Map.of(), Compression.AUTO))) {
        TunnelSocket socket = handshake(TunnelSocket.connect(own, "inside.example", 1099));
        Connection link = other.accept();
        answerLater(link, frame);
        socket.getOutputStream().write(CALL);
        assertThatThrownBy(() -> socket.getInputStream().read(new byte[10]))
            .as(frame.toString())
            .isInstanceOf(LostCallException.class);
        link.expect(Open.class);
        link.expect(Data.class);
        assertThat(link.expect(Goodbye.class).cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
        assertThat(link.isClosed()).isTrue();
      }
    }
  }

  @Test
  void dataBeyondTheCreditIsAViolation() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    socket.getOutputStream().write(CALL);
    Future<byte[]> reader = threads.submit(() -> socket.getInputStream().readNBytes(1));
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(chunks(1, 256 * 1024 + 1));
    assertThat(link.expect(Goodbye.class).text()).contains("credit");
    assertThat(reader).succeedsWithin(PATIENCE);
  }

  @Test
  void anInterruptNeitherBreaksACallNorIsLost() throws Exception {
    TunnelSocket leader = handshaken();
    TunnelSocket follower = handshaken();
    Connection link = gateway.accept();
    List<Future<Boolean>> calls = new ArrayList<>();
    List<Thread> callers = new java.util.concurrent.CopyOnWriteArrayList<>();
    for (TunnelSocket socket : List.of(leader, follower)) {
      calls.add(
          threads.submit(
              () -> {
                callers.add(Thread.currentThread());
                socket.getOutputStream().write(CALL);
                assertThat(socket.getInputStream().read(new byte[100])).isEqualTo(RETURN.length);
                return Thread.interrupted();
              }));
      link.expect(Open.class);
      link.expect(Data.class);
    }
    callers.forEach(Thread::interrupt);
    link.send(new Data(3, false, RETURN), new Data(1, false, RETURN));
    for (Future<Boolean> call : calls) {
      assertThat(call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualThreadsCallButNeverTouchTheTransport() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    Thread virtual =
        (Thread)
            Thread.class
                .getMethod("startVirtualThread", Runnable.class)
                .invoke(
                    null,
                    (Runnable)
                        () -> {
                          try {
                            callOn(socket, link, 1);
                            callOn(socket, link, 1);
                          } catch (Exception failed) {
                            throw new AssertionError(failed);
                          }
                        });
    virtual.join();
    assertThat(link.writers()).isNotEmpty().doesNotContain(virtual);
    assertThat(link.readers()).isNotEmpty().doesNotContain(virtual);
  }

  @Test
  void manyThreadsShareOneLinkAndEachGetsItsOwnAnswer() throws Exception {
    Connection link;
    connect();
    link = gateway.accept();
    Future<?> server =
        threads.submit(
            () -> {
              for (int i = 0; i < 32 * 200; ) {
                Frame frame = link.expect(Frame.class);
                if (frame instanceof Data data) {
                  link.send(new Data(data.stream(), false, data.bytes()));
                  i++;
                }
              }
              return null;
            });
    List<Future<?>> callers = new ArrayList<>();
    for (int thread = 0; thread < 32; thread++) {
      byte[] call = CALL.clone();
      call[40] = (byte) thread;
      callers.add(
          threads.submit(
              () -> {
                TunnelSocket socket = handshaken();
                for (int i = 0; i < 200; i++) {
                  socket.getOutputStream().write(call);
                  assertThat(socket.getInputStream().readNBytes(call.length)).isEqualTo(call);
                }
                return null;
              }));
    }
    for (Future<?> caller : callers) {
      caller.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    server.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void theHostIsTheStubsAndNotResolved() throws Exception {
    TunnelSocket socket = connect();
    assertThat(socket.toString()).isEqualTo("TunnelSocket[inside.example:1099]");
    assertThat(socket.getInetAddress().getHostName()).isEqualTo("inside.example");
  }

  private TunnelSocket connect() throws Exception {
    return TunnelSocket.connect(agent, "inside.example", 1099);
  }

  private TunnelSocket handshaken() throws Exception {
    return handshake(connect());
  }

  private static TunnelSocket handshake(TunnelSocket socket) throws Exception {
    OutputStream out = socket.getOutputStream();
    InputStream in = socket.getInputStream();
    for (byte one : hex("4a524d49 0002 4b")) {
      out.write(one);
    }
    DataInputStream ack = new DataInputStream(in);
    ack.readByte();
    ack.readUTF();
    ack.readInt();
    out.write(hex("0009 3132372e302e302e31 00000000"));
    return socket;
  }

  private void call(TunnelSocket socket, Connection link) throws Exception {
    callOn(socket, link, 1);
    assertThat(link.unexpected()).allMatch(HeartbeatAck.class::isInstance);
  }

  /** One call and its answer; takes the frames of it from the link. */
  private Void callOn(TunnelSocket socket, Connection link, int stream) throws Exception {
    answerLater(link, new Data(stream, false, RETURN));
    socket.getOutputStream().write(CALL);
    assertThat(socket.getInputStream().readNBytes(RETURN.length)).isEqualTo(RETURN);
    Frame frame = link.expect(Frame.class);
    while (!(frame instanceof Data)) {
      frame = link.expect(Frame.class);
    }
    assertThat(frame.stream()).isEqualTo(stream);
    return null;
  }

  /** Answers once the agent has sent a request. */
  private void answerLater(Connection link, Frame... frames) {
    int before = link.requests();
    threads.execute(
        () -> {
          await().pollInterval(Duration.ofMillis(1)).until(() -> link.requests() > before);
          link.send(frames);
        });
  }

  private static Frame[] chunks(int stream, int bytes) {
    List<Frame> frames = new ArrayList<>();
    for (int left = bytes; left > 0; left -= Tunnel.MAX_BODY_BYTES) {
      frames.add(new Data(stream, false, new byte[Math.min(left, Tunnel.MAX_BODY_BYTES)]));
    }
    return frames.toArray(Frame[]::new);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
