package io.rmigate.client.socket;

import static io.rmigate.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.mediator.LookupSettings;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.ObjectList;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.ConnectPolicy;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the JVM's garbage collection asks, and what of it crosses the link (PROTOCOL.md, 9). */
@Timeout(180)
class LeasesTest {
  private static final String HOST = "inside.example";
  private static final EndpointId ENDPOINT = new EndpointId(HOST, 4000);
  private static final VmIdentifier JVM = new VmIdentifier(1, 2, 3, (short) 4);
  private static final byte[] LEASE = LeaseReturn.encode(JVM, 3_600_000);
  private static final byte[] NOTHING = LeaseReturn.encodeNothing();

  private final FakeGateway gateway = new FakeGateway();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<TunnelSocket> sockets = new ArrayList<>();
  private MediatorAgent agent;
  private Connection link;
  private long sequence = Long.MIN_VALUE;

  private void start(LeaseMode mode, Feature... taken) throws Exception {
    gateway.welcome(FakeGateway.welcomeTaking(Map.of(), taken));
    agent =
        new MediatorAgent(
            gateway,
            MediatorSettings.of(Duration.ofSeconds(2), Map.of("client", "test"), Compression.OFF)
                .mediating(new LookupSettings(false, NamePatterns.NONE, List.of()), mode));
    agent.ensureLink();
    link = gateway.accept();
  }

  @AfterEach
  void nothingIsLeft() {
    sockets.forEach(TunnelSocket::close);
    agent.close();
    threads.shutdown();
    await().until(threads::isTerminated);
    NamedThreads.awaitEnd("rmigate-");
  }

