package io.rmigate.client.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.mediator.LookupSettings;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.DgcCall;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ExceptionalReturn;
import io.rmigate.protocol.jrmp.LeaseReturn;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.ObjectList;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.ConnectPolicy;
import io.rmigate.testing.FakeGateway.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the JVM's garbage collection asks, and what of it crosses the link (PROTOCOL.md, 9). */
@Timeout(60)
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
    gateway.welcome(welcome(taken));
    agent =
        new MediatorAgent(
            gateway,
            Duration.ofSeconds(2),
            Map.of("client", "test"),
            Compression.OFF,
            new LookupSettings(false, NamePatterns.NONE, List.of()),
            mode);
    agent.ensureLink();
    link = gateway.accept();
  }

  private static Welcome welcome(Feature... taken) {
    return new Welcome(
        1,
        Set.of(taken),
        SessionToken.of(new byte[SessionToken.BYTES]),
        0,
        256 * 1024,
        1000,
        Duration.ofSeconds(30),
        Welcome.IDENTITY,
        Map.of());
  }

  @AfterEach
  void nothingIsLeft() {
    sockets.forEach(TunnelSocket::close);
    agent.close();
    threads.shutdown();
    await().atMost(20, TimeUnit.SECONDS).until(threads::isTerminated);
    await()
        .atMost(20, TimeUnit.SECONDS)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("rmigate-")));
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
    await().atMost(20, TimeUnit.SECONDS).until(() -> agent.currentLink().isEmpty());
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
    await().atMost(20, TimeUnit.SECONDS).until(() -> agent.currentLink().isEmpty());
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
    gateway.welcome(welcome(Feature.LEASES));
    link.cut();
    await().atMost(20, TimeUnit.SECONDS).until(() -> agent.currentLink().isEmpty());
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
  void whenTheNextGatewayHoldsNoLeasesTheJvmIsMadeToRegisterAnew() throws Exception {
    start(LeaseMode.ON, Feature.LEASES);
    call(dirty(object(1)));
    TunnelSocket socket = handshaken();
    gateway.welcome(welcome());
    link.cut();
    gateway.accept(); // by itself, since something is held
    await().atMost(20, TimeUnit.SECONDS).until(() -> agent.currentLink().isPresent());

    assertThat(failureOf(exchange(socket, dirty().encode())))
        .isEqualTo("java.rmi.ConnectException");
    assertThat(agent.account().sums().leases()).isZero();
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
    byte[] buffer = new byte[8192];
    int count = socket.getInputStream().read(buffer);
    return Arrays.copyOf(buffer, count);
  }

  private TunnelSocket handshaken() throws IOException {
    TunnelSocket socket = TunnelSocket.connect(agent, HOST, ENDPOINT.port());
    sockets.add(socket);
    socket.getOutputStream().write(HexFormat.of().parseHex("4a524d4900024b"));
    socket.getInputStream().readNBytes(1);
    socket.getInputStream().read(new byte[100]);
    socket.getOutputStream().write(HexFormat.of().parseHex("00016100000000"));
    return socket;
  }
}
