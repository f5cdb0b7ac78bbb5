package io.rmigate.client.callback;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.ExportPorts;
import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.mediator.LookupSettings;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.client.socket.TunnelSocket;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Hold;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Listening.Outcome;
import io.rmigate.protocol.tunnel.Release;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unlisten;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.ConnectPolicy;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.InheritedMethods;
import io.rmigate.testing.NamedThreads;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the RMI runtime does with a listener (JRMP.md 2.2), against a scripted gateway. */
@Timeout(180)
class CallbacksTest {
  private static final int PORT = 40_001;
  private static final String PEER = "10.1.2.3";

  /** What the gateway says before another message of the same inner JVM. */
  private static final Data END = new Data(2, true, new byte[0]);

  private static final byte[] ACK = Arrays.copyOf(new byte[] {Jrmp.DGC_ACK}, 1 + Jrmp.UID_BYTES);

  /** {@code void v()}: a whole Call of 41 bytes. */
  private static final byte[] CALL =
      hex("50 aced0005 7722" + "00".repeat(22) + "ffffffff 9c9e6b1308366dda");

  /** A void Return. */
  private static final byte[] RETURN = hex("51 aced0005 770f 01" + "00".repeat(14));

  private static final ObjIdentifier ONE = object(1);
  private static final ObjIdentifier TWO = object(2);
  private static final VmIdentifier JVM = new VmIdentifier(1, 2, 3, (short) 4);

  private final FakeGateway gateway = new FakeGateway();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<ServerSocket> sockets = new ArrayList<>();
  private String hostnameBefore;
  private MediatorAgent agent;
  private int credited;
  private Connection link;

  @BeforeEach
  void keepProperty() {
    hostnameBefore = System.getProperty(ExportHost.PROPERTY);
    System.clearProperty(ExportHost.PROPERTY);
    gateway.welcome(welcome("gw.inner", Feature.CALLBACKS));
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    if (agent != null) {
      agent.close();
    }
    threads.shutdown();
    await().until(threads::isTerminated);
    NamedThreads.awaitEnd("rmigate-");
    if (hostnameBefore == null) {
      System.clearProperty(ExportHost.PROPERTY);
    } else {
      System.setProperty(ExportHost.PROPERTY, hostnameBefore);
    }
  }

  // Listening.

  @Test
  void theGatewayGivesThePortOfAnAnonymousListener() throws Exception {
    ServerSocket socket = listening(0);

    assertThat(socket.getLocalPort()).isEqualTo(PORT);
    assertThat(socket.isClosed()).isFalse();
    assertThat(agent.account().sums().callbackPorts()).isEqualTo(1);
  }

  @Test
  void anExplicitPortIsThatVeryOneOrABindException() throws Exception {
    start("1099");
    Future<ServerSocket> asking = threads.submit(() -> listen(1099));
    link = gateway.accept();
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(1, 1099));
    link.send(Listening.refused(1, Outcome.PORT_IN_USE, "by another session"));
    assertThatThrownBy(asking::get)
        .cause()
        .isInstanceOf(BindException.class)
        .hasMessageContaining("1099")
        .hasMessageContaining("by another session");