  @Test
  void aDirtyIsAnsweredHereAndSaidOneWay() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    assertThat(call(dirty(object(1), object(2)))).isEqualTo(LEASE);
    assertThat(link.expect(Dirty.class))
        .isEqualTo(new Dirty(0, ENDPOINT, List.of(object(1), object(2))));
    assertThat(agent.account().sums().leases()).isEqualTo(2);
    assertThat(agent.account().sums().roundTrips()).isZero();
  }

  @Test
  void aDgcAckFollowsTheDirtiesBeforeIt() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    call(dirty(object(1)));
    byte[] uid = HexFormat.of().parseHex("0102030405060708090a0b0c0d0e");
    byte[] message = new byte[15];
    message[0] = 0x54;
    System.arraycopy(uid, 0, message, 1, 14);
    handshaken().getOutputStream().write(message);

    link.expect(Dirty.class);
    DgcAck said = link.expect(DgcAck.class);
    assertThat(said.endpoint()).isEqualTo(ENDPOINT);
    assertThat(said.acknowledged()).isEqualTo(uid);
  }

  @Test
  void aRenewalIsAnsweredAndNothingIsSaid() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    assertThat(call(dirty())).isEqualTo(LEASE);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void aRenewalWithoutALinkFailsSoThatTheJvmsOwnRulesApply() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    TunnelSocket socket = handshaken();
    gateway.policy(ConnectPolicy.REFUSE);
    link.cut();
    await().until(() -> agent.currentLink().isEmpty());
    assertThat(failureOf(exchange(socket, dirty().encode())))
        .isEqualTo("java.rmi.ConnectException");
  }

  @Test
  void aCleanIsAnsweredHereAndSaidOneWay() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    call(dirty(object(1), object(2)));
    link.expect(Dirty.class);
    assertThat(call(clean(object(2)))).isEqualTo(NOTHING);
    assertThat(link.expect(Clean.class)).isEqualTo(new Clean(ENDPOINT, List.of(object(2))));
    assertThat(agent.account().sums().leases()).isEqualTo(1);
    assertThat(agent.account().sums().leaseCalls()).isEqualTo(2);
  }

  @Test
  void aCleanOfWhatIsNotHeldIsNotSaid() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    assertThat(call(clean(object(2)))).isEqualTo(NOTHING);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void aDirtyLongerThanAFrameIsAnsweredHereWhole() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    List<ObjIdentifier> many =
        IntStream.range(0, 3 * ObjectList.MAX_OBJECTS).mapToObj(LeasesTest::object).toList();
    assertThat(call(new DgcCall.Dirty(many, sequence++, Optional.of(JVM), 600_000)))
        .isEqualTo(LEASE);
    List<ObjIdentifier> said = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      said.addAll(link.expect(Dirty.class).objects());
    }
    assertThat(said).isEqualTo(many);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void aNewSessionBeginsWithAllThatIsHeldAndNobodyHasToCall() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    call(dirty(object(1), object(2)));
    call(clean(object(2)));
    link.cut();

    Connection second = gateway.accept();

    assertThat(second.expect(Dirty.class)).isEqualTo(new Dirty(0, ENDPOINT, List.of(object(1))));
    assertThat(second.unexpected()).isEmpty();
  }

  @Test
  void whatIsCleanedWithoutALinkIsNotDeclaredAnew() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    call(dirty(object(1), object(2)));
    TunnelSocket socket = handshaken();
    gateway.policy(ConnectPolicy.REFUSE);
    link.cut();
    await().until(() -> agent.currentLink().isEmpty());
    assertThat(exchange(socket, clean(object(1)).encode())).isEqualTo(NOTHING);
    gateway.policy(ConnectPolicy.ACCEPT);

    assertThat(gateway.accept().expect(Dirty.class).objects()).containsExactly(object(2));
  }

  @Test
  void aGatewayThatHoldsNoLeasesGetsTheCallsThemselves() throws Exception {
    start(LeaseMode.ON);
    assertOpaque(dirty(object(1)).encode());
  }

  @Test
  void whereTheJvmHasRegisteredReferencesItselfItGoesOnRenewingThemItself() throws Exception {
    start(LeaseMode.ON);
    assertOpaque(dirty(object(1)).encode());
    gateway.welcome(FakeGateway.welcomeTaking(Map.of(), Feature.LEASES));
    link.cut();
    await().until(() -> agent.currentLink().isEmpty());
    agent.ensureLink();
    link = gateway.accept();

    assertOpaque(dirty().encode());
    assertThat(agent.account().sums().leaseCalls()).isZero();
  }

  @Test
  void switchedOffTheCallsGoToTheirServer() throws Exception {
    start(LeaseMode.OFF);
    assertOpaque(dirty(object(1)).encode());
  }

  @Test
  void whileReferencesAreHeldAGatewayThatTakesNoLeasesIsNone() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    call(dirty(object(1)));
    TunnelSocket socket = handshaken();
    gateway.welcome(FakeGateway.welcomeTaking(Map.of()));
    link.cut();
    Connection refused = gateway.accept(); // by itself, since something is held
    await().until(refused::isClosed);

    assertThatThrownBy(agent::ensureLink)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("leases.enabled");
    assertThat(failureOf(exchange(socket, dirty().encode())))
        .isEqualTo("java.rmi.ConnectException");
    assertThat(agent.account().sums().leases()).isEqualTo(1);
    gateway.welcome(FakeGateway.welcomeTaking(Map.of(), Feature.LEASES));
    assertThat(acceptWelcomed().expect(Dirty.class))
        .isEqualTo(new Dirty(0, ENDPOINT, List.of(object(1))));
  }

  @Test
  void onceNothingIsHeldAGatewayThatTakesNoLeasesIsOne() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    call(dirty(object(1)));
    call(clean(object(1)));
    gateway.welcome(FakeGateway.welcomeTaking(Map.of()));
    link.cut();
    await().until(() -> agent.currentLink().isEmpty());
    agent.ensureLink();
    link = gateway.accept();
    assertOpaque(dirty(object(2)).encode());
  }

  @Test
  void onceTheJvmHasDroppedWhatItHadRegisteredItselfTheGatewayTakesOver() throws Exception {
    start(LeaseMode.ON);
    assertOpaque(dirty(object(1)).encode());
    gateway.welcome(FakeGateway.welcomeTaking(Map.of(), Feature.LEASES));
    link.cut();
    await().until(() -> agent.currentLink().isEmpty());
    agent.ensureLink();
    link = gateway.accept();
    assertOpaque(dirty(object(2)).encode());
    assertOpaque(clean(object(1)).encode());
    assertOpaque(clean(object(2)).encode());

    assertThat(call(dirty(object(3)))).isEqualTo(LEASE);
    assertThat(link.expect(Dirty.class).objects()).containsExactly(object(3));
  }

  @Test
  void aReferenceThatNoFrameCanCarryFailsItsDirtyAndIsNotHeld() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    for (TunnelSocket socket : List.of(handshaken(HOST, 0), handshaken("", ENDPOINT.port()))) {
      assertThat(failureOf(exchange(socket, dirty(object(1)).encode())))
          .isEqualTo("java.rmi.ConnectException");
    }
    assertThat(agent.account().sums().leases()).isZero();
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void aCallThatNoFrameCanCarryFailsAndTheSessionGoesOn() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    assertThat(failureOf(exchange(handshaken(HOST, 0), someCall())))
        .isEqualTo("java.rmi.ConnectException");
    assertThat(link.unexpected()).isEmpty();
    assertThat(call(dirty(object(1)))).isEqualTo(LEASE);
  }

  @Test
  void aCleanWithoutALinkThatNeedsANewSocketIsNotLost() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    call(dirty(object(1), object(2)));
    gateway.policy(ConnectPolicy.REFUSE);
    link.cut();
    await().until(() -> agent.currentLink().isEmpty());
    assertThat(call(clean(object(1)))).isEqualTo(NOTHING);
    gateway.policy(ConnectPolicy.ACCEPT);

    assertThat(gateway.accept().expect(Dirty.class).objects()).containsExactly(object(2));
  }

  @Test
  void whereNothingIsHeldASocketNeedsALink() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    call(dirty(object(1)));
    gateway.policy(ConnectPolicy.REFUSE);
    link.cut();
    await().until(() -> agent.currentLink().isEmpty());
    assertThatThrownBy(() -> handshaken(HOST, 4001)).isInstanceOf(ConnectException.class);
  }

  @Test
  void aCleanOfAnyNumberIsAccountedAndWaitsForTheLink() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    List<ObjIdentifier> many = IntStream.range(0, 60_000).mapToObj(LeasesTest::object).toList();
    call(new DgcCall.Dirty(many, sequence++, Optional.of(JVM), 600_000));
    assertThat(agent.account().sums().leases()).isEqualTo(60_000);
    assertThat(expectAll(Dirty.class, 60_000)).isEqualTo(many);

    link.holdWrites(); // more waits than a gateway that does not read may cause
    assertThat(call(new DgcCall.Clean(many, sequence++, JVM, false))).isEqualTo(NOTHING);
    assertThat(agent.currentLink()).isPresent();
    link.letAllWrite();
    assertThat(expectAll(Clean.class, 60_000)).containsExactlyInAnyOrderElementsOf(many);
    assertThat(agent.account().sums().leases()).isZero();
  }

  @Test
  void aNewSessionBeginsWithAnyNumberOfReferences() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    List<ObjIdentifier> many = IntStream.range(0, 60_000).mapToObj(LeasesTest::object).toList();
    call(new DgcCall.Dirty(many, sequence++, Optional.of(JVM), 600_000));
    gateway.holdAfterHello(true);
    link.cut();
    Connection second = gateway.accept();
    await().until(() -> agent.currentLink().isPresent());
    second.letAllWrite();
    link = second;
    List<ObjIdentifier> declared = expectAll(Dirty.class, 60_000);
    assertThat(declared).hasSameSizeAs(many); // in any order
    assertThat(new HashSet<>(declared).equals(new HashSet<>(many))).isTrue();
    assertThat(agent.currentLink()).isPresent();
  }

  @Test
  void strictWaitsForTheGatewaysLeaseOnWhatDidNotComeJustNow() throws Exception {
    start(LeaseMode.STRICT, Feature.LEASES);
    TunnelSocket socket = handshaken();
    Future<byte[]> answer = threads.submit(() -> exchange(socket, dirty(object(1)).encode()));
    Dirty asked = link.expect(Dirty.class);
    assertThat(asked.number()).isPositive();
    assertThat(answer.isDone()).isFalse();
    link.send(new Leased(asked.number(), Leased.Outcome.HELD, ""));
    assertThat(answer.get()).isEqualTo(LEASE);
    assertThat(agent.account().sums().roundTrips()).isEqualTo(1);
  }

  @Test
  void strictFailsTheDirtyThatTheGatewayCouldNotMake() throws Exception {
    start(LeaseMode.STRICT, Feature.LEASES);
    TunnelSocket socket = handshaken();
    Future<byte[]> answer = threads.submit(() -> exchange(socket, dirty(object(1)).encode()));
    link.send(new Leased(link.expect(Dirty.class).number(), Leased.Outcome.FAILED, "gone"));
    assertThat(failureOf(answer.get())).isEqualTo("java.rmi.ConnectException");
  }

  @Test
  void strictFailsTheDirtyWhoseLinkIsLost() throws Exception {
    start(LeaseMode.STRICT, Feature.LEASES);
    TunnelSocket socket = handshaken();
    Future<byte[]> answer = threads.submit(() -> exchange(socket, dirty(object(1)).encode()));
    link.expect(Dirty.class);
    link.cut();
    assertThat(failureOf(answer.get())).isEqualTo("java.rmi.ConnectException");
  }

  @Test
  void strictBelievesInThePinOfAReturnUntilItIsAcknowledged() throws Exception {
    start(LeaseMode.STRICT, Feature.LEASES);
    TunnelSocket socket = handshaken();
    callFor(socket, returned(1, reference(1, true), reference(2, true)));
    assertThat(exchange(socket, dirty(object(1)).encode())).isEqualTo(LEASE);
    assertThat(link.expect(Dirty.class).number()).isZero();
    socket.getOutputStream().write(acknowledgement(1));
    link.expect(DgcAck.class);
    assertAsksFor(socket, object(2));
  }

  @Test
  void strictBelievesInNoPinOfAReferenceThatWasNotMarshalledForTheCall() throws Exception {
    start(LeaseMode.STRICT, Feature.LEASES);
    TunnelSocket socket = handshaken();
    callFor(socket, returned(1, reference(1, false))); // as inside of a MarshalledObject
    assertAsksFor(socket, object(1));
  }

  @Test
  void strictSeesThePinsOfAReturnThatComesInPieces() throws Exception {
    start(LeaseMode.STRICT, Feature.LEASES);
    TunnelSocket socket = handshaken();
    byte[] message = returned(1, reference(1, true));
    Future<byte[]> answer = threads.submit(() -> exchange(socket, someCall(), message.length));
    int stream = link.expect(Open.class).stream();
    link.expect(Data.class);
    for (byte one : message) {
      link.send(new Data(stream, false, new byte[] {one}));
    }
    assertThat(answer.get()).isEqualTo(message);
    assertThat(exchange(socket, dirty(object(1)).encode())).isEqualTo(LEASE);
    assertThat(link.expect(Dirty.class).number()).isZero();
  }

  @Test
  void strictTakesAPinForTheReferenceItIsOf() throws Exception {
    start(LeaseMode.STRICT, Feature.LEASES);
    TunnelSocket socket = handshaken();
    callFor(socket, returned(1, reference(1, true)));
    TunnelSocket elsewhere = handshaken(HOST, 4001);
    assertAsksFor(elsewhere, object(1)); // the same number, but another server's
  }

  @Test
  void strictAsksOnceForADirtyLongerThanAFrame() throws Exception {
    start(LeaseMode.STRICT, Feature.LEASES);
    List<ObjIdentifier> many =
        IntStream.range(0, 3 * ObjectList.MAX_OBJECTS).mapToObj(LeasesTest::object).toList();
    TunnelSocket socket = handshaken();
    byte[] call = new DgcCall.Dirty(many, sequence++, Optional.of(JVM), 600_000).encode();
    Future<byte[]> answer = threads.submit(() -> exchange(socket, call));
    for (int i = 0; i < 3; i++) {
      long number = link.expect(Dirty.class).number();
      assertThat(answer.isDone()).isFalse();
      link.send(new Leased(number, Leased.Outcome.HELD, ""));
    }
    assertThat(answer.get()).isEqualTo(LEASE);
    assertThat(agent.account().sums().roundTrips()).isEqualTo(1);
  }

  @Test
  void strictWaitsNoLongerThanTheSocketMay() throws Exception {
    start(LeaseMode.STRICT, Feature.LEASES);
    TunnelSocket socket = handshaken();
    socket.setSoTimeout(50);
    assertThatThrownBy(() -> exchange(socket, dirty(object(1)).encode()))
        .isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout(0); // the wait can be taken up again
    link.send(new Leased(link.expect(Dirty.class).number(), Leased.Outcome.HELD, ""));
    assertThat(read(socket)).isEqualTo(LEASE);
  }

  @Test
  void closingTheSocketEndsTheWaitOfStrictAndALateAnswerHarmsNothing() throws Exception {
    start(LeaseMode.STRICT, Feature.LEASES);
    TunnelSocket socket = handshaken();
    Future<byte[]> answer = threads.submit(() -> exchange(socket, dirty(object(1)).encode()));
    long number = link.expect(Dirty.class).number();
    socket.close();
    link.send(new HeartbeatAck(link.expect(Heartbeat.class).number())); // a reader looks up
    assertThatThrownBy(answer::get).hasCauseInstanceOf(SocketException.class);
    link.send(new Leased(number, Leased.Outcome.HELD, ""));
    assertAsksFor(handshaken(), object(2));
  }

  @Test
  void onceTheGatewaySaysThatItDoesNotHoldAllTheJvmIsToldNoMoreThanIsTrue() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    call(dirty(object(1)));
    link.expect(Dirty.class);
    link.send(new Leased(0, Leased.Outcome.REFUSED, "too many"));
    // on the same thread, so that it has been read
    TunnelSocket socket = handshaken();
    callFor(socket, returned(1));
    assertAsksFor(socket, object(2));
    Future<byte[]> answer = threads.submit(() -> exchange(socket, dirty(object(3)).encode()));
    link.send(
        new Leased(link.expect(Dirty.class).number(), Leased.Outcome.REFUSED, "still too many"));
    assertThat(failureOf(answer.get())).isEqualTo("java.rmi.ConnectException");
  }

  @Test
  void inANewSessionTheJvmIsAnsweredHereAgain() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    link.send(new Leased(0, Leased.Outcome.REFUSED, "too many"));
    callFor(handshaken(), returned(1));
    link.cut();
    await().until(() -> agent.currentLink().isEmpty());
    agent.ensureLink();
    link = gateway.accept();
    assertThat(call(dirty(object(1)))).isEqualTo(LEASE);
    assertThat(link.expect(Dirty.class).number()).isZero();
  }

  private void assertAsksFor(TunnelSocket socket, ObjIdentifier object) throws Exception {
    Future<byte[]> answer = threads.submit(() -> exchange(socket, dirty(object).encode()));
    Dirty asked = link.expect(Dirty.class);
    assertThat(asked.objects()).containsExactly(object);
    assertThat(asked.number()).isPositive();
    link.send(new Leased(asked.number(), Leased.Outcome.HELD, ""));
    assertThat(answer.get()).isEqualTo(LEASE);
  }

  /** An application's Call over {@code socket}, answered by its server with {@code message}. */
  private void callFor(TunnelSocket socket, byte[] message) throws Exception {
    Future<byte[]> answer = threads.submit(() -> exchange(socket, someCall(), message.length));
    int stream = link.expect(Open.class).stream();
    link.expect(Data.class);
    link.send(new Data(stream, false, message));
    assertThat(answer.get()).isEqualTo(message);
  }

  private static byte[] someCall() {
    return HexFormat.of()
        .parseHex("50aced00057722" + "11".repeat(22) + "ffffffff" + "0102030405060708");
  }

  /** A Return whose UID consists of the number, with these contents behind its header. */
  private static byte[] returned(int uid, String... contents) {
    String id = String.format("%02x", uid).repeat(14);
    return HexFormat.of().parseHex("51aced0005770f01" + id + String.join("", contents));
  }

  private static byte[] acknowledgement(int uid) {
    return HexFormat.of().parseHex("54" + String.format("%02x", uid).repeat(14));
  }

  /** As a stub's {@code writeExternal} leaves it. */
  private static String reference(int object, boolean pinned) {
    HexFormat hex = HexFormat.of();
    String host = hex.toHexDigits((short) HOST.length()) + hex.formatHex(HOST.getBytes(UTF_8));
    return "77"
        + hex.toHexDigits((byte) (41 + HOST.length()))
        + "000a"
        + hex.formatHex("UnicastRef".getBytes(UTF_8))
        + host
        + hex.toHexDigits(ENDPOINT.port())
        + hex.formatHex(object(object).encode())
        + (pinned ? "01" : "00")
        + "78";
  }

  private <F extends Frame> List<ObjIdentifier> expectAll(Class<F> type, int count)
      throws Exception {
    List<ObjIdentifier> said = new ArrayList<>();
    while (said.size() < count) {
      F frame = link.expect(type);
      said.addAll(frame instanceof Dirty dirty ? dirty.objects() : ((Clean) frame).objects());
    }
    assertThat(link.unexpected()).isEmpty();
    return said;
  }

  /** The connection in use; those before it were refused by the agent. */
  private Connection acceptWelcomed() throws Exception {
    await().until(() -> agent.currentLink().isPresent());
    Connection connection = gateway.accept();
    while (connection.isClosed()) {
      connection = gateway.accept();
    }
    return connection;
  }

  private void assertOpaque(byte[] call) throws Exception {
    TunnelSocket socket = handshaken();
    Future<byte[]> answer = threads.submit(() -> exchange(socket, call));
    Open open = link.expect(Open.class);
    Data data = link.expect(Data.class);
    assertThat(data.bytes()).isEqualTo(call);
    link.send(new Data(open.stream(), false, LEASE));
    assertThat(answer.get()).isEqualTo(LEASE);
  }

  private DgcCall.Dirty dirty(ObjIdentifier... objects) {
    return new DgcCall.Dirty(List.of(objects), sequence++, Optional.of(JVM), 600_000);
  }

  private DgcCall.Clean clean(ObjIdentifier... objects) {
    return new DgcCall.Clean(List.of(objects), sequence++, JVM, false);
  }

  private static ObjIdentifier object(int number) {
    return new ObjIdentifier(1000 + number, 5, 6, (short) 7);
  }

  private byte[] call(DgcCall call) throws IOException {
    return exchange(handshaken(), call.encode());
  }

  /** What comes of an exceptional Return. */
  private static String failureOf(byte[] message) {
    return ExceptionalReturn.exceptionClass(message, 0, message.length).orElseThrow();
  }

  private static byte[] exchange(TunnelSocket socket, byte[] message) throws IOException {
    socket.getOutputStream().write(message);
    return read(socket);
  }

  private static byte[] exchange(TunnelSocket socket, byte[] message, int answerBytes)
      throws IOException {
    socket.getOutputStream().write(message);
    return socket.getInputStream().readNBytes(answerBytes);
  }

  private static byte[] read(TunnelSocket socket) throws IOException {
    byte[] buffer = new byte[8192];
    int count = socket.getInputStream().read(buffer);
    return Arrays.copyOf(buffer, count);
  }

  private TunnelSocket handshaken() throws IOException {
    return handshaken(HOST, ENDPOINT.port());
  }

  private TunnelSocket handshaken(String host, int port) throws IOException {
    TunnelSocket socket = TunnelSocket.connect(agent, host, port);
    sockets.add(socket);
    socket.getOutputStream().write(HexFormat.of().parseHex("4a524d4900024b"));
    socket.getInputStream().readNBytes(1);
    socket.getInputStream().read(new byte[100]);
    socket.getOutputStream().write(HexFormat.of().parseHex("00016100000000"));
    return socket;
  }
}