    Future<ServerSocket> again = threads.submit(() -> listen(1099));
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(2, 1099));
    link.send(Listening.on(2, 1100)); // which stubs would not name
    assertThatThrownBy(again::get).hasCauseInstanceOf(BindException.class);
    assertThat(link.expect(Unlisten.class)).isEqualTo(new Unlisten(2));
  }

  @Test
  void otherRefusalsSayWhatToConfigure() throws Exception {
    start("0");
    for (Outcome outcome : List.of(Outcome.NOT_PERMITTED, Outcome.TOO_MANY)) {
      Future<ServerSocket> asking = threads.submit(() -> listen(0));
      link = link == null ? gateway.accept() : link;
      link.send(Listening.refused(link.expect(Listen.class).listener(), outcome, ""));
      assertThatThrownBy(asking::get)
          .cause()
          .isExactlyInstanceOf(IOException.class)
          .hasMessageContaining("callbacks")
          .hasMessageContaining("its configuration");
    }
  }

  @Test
  void withoutLinkNothingIsExportedAndTheMessageSaysHowToStayLocal() throws Exception {
    gateway.policy(ConnectPolicy.REFUSE);
    start("0");
    assertThatThrownBy(() -> listen(0))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("export=none");
  }

  @Test
  void aGatewayThatDoesNotAnswerIsNotWaitedForAndToldLater() throws Exception {
    start("0", Duration.ofMillis(300));
    assertThatThrownBy(() -> listen(0)).isExactlyInstanceOf(IOException.class);
    link = gateway.accept();
    link.send(Listening.on(link.expect(Listen.class).listener(), PORT));
    assertThat(link.expect(Unlisten.class)).isEqualTo(new Unlisten(1));
  }

  @Test
  void whatIsNotListedStaysLocal() throws Exception {
    start("1099");
    assertThat(agent.callbacks().listen(0)).isEmpty();
    assertThat(agent.currentLink()).isEmpty(); // the gateway was not asked
  }

  @Test
  void whereTheGatewayTakesNoCallbacksAllStaysLocal() throws Exception {
    gateway.welcome(welcome("gw.inner"));
    start("0");
    assertThat(agent.callbacks().listen(0)).isEmpty();
    assertThat(System.getProperty(ExportHost.PROPERTY)).isNull();
  }

  @Test
  void closingTwiceWakesAcceptAndTellsTheGatewayOnce() throws Exception {
    ServerSocket socket = listening(0);
    Future<Socket> accepting = threads.submit(socket::accept);
    socket.close();
    socket.close();

    assertThatThrownBy(accepting::get).hasCauseInstanceOf(SocketException.class);
    assertThat(socket.isClosed()).isTrue();
    assertThat(link.expect(Unlisten.class)).isEqualTo(new Unlisten(1));
    assertThat(link.unexpected()).isEmpty();
    assertThat(agent.account().sums().callbackPorts()).isZero();
    link.send(accept(2, 1)); // was on its way
    assertThat(link.expect(Close.class)).isEqualTo(new Close(2, CloseCause.DONE));
  }

  @Test
  void acceptHonoursItsTimeoutAndMindsNoInterrupt() throws Exception {
    ServerSocket socket = listening(0);
    socket.setSoTimeout(1);
    assertThatThrownBy(socket::accept).isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout(60_000);
    Future<Boolean> accepting =
        threads.submit(
            () -> {
              Thread.currentThread().interrupt();
              socket.accept();
              return Thread.interrupted();
            });
    link.send(accept(2, 1));
    assertThat(accepting.get()).isTrue();
  }

  @Test
  void noMethodOfServerSocketIsLeftToMakeADescriptor() {
    assertThat(InheritedMethods.of(CallbackServerSocket.class, ServerSocket.class)).isEmpty();
  }

  // Links that come and go.

  @Test
  void acceptBlocksWhileTheLinkIsLostAndThePortIsAskedForAgain() throws Exception {
    ServerSocket socket = listening(0);
    Future<Socket> accepting = threads.submit(socket::accept);
    link.cut();
    Connection next = gateway.accept(); // without a call
    assertThat(next.expect(Listen.class)).isEqualTo(new Listen(1, PORT));
    assertThat(accepting.isDone()).isFalse();
    next.send(Listening.on(1, PORT), accept(2, 1));

    assertThat(accepting.get().getInetAddress()).isEqualTo(InetAddress.getByName(PEER));
    assertThat(agent.account().sums().callbackPortsLost()).isZero();
  }

  @Test
  void aPortThatTheNextGatewayRefusesIsReportedAndAskedForAgain() throws Exception {
    ServerSocket socket = listening(0);
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    agent
        .callbacks()
        .observer(
            new CallbackObserver() {
              @Override
              public void portLost(int port, String reason) {
                heard.add("lost " + port);
              }

              @Override
              public void portFound(int port) {
                heard.add("found " + port);
              }
            });
    link.cut();
    Connection next = gateway.accept();
    next.expect(Listen.class);
    next.send(Listening.refused(1, Outcome.PORT_IN_USE, ""));
    await().until(() -> heard.equals(List.of("lost " + PORT)));
    assertThat(agent.account().sums().callbackPortsLost()).isEqualTo(1);
    assertThat(socket.isClosed()).isFalse();

    assertThat(next.expect(Listen.class)).isEqualTo(new Listen(2, PORT));
    next.send(Listening.refused(2, Outcome.PORT_IN_USE, ""));
    assertThat(next.expect(Listen.class)).isEqualTo(new Listen(3, PORT));
    next.send(Listening.on(3, PORT));
    await().until(() -> heard.equals(List.of("lost " + PORT, "found " + PORT)));
    next.send(accept(2, 3));
    assertThat(socket.accept().getPort()).isEqualTo(5_000);
  }

  @Test
  void aGatewayThatGoesAwayIsFollowedByAnotherOneBeforeItHasGone() throws Exception {
    ServerSocket socket = listening(0);
    link.send(new Drain(Duration.ofSeconds(30)));
    Connection next = gateway.accept();
    assertThat(next.expect(Listen.class)).isEqualTo(new Listen(1, PORT));
    next.send(Listening.on(1, PORT), accept(2, 1));
    assertThat(socket.accept()).isNotNull();
    link.send(accept(2, 1)); // the old one still carries
    assertThat(socket.accept()).isNotNull();
    link.send(new Goodbye(CloseCause.DRAINING, ""));
  }

  @Test
  void aPortThatTheOldSessionStillHasIsNotLost() throws Exception {
    listening(0);
    link.send(new Drain(Duration.ofSeconds(30)));
    Connection next = gateway.accept();
    next.expect(Listen.class);
    next.send(Listening.refused(1, Outcome.PORT_IN_USE, "the same gateway"));
    assertThat(next.expect(Listen.class)).isEqualTo(new Listen(2, PORT));
    assertThat(agent.account().sums().callbackPortsLost()).isZero();
  }

  // Accepted connections.

  @Test
  void thePreambleIsGivenToTheJvmAndItsAnswerGoesNowhere() throws Exception {
    Socket socket = accepted();
    DataInputStream in = new DataInputStream(socket.getInputStream());
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    assertThat(in.readInt()).isEqualTo(Jrmp.MAGIC);
    assertThat(in.readShort()).isEqualTo((short) 2);
    assertThat(in.readByte()).isEqualTo((byte) Jrmp.STREAM_PROTOCOL);
    out.writeByte(Jrmp.PROTOCOL_ACK);
    out.writeUTF(PEER); // in pieces, byte by byte
    out.writeInt(5_000);
    out.flush();
    assertThat(in.readUTF()).isEqualTo(PEER);
    in.readInt();
    link.send(new Data(2, false, CALL));
    assertThat(in.readNBytes(CALL.length)).isEqualTo(CALL);
    out.write(RETURN);
    Future<Integer> next = threads.submit(() -> in.read());

    assertThat(link.expect(Data.class).bytes()).isEqualTo(RETURN);
    link.send(new Close(2, CloseCause.DONE));
    assertThat(next.get()).isEqualTo(-1);
  }

  @Test
  void aReturnIsOneFrameHoweverOftenItIsFlushed() throws Exception {
    Socket socket = handshaken();
    OutputStream out = socket.getOutputStream();
    for (int round = 1; round <= 3; round++) {
      int writes = link.writers().size();
      if (round > 1) {
        link.send(END);
      }
      link.send(new Data(2, false, CALL));
      socket.getInputStream().readNBytes(CALL.length);
      for (byte one : RETURN) {
        out.write(one);
        out.flush();
      }
      assertThat(link.unexpected()).isEmpty();
      socket.setSoTimeout(1);
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      socket.setSoTimeout(0);
      assertThat(link.expect(Data.class).bytes()).isEqualTo(RETURN);
      assertThat(link.writers()).hasSize(writes + 1);
      assertThat(agent.account().sums().callbacks()).isEqualTo(round);
    }
  }

  @Test
  void whatIsLeftOfAMessageIsNotReadAsTheNextOne() throws Exception {
    Socket socket = handshaken();
    InputStream in = socket.getInputStream();
    byte[] tail = new byte[100_000]; // all of them together are more than the credit
    int rounds = 5;
    for (int round = 1; round <= rounds; round++) {
      link.send(new Data(2, false, CALL));
      assertThat(in.readNBytes(7)).isEqualTo(Arrays.copyOf(CALL, 7));
      if (round > 1) {
        expectReturn();
      }
      socket.getOutputStream().write(RETURN);
      for (int sent = 0; sent < tail.length; sent += Tunnel.MAX_BODY_BYTES) {
        int end = Math.min(tail.length, sent + Tunnel.MAX_BODY_BYTES);
        link.send(new Data(2, false, Arrays.copyOfRange(tail, sent, end)));
      }
      link.send(END, new Data(2, true, ACK), new Data(2, false, CALL));
      assertThat(in.readNBytes(1 + ACK.length)).startsWith(ACK).endsWith(Jrmp.CALL);
      expectReturn();
      socket.getOutputStream().write(RETURN);
      link.send(END);
    }
    assertThat(credited).isGreaterThan(2 * tail.length);
  }

  private void expectReturn() throws Exception {
    Frame frame = link.expect(Frame.class);
    while (frame instanceof Credit credit) {
      credited += credit.moreBytes();
      frame = link.expect(Frame.class);
    }
    assertThat(((Data) frame).bytes()).isEqualTo(RETURN);
  }

  /** No JDK is known that does so. */
  @Test
  void aRuntimeThatReadsAheadGetsOneMessageOnAConnection() throws Exception {
    Socket socket = accepted();
    BufferedInputStream in = new BufferedInputStream(socket.getInputStream());
    assertThat(in.read()).isEqualTo(Jrmp.MAGIC >>> 24);
    assertThat(in.readNBytes(6)).endsWith((byte) Jrmp.SINGLE_OP_PROTOCOL);
    link.send(new Data(2, false, CALL), END, new Data(2, false, CALL));
    assertThat(in.readNBytes(CALL.length)).isEqualTo(CALL);
    socket.getOutputStream().write(RETURN); // nothing is acknowledged before
    assertThat(in.read()).isEqualTo(-1);
    expectReturn();
  }

  @Test
  void aReturnGoesBeforeTheClose() throws Exception {
    Socket socket = handshaken();
    socket.getOutputStream().write(RETURN);
    socket.close();
    assertThat(link.expect(Data.class).bytes()).isEqualTo(RETURN);
    assertThat(link.expect(Close.class)).isEqualTo(new Close(2, CloseCause.DONE));
  }

  @Test
  void aReturnOfAnyLengthWaitsForCredit() throws Exception {
    Socket socket = handshaken();
    byte[] large = new byte[600_000];
    Arrays.fill(large, (byte) 7);
    Future<?> writing =
        threads.submit(
            () -> {
              socket.getOutputStream().write(large);
              socket.close();
              return null;
            });
    int received = 0;
    while (received < large.length) {
      Data part = link.expect(Data.class);
      received += part.bytes().length;
      link.send(new Credit(2, part.bytes().length));
    }
    writing.get();
    assertThat(received).isEqualTo(large.length);
    assertThat(link.expect(Close.class)).isNotNull();
  }

  @Test
  void loopbackPeerIsNeverInvented() throws Exception {
    ServerSocket socket = listening(0);
    link.send(new Accept(2, 1, InetAddress.getByName("0.0.0.0"), 0)); // an unknown address
    InetAddress peer = socket.accept().getInetAddress();
    assertThat(peer.isLoopbackAddress()).isFalse();
    assertThat(peer.getHostAddress()).isEqualTo("0.0.0.0");
  }

  @Test
  void whatTheGatewayMustNotSendEndsTheLink() throws Exception {
    List<Frame[]> violations =
        List.of(
            new Frame[] {accept(2, 2)},
            new Frame[] {accept(2, 1), accept(2, 1)},
            new Frame[] {new Data(2, false, CALL)},
            new Frame[] {new Hold(2, List.of(ONE))},
            new Frame[] {Listening.on(1, PORT)},
            new Frame[] {END},
            new Frame[] {
              accept(2, 1), new ReturnEnd(2, 1),
            });
    keepLeases(Duration.ofMillis(400));
    listening(0);
    for (Frame[] violation : violations) {
      link.send(violation);
      Connection broken = link;
      await().until(broken::isClosed);
      link = gateway.accept();
      link.expect(Listen.class);
      link.send(Listening.on(1, PORT));
    }
  }

  // Objects that inner JVMs hold.

  @Test
  void returnNeverOvertakesItsDirty() throws Exception {
    ServerSocket socket = listening(0);
    TunnelSocket calling = TunnelSocket.connect(agent, "inside.example", 1099);
    OutputStream out = calling.getOutputStream();
    out.write(hex("4a524d49 0002 4b"));
    calling.getInputStream().readNBytes(1 + 2 + "gw.inner".length() + 4);
    out.write(hex("0009 3132372e302e302e31 00000000"));
    out.write(CALL);
    calling.setSoTimeout(1);
    assertThatThrownBy(() -> calling.getInputStream().read()) // the request is on its way
        .isInstanceOf(SocketTimeoutException.class);
    link.send(new Hold(1, List.of(ONE, TWO)), new Data(1, false, RETURN), accept(2, 1));

    JvmItself jvm = new JvmItself(socket);
    DgcCall dirty = jvm.next();
    assertThat(dirty).isInstanceOf(DgcCall.Dirty.class);
    assertThat(dirty.objects()).containsExactly(ONE, TWO);
    socket.accept(); // what comes later on the link is read meanwhile
    assertThat(calling.getInputStream().available()).isZero();
    assertThatThrownBy(() -> calling.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    jvm.answerAndEnd(60_000);

    calling.setSoTimeout(0);
    assertThat(calling.getInputStream().readNBytes(RETURN.length)).isEqualTo(RETURN);
  }

  @Test
  void aDirtyThatTheJvmDoesNotAnswerHoldsNothingBack() throws Exception {
    ServerSocket socket = listening(0);
    link.send(accept(2, 1), new Hold(1, List.of(ONE)), new Data(2, false, CALL));
    Socket called = handshake(socket.accept());
    Future<byte[]> reading = threads.submit(() -> called.getInputStream().readNBytes(CALL.length));
    socket.accept().close(); // its threads are exhausted

    assertThat(reading.get()).isEqualTo(CALL);
    JvmItself again = new JvmItself(socket); // it is asked again
    assertThat(again.next().objects()).containsExactly(ONE);
    again.answerAndEnd(60_000);
  }

  @Test
  void closingASocketWakesWhoeverWaitsForADirty() throws Exception {
    ServerSocket socket = listening(0);
    link.send(accept(2, 1), new Hold(1, List.of(ONE)), new Data(2, false, CALL));
    Socket called = handshake(socket.accept());
    Future<Integer> reading = threads.submit(() -> called.getInputStream().read());
    called.close();
    assertThatThrownBy(reading::get).hasCauseInstanceOf(SocketException.class);
  }

  @Test
  void holdsAndReleasesReachTheJvmInTheirOrder() throws Exception {
    ServerSocket socket = listening(0);
    link.send(
        new Hold(1, List.of(ONE)),
        new Hold(1, List.of(TWO)),
        new Release(1, List.of(ONE)),
        new Hold(1, List.of(ONE)));
    JvmItself jvm = new JvmItself(socket);
    List<DgcCall> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      DgcCall call = jvm.next();
      calls.add(call);
      jvm.answer(600_000);
    }
    assertThat(calls.get(2)).isInstanceOf(DgcCall.Clean.class);
    assertThat(calls).extracting(DgcCall::sequence).isSorted().doesNotHaveDuplicates();
    assertThat(calls.get(3).objects()).containsExactly(ONE);
  }

  @Test
  void leasesAreRenewedWithAllThatIsHeld() throws Exception {
    ServerSocket socket = listening(0);
    link.send(new Hold(1, List.of(ONE)), new Hold(1, List.of(TWO)));
    JvmItself jvm = new JvmItself(socket);
    for (ObjIdentifier id : List.of(ONE, TWO)) {
      assertThat(jvm.next().objects()).containsExactly(id);
      jvm.answer(90); // milliseconds
    }
    assertThat(jvm.next().objects()).containsExactlyInAnyOrder(ONE, TWO);
    jvm.answerAndEnd(600_000);
  }

  @Test
  void whatAnEndedSessionHeldIsHeldForALeaseMoreUnlessTheNextOneHoldsItToo() throws Exception {
    ServerSocket socket = listening(0);
    link.send(new Hold(1, List.of(ONE, TWO)));
    JvmItself jvm = new JvmItself(socket);
    assertThat(jvm.next()).isInstanceOf(DgcCall.Dirty.class);
    jvm.answerAndEnd(1_500);
    link.cut();
    Connection next = gateway.accept();
    next.expect(Listen.class);
    next.send(Listening.on(1, PORT), new Hold(1, List.of(TWO)));

    DgcCall call = jvm.next();
    while (call instanceof DgcCall.Dirty) { // renewals, and the hold of the new session
      jvm.answer(1_500);
      call = jvm.next();
    }
    assertThat(call.objects()).containsExactly(ONE);
  }

  // Within the JVM.

  @Test
  void ownStubIsCalledWithoutLeavingTheJvm() throws Exception {
    ServerSocket socket = listening(0);
    int frames = link.unexpected().size();
    Socket calling = agent.callbacks().connectWithin("GW.inner", PORT).orElseThrow();
    Socket called = socket.accept();
    calling.getOutputStream().write(CALL);

    assertThat(called.getInputStream().readNBytes(CALL.length)).isEqualTo(CALL);
    assertThat(link.unexpected()).hasSize(frames);
    assertThat(agent.callbacks().connectWithin("gw.inner", PORT + 1)).isEmpty();
    assertThat(agent.callbacks().connectWithin("elsewhere", PORT)).isEmpty();
    socket.close();
    assertThat(agent.callbacks().connectWithin("gw.inner", PORT)).isEmpty();
  }

  // What stubs name.

  @Test
  void stubsNameTheGatewayBeforeAnythingIsExported() throws Exception {
    start("0");
    agent.callbacks().exportHost().settle();
    assertThat(System.getProperty(ExportHost.PROPERTY)).isEqualTo("gw.inner");
  }

  @Test
  void whatTheApplicationHasSetIsKept() throws Exception {
    System.setProperty(ExportHost.PROPERTY, "theirs");
    ServerSocket socket = listening(0);
    assertThat(System.getProperty(ExportHost.PROPERTY)).isEqualTo("theirs");
    assertThat(agent.callbacks().connectWithin("theirs", PORT)).isPresent();
    socket.close();
  }

  @Test
  void whatIsConfiguredNeedsNoLink() throws Exception {
    agent = agent(new CallbackSettings(ExportPorts.ANONYMOUS, Optional.of("cfg.inner")), PATIENCE);
    agent.callbacks().exportHost().settle();
    assertThat(System.getProperty(ExportHost.PROPERTY)).isEqualTo("cfg.inner");
    assertThat(agent.currentLink()).isEmpty();
  }

  @Test
  void aLinkThatCannotBeHadDelaysExportsNoLongerThanItsTimeout() throws Exception {
    gateway.policy(ConnectPolicy.STAY_SILENT);
    start("0", Duration.ofMillis(200));
    agent.callbacks().exportHost().settle();
    assertThat(System.getProperty(ExportHost.PROPERTY)).isNull();
  }

  @Test
  void theNextGatewaysNameIsThatOfWhatIsExportedThen() throws Exception {
    listening(0);
    assertThat(System.getProperty(ExportHost.PROPERTY)).isEqualTo("gw.inner");
    gateway.welcome(welcome("gw2.inner", Feature.CALLBACKS));
    link.cut();
    gateway.accept().expect(Listen.class);
    assertThat(System.getProperty(ExportHost.PROPERTY)).isEqualTo("gw2.inner");
    assertThat(agent.callbacks().connectWithin("gw.inner", PORT)).isPresent();
  }

  @Test
  void rmigateOffersThemUnlessToldNotTo() {
    try (Rmigate rmigate =
        Rmigate.builder()
            .gateway(URI.create("http://127.0.0.1:9"))
            .set(ConfigKey.EXPORT, "none")
            .build()) {
      rmigate.prepareExports();
      assertThat(System.getProperty(ExportHost.PROPERTY)).isNull();
    }
  }

  /** The RMI runtime of this JVM as a server that its own agent calls. */
  private static final class JvmItself {
    private final ServerSocket listener;
    private DataInputStream in;
    private DataOutputStream out;

    JvmItself(ServerSocket listener) {
      this.listener = listener;
    }

    /** The next call, on the connection that there is or on the next one. */
    DgcCall next() throws IOException {
      byte[] buffer = new byte[8192];
      int count = in == null ? -1 : in.read(buffer);
      while (count < 0) {
        accept();
        count = in.read(buffer);
      }
      return DgcCall.decode(buffer, 0, count).orElseThrow();
    }

    private void accept() throws IOException {
      Socket accepted = listener.accept();
      in = new DataInputStream(accepted.getInputStream());
      out = new DataOutputStream(accepted.getOutputStream());
      assertThat(in.readInt()).isEqualTo(Jrmp.MAGIC);
      assertThat(in.readShort()).isEqualTo((short) Jrmp.VERSION);
      assertThat(in.readByte()).isEqualTo((byte) Jrmp.STREAM_PROTOCOL);
      out.writeByte(Jrmp.PROTOCOL_ACK);
      out.writeUTF("127.0.0.1");
      out.writeInt(0);
      assertThat(in.readUTF()).isEqualTo("0.0.0.0");
      assertThat(in.readInt()).isZero();
    }

    /** What it has answered is noticed by its next read. */
    void answer(long grantedMillis) throws IOException {
      out.write(LeaseReturn.encode(JVM, grantedMillis));
      out.flush();
    }

    /** Answers, and reads on, which finds the end of the connection. */
    void answerAndEnd(long grantedMillis) throws IOException {
      answer(grantedMillis);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  private void start(String ports) {
    start(ports, PATIENCE);
  }

  private void start(String ports, Duration patience) {
    agent =
        agent(
            new CallbackSettings(
                ClientConfig.builder()
                    .gateways(URI.create("http://gw"))
                    .set(ConfigKey.EXPORT, ports)
                    .build()
                    .exports(),
                Optional.empty()),
            patience);
  }

  private MediatorAgent agent(CallbackSettings settings, Duration patience) {
    return new MediatorAgent(
        gateway,
        MediatorSettings.of(patience, Map.of(), Compression.OFF)
            .mediating(new LookupSettings(false, NamePatterns.NONE, List.of()), LeaseMode.OFF)
            .withCallbacks(settings));
  }

  private ServerSocket listen(int port) throws IOException {
    ServerSocket socket = agent.callbacks().listen(port).orElseThrow();
    sockets.add(socket);
    return socket;
  }

  /** A listener at {@link #PORT} of the gateway. */
  private ServerSocket listening(int port) throws Exception {
    start("0");
    Future<ServerSocket> asking = threads.submit(() -> listen(port));
    link = gateway.accept();
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(1, port));
    link.send(Listening.on(1, PORT));
    return asking.get();
  }

  private Socket accepted() throws Exception {
    ServerSocket socket = listening(0);
    link.send(accept(2, 1));
    return socket.accept();
  }

  private Socket handshaken() throws Exception {
    return handshake(accepted());
  }

  private static Socket handshake(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    assertThat(in.readNBytes(7)).endsWith((byte) Jrmp.STREAM_PROTOCOL);
    out.writeByte(Jrmp.PROTOCOL_ACK);
    out.writeUTF(PEER);
    out.writeInt(5_000);
    in.readUTF();
    in.readInt();
    return socket;
  }

  private static Accept accept(int stream, long listener) {
    try {
      return new Accept(stream, listener, InetAddress.getByName(PEER), 5_000);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static ObjIdentifier object(int number) {
    byte[] bytes = new byte[Jrmp.OBJ_ID_BYTES];
    bytes[7] = (byte) (number + 100);
    return ObjIdentifier.decode(bytes, 0);
  }

  /**
   * For how long the gateway keeps leases of an ended session, of which the agent's pauses between
   * attempts at a link are a part.
   */
  private void keepLeases(Duration time) {
    gateway.welcome(
        FakeGateway.welcomeTaking(
            Map.of(Welcome.INNER_HOST, "gw.inner", Welcome.GRACE, Long.toString(time.toMillis())),
            Feature.CALLBACKS));
  }

  private static Welcome welcome(String innerHost, Feature... taken) {
    return FakeGateway.welcomeTaking(Map.of(Welcome.INNER_HOST, innerHost), taken);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
