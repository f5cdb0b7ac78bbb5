package io.rmigate.client.socket;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.link.Link;
import io.rmigate.client.mediator.LookupSettings;
import io.rmigate.client.mediator.LoopbackServers;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Forgot;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the agent answers itself, asks the gateway, and forgets, against a scripted gateway. */
@Timeout(180)
class LookupsTest {
  private static final String HOST = "inside.example";
  private static final RegistryName NAME = new RegistryName(new EndpointId(HOST, 1099), "Hello");

  private static final Duration GRACE = Duration.ofMinutes(2);

  private final FakeGateway gateway = new FakeGateway();
  private MediatorAgent agent;
  private Connection link;
  private ExecutorService threads;
  private final List<TunnelSocket> sockets = new ArrayList<>();
  private final List<Future<byte[]>> unfinished = new ArrayList<>();

  @BeforeEach
  void begin() throws Exception {
    threads = Executors.newCachedThreadPool();
    gateway.welcome(welcome(Map.of()));
    start(LookupSettings.DEFAULTS);
  }

  private static Welcome welcome(Map<String, String> properties) {
    return welcome(properties, Duration.ofSeconds(30));
  }

  private static Welcome welcome(Map<String, String> properties, Duration heartbeat) {
    return new Welcome(
        1,
        Set.of(Feature.LOOKUPS),
        SessionToken.of(new byte[SessionToken.BYTES]),
        0,
        256 * 1024,
        1000,
        heartbeat,
        Welcome.IDENTITY,
        properties);
  }

  private void start(LookupSettings settings) throws Exception {
    start(gateway, settings, Duration.ZERO);
  }

  private void start(TransportConnector connector, LookupSettings settings, Duration grace)
      throws Exception {
    if (agent != null) {
      agent.close();
    }
    agent =
        new MediatorAgent(
            connector,
            MediatorSettings.of(Duration.ofSeconds(2), Map.of("client", "test"), Compression.OFF)
                .withGrace(grace)
                .mediating(settings, LeaseMode.OFF));
    agent.ensureLink();
    link = gateway.accept();
  }

  @AfterEach
  void nothingIsLeft() {
    sockets.forEach(TunnelSocket::close);
    agent.close();
    threads.shutdown();
    await().until(threads::isTerminated);
    assertThat(unfinished).allMatch(Future::isDone);
    NamedThreads.awaitEnd("rmigate-");
  }

  @Test
  void aLookupIsOneFrameAndOpensNoStream() throws Exception {
    byte[] reply = reply(1, HOST, 4000);
    TunnelSocket socket = handshaken();
    Future<byte[]> looked = lookUp(socket, reply.length);
    Lookup asked = link.expect(Lookup.class);
    assertThat(asked.name()).isEqualTo(NAME);
    assertThat(asked.fresh()).isFalse();
    link.send(new Bound(asked.number(), 1, Optional.empty(), reply));
    assertThat(looked.get()).isEqualTo(reply);
    assertThat(link.unexpected()).isEmpty();
  }

  /** Otherwise the client could connect there without the gateway. */
  @Test
  void whatAReplyNamesIsInsideBeforeTheLookupIsAnswered() throws Exception {
    gateway.welcome(welcome(Map.of(Welcome.MAPS_LOOPBACK, "true")));
    start(LookupSettings.DEFAULTS);
    byte[] reply = reply(1, "localhost", 4000);
    List<Long> heldWhenLearnt = new CopyOnWriteArrayList<>();
    Handler watching =
        new Handler() {
          @Override
          public void publish(LogRecord learnt) {
            heldWhenLearnt.add(agent.lookups().figures().held());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger(LoopbackServers.class.getName());
    log.addHandler(watching);
    try {
      Future<byte[]> looked = lookUp(handshaken(), reply.length);
      Lookup asked = link.expect(Lookup.class);
      link.send(new Bound(asked.number(), 1, Optional.empty(), reply));
      assertThat(looked.get()).isEqualTo(reply);
    } finally {
      log.removeHandler(watching);
    }
    assertThat(heldWhenLearnt).containsExactly(0L);
    assertThat(agent.loopback().isInside("localhost", 4000)).isTrue();
  }

  @Test
  void aRepeatedLookupIsAnsweredHereAndSoIsItsAcknowledgement() throws Exception {
    byte[] reply = hold(1, 4000);
    for (int i = 0; i < 3; i++) {
      TunnelSocket socket = handshaken();
      assertThat(lookUp(socket, reply.length).get()).isEqualTo(reply);
      acknowledge(socket, 1);
    }
    assertThat(link.unexpected()).isEmpty();
    assertThat(agent.lookups().figures().servedHere()).isEqualTo(3);
    assertThat(agent.account().sums().lookups()).isEqualTo(3);
  }

  @Test
  void aPushedBindingReplacesTheOneThatIsHeld() throws Exception {
    hold(1, 4000);
    acknowledge(handshaken(), 1);
    byte[] next = reply(2, HOST, 4001);
    link.send(new Bound(0, 2, Optional.of(NAME), next));
    assertThat(link.expect(Forgot.class).binding()).isEqualTo(1);
    assertThat(lookUp(handshaken(), next.length).get()).isEqualTo(next);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void aVoidedBindingIsForgottenOnlyWhenEveryAnswerIsAcknowledged() throws Exception {
    byte[] reply = hold(1, 4000);
    assertThat(lookUp(handshaken(), reply.length).get()).isEqualTo(reply);
    link.send(Unbound.push(NAME, UnboundReason.GONE));
    await().until(() -> agent.lookups().figures().held() == 0);
    acknowledge(handshaken(), 1);
    assertThat(link.unexpected()).isEmpty();
    acknowledge(handshaken(), 1);
    assertThat(link.expect(Forgot.class).binding()).isEqualTo(1);
    beginLookup(handshaken(), reply.length);
    assertThat(link.expect(Lookup.class).name()).isEqualTo(NAME);
  }

  @Test
  void anAcknowledgementOfAnotherReturnGoesToItsServer() throws Exception {
    hold(1, 4000);
    acknowledge(handshaken(), 7);
    link.expect(Open.class);
    assertThat(link.expect(Data.class).bytes()).hasSize(15);
  }

  @Test
  void theRegistrysExceptionIsAnsweredOnce() throws Exception {
    byte[] exception = exceptional("java.rmi.NotBoundException");
    for (int i = 0; i < 2; i++) {
      Future<byte[]> looked = lookUp(handshaken(), exception.length);
      Lookup asked = link.expect(Lookup.class);
      link.send(Unbound.notBound(asked.number(), exception));
      assertThat(looked.get()).isEqualTo(exception);
    }
  }

  @Test
  void aRefusalIsTheExceptionThatPlainRmiThrows() throws Exception {
    Future<byte[]> looked = lookUp(handshaken(), 100);
    Lookup asked = link.expect(Lookup.class);
    link.send(Unbound.answer(asked.number(), UnboundReason.CONNECTION_REFUSED, "refused"));
    assertThat(new String(looked.get(), java.nio.charset.StandardCharsets.ISO_8859_1))
        .contains("java.rmi.ConnectException");
  }

  @Test
  void whatTheGatewayDoesNotWatchIsAskedOverAStream() throws Exception {
    byte[] reply = reply(1, HOST, 4000);
    TunnelSocket socket = handshaken();
    Future<byte[]> looked = lookUp(socket, reply.length);
    Lookup asked = link.expect(Lookup.class);
    link.send(Unbound.answer(asked.number(), UnboundReason.NOT_CACHEABLE, ""));
    link.expect(Open.class);
    assertThat(link.expect(Data.class).bytes()).isEqualTo(call("Hello"));
    link.send(new Data(1, false, reply));
    assertThat(looked.get()).isEqualTo(reply);
    // And so for a while.
    beginLookup(socket, reply.length);
    assertThat(link.expect(Data.class).bytes()).isEqualTo(call("Hello"));
  }

  @Test
  void excludedNamesAreAskedOverAStream() throws Exception {
    start(new LookupSettings(true, NamePatterns.of(List.of("Hel*")), List.of()));
    beginLookup(handshaken(), 22);
    link.expect(Open.class);
  }

  @Test
  void aRebindOfThisJvmVoidsTheNameWhenItIsSentAndWhenItReturns() throws Exception {
    byte[] old = hold(1, 4000);
    acknowledge(handshaken(), 1);
    TunnelSocket binding = handshaken();
    Future<byte[]> rebound = talk(binding, unbind("Hello"), 22);
    assertThat(link.expect(Forgot.class).binding()).isEqualTo(1);
    link.expect(Open.class);
    link.expect(Data.class);
    // Asked in between, answered with what was bound before.
    Future<byte[]> between = lookUp(handshaken(), old.length);
    Lookup asked = link.expect(Lookup.class);
    link.send(new Bound(asked.number(), 2, Optional.empty(), old));
    assertThat(between.get()).isEqualTo(old);
    link.send(new Data(1, false, reply(0, HOST, 1)));
    rebound.get();
    beginLookup(handshaken(), old.length);
    assertThat(link.expect(Lookup.class).name()).isEqualTo(NAME);
  }

  @Test
  void noSuchObjectAtAnEndpointMakesTheNextLookupAFreshOne() throws Exception {
    byte[] reply = hold(1, 4000);
    acknowledge(handshaken(), 1);
    TunnelSocket socket = handshaken(HOST, 4000);
    byte[] gone = exceptional("java.rmi.NoSuchObjectException");
    Future<byte[]> called = talk(socket, method(), gone.length);
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new Data(1, false, gone));
    called.get();
    assertThat(link.expect(Forgot.class).binding()).isEqualTo(1);
    beginLookup(handshaken(), reply.length);
    assertThat(link.expect(Lookup.class).fresh()).isTrue();
    assertThat(agent.lookups().figures().evicted()).isEqualTo(1);
  }

  @Test
  void aRefusedConnectionMakesTheNextLookupAFreshOne() throws Exception {
    byte[] reply = hold(1, 4000);
    acknowledge(handshaken(), 1);
    unfinished.add(talk(handshaken(HOST, 4000), method(), 1000));
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new Refused(1, 1, RefusalReason.CONNECTION_REFUSED, "refused"));
    assertThat(link.expect(Forgot.class).binding()).isEqualTo(1);
    beginLookup(handshaken(), reply.length);
    assertThat(link.expect(Lookup.class).fresh()).isTrue();
  }

  @Test
  void aServerThatGoesAwayDuringACallMakesTheNextLookupAFreshOne() throws Exception {
    byte[] reply = hold(1, 4000);
    acknowledge(handshaken(), 1);
    Future<byte[]> called = talk(handshaken(HOST, 4000), method(), 1);
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new Close(1, CloseCause.SERVER_CLOSED));
    assertThatThrownBy(called::get).hasCauseInstanceOf(EOFException.class);
    assertThat(link.expect(Forgot.class).binding()).isEqualTo(1);
    beginLookup(handshaken(), reply.length);
    assertThat(link.expect(Lookup.class).fresh()).isTrue();
  }

  @Test
  void whatHappensAtOneEndpointVoidsNothingAtAnother() throws Exception {
    byte[] reply = hold(1, 4000);
    acknowledge(handshaken(), 1);
    Future<byte[]> called = talk(handshaken(HOST, 4001), method(), 1);
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new Close(1, CloseCause.SERVER_CLOSED));
    assertThatThrownBy(called::get).hasCauseInstanceOf(EOFException.class);
    assertThat(lookUp(handshaken(), reply.length).get()).isEqualTo(reply);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void aListIsForTheRegistryEveryTime() throws Exception {
    hold(1, 4000);
    acknowledge(handshaken(), 1);
    TunnelSocket socket = handshaken();
    byte[] names = reply(0, HOST, 1);
    for (int i = 0; i < 2; i++) {
      Future<byte[]> listed = talk(socket, list(), names.length);
      if (i == 0) {
        link.expect(Open.class);
      }
      assertThat(link.expect(Data.class).bytes()).isEqualTo(list());
      link.send(new Data(1, false, names));
      assertThat(listed.get()).isEqualTo(names);
    }
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void preloadedNamesAreHereWithTheWelcomeAndNeedNoFrame() throws Exception {
    byte[] reply = reply(1, HOST, 4000);
    gateway.welcome(welcome(Map.of(Welcome.PRELOADED, "1")));
    gateway.behindWelcome(new Bound(0, 1, Optional.of(NAME), reply));
    start(new LookupSettings(true, NamePatterns.NONE, List.of(HOST + ":1099/Hello")));
    assertThat(lookUp(handshaken(), reply.length).get()).isEqualTo(reply);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void preloadedNamesAreAskedOfAnotherGatewayTooWhichPushesTheirChanges() throws Exception {
    FakeGateway other = new FakeGateway();
    byte[] first = reply(1, HOST, 4000);
    byte[] second = reply(2, HOST, 5000);
    byte[] third = reply(3, HOST, 6000);
    preloading(gateway, first);
    preloading(other, second);
    String preloaded = HOST + ":1099/Hello";
    start(
        firstOf(gateway, other),
        new LookupSettings(true, NamePatterns.NONE, List.of(preloaded)),
        GRACE);
    assertThat(lookUp(handshaken(), first.length).get()).isEqualTo(first);

    gateway.policy(FakeGateway.ConnectPolicy.REFUSE);
    link.cut();

    Connection next = other.accept();
    await().until(() -> agent.currentLink().map(used -> used.gateway() == other).orElse(false));
    assertThat(next.hello().properties()).containsEntry(Hello.PRELOAD, preloaded);
    assertThat(lookUp(handshaken(), second.length).get()).isEqualTo(second);
    next.send(new Bound(0, 2, Optional.of(NAME), third));
    await().until(() -> agent.lookups().figures().pushes() == 3);
    assertThat(lookUp(handshaken(), third.length).get()).isEqualTo(third);
    assertThat(next.unexpected()).allMatch(Forgot.class::isInstance);
    assertThat(link.unexpected()).isEmpty();
  }

  /** Its sessions outlive their connections, as far as the agent knows. */
  private static void preloading(FakeGateway which, byte[] reply) {
    which.welcome(
        FakeGateway.welcomeTaking(
            Map.of(Welcome.PRELOADED, "1", Welcome.GRACE, Long.toString(GRACE.toMillis())),
            Feature.LOOKUPS,
            Feature.RESUME));
    which.behindWelcome(new Bound(0, 1, Optional.of(NAME), reply));
  }

  private static TransportConnector firstOf(TransportConnector... listed) {
    return new TransportConnector() {
      @Override
      public Transport connect(Duration timeout) {
        throw new AssertionError("the agent chooses by itself");
      }

      @Override
      public List<TransportConnector> each() {
        return List.of(listed);
      }
    };
  }

  @Test
  void aTimeoutLeavesTheLookupWaiting() throws Exception {
    byte[] reply = reply(1, HOST, 4000);
    TunnelSocket socket = handshaken();
    socket.getOutputStream().write(call("Hello"));
    socket.setSoTimeout(50);
    byte[] got = new byte[reply.length];
    assertThatThrownBy(() -> socket.getInputStream().read(got))
        .isInstanceOf(SocketTimeoutException.class);
    Lookup asked = link.expect(Lookup.class);
    link.send(new Bound(asked.number(), 1, Optional.empty(), reply));
    socket.setSoTimeout(0);
    assertThat(socket.getInputStream().readNBytes(reply.length)).isEqualTo(reply);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void closingTheSocketEndsTheWaitAlthoughNothingComes() throws Exception {
    TunnelSocket socket = handshaken();
    Future<byte[]> looked = lookUp(socket, 100);
    link.expect(Lookup.class);
    socket.close();
    link.send(new HeartbeatAck(link.expect(Heartbeat.class).number())); // a reader looks up
    assertThatThrownBy(looked::get).hasCauseInstanceOf(SocketException.class);
  }

  @Test
  void aLookupWhoseLinkIsLostIsAskedAgainOnce() throws Exception {
    byte[] reply = reply(1, HOST, 4000);
    Future<byte[]> looked = lookUp(handshaken(), reply.length);
    link.expect(Lookup.class);
    link.cut();
    Connection second = gateway.accept();
    Lookup again = second.expect(Lookup.class);
    second.send(new Bound(again.number(), 1, Optional.empty(), reply));
    assertThat(looked.get()).isEqualTo(reply);
  }

  /** Those too for which another thread reads the link, and who have no timeout. */
  @Test
  void allLookupsWhoseLinkIsLostAreAskedAgain() throws Exception {
    byte[] reply = reply(1, HOST, 4000);
    List<Future<byte[]>> looked = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      looked.add(lookUp(handshaken(), reply.length));
      link.expect(Lookup.class);
    }
    await().until(() -> threadsThatHaveOthersRead() >= 2); // all of them while the daemon reads

    link.cut();

    Connection next = gateway.accept();
    for (int bindings = 1; !looked.stream().allMatch(Future::isDone); ) {
      if (!next.unexpected().isEmpty() && next.expect(Frame.class) instanceof Lookup asked) {
        next.send(new Bound(asked.number(), bindings++, Optional.empty(), reply));
      }
      await().until(() -> !next.unexpected().isEmpty() || looked.stream().allMatch(Future::isDone));
    }
    for (Future<byte[]> each : looked) {
      assertThat(each.get()).hasSize(reply.length);
    }
  }

  private static long threadsThatHaveOthersRead() {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            stack ->
                Arrays.stream(stack)
                    .anyMatch(
                        frame ->
                            frame.getClassName().endsWith(".LinkInbound")
                                && frame.getMethodName().equals("park")))
        .count();
  }

  @Test
  void aLostLinkTakesAllBindingsWithIt() throws Exception {
    byte[] reply = hold(1, 4000);
    link.cut();
    await().until(() -> agent.lookups().figures().held() == 0);
    beginLookup(handshaken(), reply.length);
    assertThat(gateway.accept().expect(Lookup.class).fresh()).isFalse();
  }

  @Test
  void everyLookupIsFreshUntilAFreshOneIsAnswered() throws Exception {
    byte[] old = hold(1, 4000);
    acknowledge(handshaken(), 1);
    callAMissingObject(1);
    assertThat(link.expect(Forgot.class).binding()).isEqualTo(1);
    byte[] next = reply(2, HOST, 4001);
    Future<byte[]> first = lookUp(handshaken(), next.length);
    Lookup firstAsked = link.expect(Lookup.class);
    Future<byte[]> second = lookUp(handshaken(), next.length);
    Lookup secondAsked = link.expect(Lookup.class);
    assertThat(firstAsked.fresh()).isTrue();
    assertThat(secondAsked.fresh()).isTrue();
    link.send(new Bound(firstAsked.number(), 2, Optional.empty(), next));
    assertThat(first.get()).isEqualTo(next);
    link.send(Unbound.push(NAME, UnboundReason.CHANGED));
    await().until(() -> agent.lookups().figures().held() == 0);
    beginLookup(handshaken(), old.length);
    assertThat(link.expect(Lookup.class).fresh()).isFalse();
    link.send(new Bound(secondAsked.number(), 3, Optional.empty(), next));
    assertThat(second.get()).isEqualTo(next);
  }

  @Test
  void aBindingThatIsPushedDoesNotStandForAFreshLookup() throws Exception {
    byte[] old = hold(1, 4000);
    acknowledge(handshaken(), 1);
    callAMissingObject(1);
    link.expect(Forgot.class);
    link.send(new Bound(0, 2, Optional.of(NAME), old)); // was on its way
    await().until(() -> agent.lookups().figures().held() == 1);
    beginLookup(handshaken(), old.length);
    assertThat(link.expect(Lookup.class).fresh()).isTrue();
  }

  @Test
  void aLookupThatIsRepeatedOnAnotherLinkIsStillAFreshOne() throws Exception {
    byte[] reply = hold(1, 4000);
    acknowledge(handshaken(), 1);
    callAMissingObject(1);
    link.expect(Forgot.class);
    beginLookup(handshaken(), reply.length);
    assertThat(link.expect(Lookup.class).fresh()).isTrue();
    link.cut();
    assertThat(gateway.accept().expect(Lookup.class).fresh()).isTrue();
  }

  @Test
  void whatIsAskedBeforeItsServerFailsIsNotHeld() throws Exception {
    byte[] reply = reply(1, HOST, 4000);
    Future<byte[]> looked = lookUp(handshaken(), reply.length);
    Lookup asked = link.expect(Lookup.class);
    callAMissingObject(1);
    link.send(new Bound(asked.number(), 1, Optional.empty(), reply));
    assertThat(looked.get()).isEqualTo(reply);
    beginLookup(handshaken(), reply.length);
    assertThat(link.expect(Lookup.class).fresh()).isTrue();
  }

  @Test
  void whatIsAskedBeforeAnotherServerFailsIsHeld() throws Exception {
    byte[] reply = reply(1, HOST, 4001);
    Future<byte[]> looked = lookUp(handshaken(), reply.length);
    Lookup asked = link.expect(Lookup.class);
    callAMissingObject(1);
    link.send(new Bound(asked.number(), 1, Optional.empty(), reply));
    assertThat(looked.get()).isEqualTo(reply);
    assertThat(lookUp(handshaken(), reply.length).get()).isEqualTo(reply);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void noSuchObjectIsUnderstoodInWhateverPiecesItComes() throws Exception {
    byte[] gone = exceptional("java.rmi.NoSuchObjectException");
    for (int cut = 1; cut < gone.length; cut++) {
      hold(1, 4000);
      acknowledge(handshaken(), 1);
      TunnelSocket socket = handshaken(HOST, 4000);
      Future<byte[]> called = talk(socket, method(), gone.length);
      int stream = link.expect(Open.class).stream();
      link.expect(Data.class);
      link.send(new Data(stream, false, Arrays.copyOf(gone, cut)));
      link.send(new Data(stream, false, Arrays.copyOfRange(gone, cut, gone.length)));
      called.get();
      socket.close();
      assertThat(link.expect(Forgot.class).binding()).as("cut at %d", cut).isEqualTo(1);
      link.expect(Close.class);
      link.send(new Close(stream, CloseCause.DONE));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TARGET_NOT_PERMITTED", "OPERATION_NOT_PERMITTED"})
  void whatPolicyForbidsVoidsNothing(RefusalReason reason) throws Exception {
    byte[] reply = hold(1, 4000);
    acknowledge(handshaken(), 1);
    Future<byte[]> called = talk(handshaken(HOST, 4000), method(), 1);
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new Refused(1, 1, reason, "no"));
    called.get();
    assertThat(lookUp(handshaken(), reply.length).get()).isEqualTo(reply);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void aCallThatTheApplicationAbandonsVoidsNothing() throws Exception {
    byte[] reply = hold(1, 4000);
    acknowledge(handshaken(), 1);
    TunnelSocket socket = handshaken(HOST, 4000);
    Future<byte[]> called = talk(socket, method(), 1);
    link.expect(Open.class);
    link.expect(Data.class);
    socket.close();
    link.expect(Close.class);
    link.send(new Close(1, CloseCause.DONE));
    assertThatThrownBy(called::get).hasCauseInstanceOf(LostCallException.class);
    assertThat(lookUp(handshaken(), reply.length).get()).isEqualTo(reply);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void aLostLinkVoidsNothingThatIsHeldOnTheNextOne() throws Exception {
    Future<byte[]> called = talk(handshaken(HOST, 4000), method(), 1);
    Connection first = link;
    first.expect(Open.class);
    first.expect(Data.class);
    first.send(new Drain(Duration.ofMinutes(1)));
    await().until(() -> agent.currentLink().isEmpty());
    agent.ensureLink();
    link = gateway.accept();
    byte[] reply = hold(1, 4000);
    acknowledge(handshaken(), 1);
    first.cut();
    assertThatThrownBy(called::get).hasCauseInstanceOf(IOException.class);
    assertThat(lookUp(handshaken(), reply.length).get()).isEqualTo(reply);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void aRebindOfThisJvmVoidsTheNameWhateverItsHostIsCalled() throws Exception {
    byte[] reply = hold(1, 4000);
    acknowledge(handshaken(), 1);
    unfinished.add(talk(handshaken("10.1.2.3", 1099), unbind("Hello"), 22));
    assertThat(link.expect(Forgot.class).binding()).isEqualTo(1);
    link.expect(Open.class);
    link.expect(Data.class);
    beginLookup(handshaken(), reply.length);
    assertThat(link.expect(Lookup.class).name()).isEqualTo(NAME);
  }

  @Test
  void onAQuietLinkTheGatewayIsAsked() throws Exception {
    gateway.welcome(welcome(Map.of(), Duration.ofSeconds(2)));
    start(LookupSettings.DEFAULTS);
    byte[] reply = hold(1, 4000);
    acknowledge(handshaken(), 1);
    assertThat(lookUp(handshaken(), reply.length).get()).isEqualTo(reply);
    await().until(() -> agent.currentLink().orElseThrow().isQuiet()); // heartbeats have no answer
    beginLookup(handshaken(), reply.length);
    Lookup asked = null;
    while (asked == null) {
      asked = link.expect(Frame.class) instanceof Lookup lookup ? lookup : null;
    }
    assertThat(asked.fresh()).isFalse();
  }

  @Test
  void anAnswerThatNobodyAcknowledgesKeepsNoDeadLink() throws Exception {
    hold(1, 4000); // never acknowledged
    link.send(Unbound.push(NAME, UnboundReason.GONE));
    await().until(() -> agent.lookups().figures().held() == 0);
    WeakReference<Link> first = new WeakReference<>(agent.currentLink().orElseThrow());
    link.cut();
    await().until(() -> agent.currentLink().isEmpty());
    agent.ensureLink();
    link = gateway.accept(); // the old one knows the threads that have read it, and they their link
    await()
        .until(
            () -> {
              System.gc();
              return first.get() == null;
            });
  }

  /** Is told that there is none, on a stream of its own. */
  private void callAMissingObject(int stream) throws Exception {
    byte[] gone = exceptional("java.rmi.NoSuchObjectException");
    Future<byte[]> called = talk(handshaken(HOST, 4000), method(), gone.length);
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new Data(stream, false, gone));
    called.get();
  }

  private byte[] hold(int uid, int port) throws Exception {
    byte[] reply = reply(uid, HOST, port);
    Future<byte[]> looked = lookUp(handshaken(), reply.length);
    Lookup asked = link.expect(Lookup.class);
    link.send(new Bound(asked.number(), 1, Optional.empty(), reply));
    assertThat(looked.get()).isEqualTo(reply);
    return reply;
  }

  private TunnelSocket handshaken() throws Exception {
    return handshaken(HOST, 1099);
  }

  private TunnelSocket handshaken(String host, int port) throws Exception {
    TunnelSocket socket = TunnelSocket.connect(agent, host, port);
    sockets.add(socket);
    socket.getOutputStream().write(HexFormat.of().parseHex("4a524d4900024b"));
    byte[] ack = new byte[100];
    socket.getInputStream().read(ack);
    socket.getOutputStream().write(new EndpointId("me", 0).encode());
    return socket;
  }

  private Future<byte[]> lookUp(TunnelSocket socket, int length) {
    return talk(socket, call("Hello"), length);
  }

  /** No thread waits for its end. */
  private void beginLookup(TunnelSocket socket, int length) {
    unfinished.add(lookUp(socket, length));
  }

  private Future<byte[]> talk(TunnelSocket socket, byte[] call, int length) {
    return threads.submit(
        () -> {
          socket.getOutputStream().write(call);
          return socket.getInputStream().readNBytes(length);
        });
  }

  private static void acknowledge(TunnelSocket socket, int uid) throws IOException {
    byte[] ack = new byte[15];
    ack[0] = 0x54;
    ack[4] = (byte) uid;
    socket.getOutputStream().write(ack);
  }

  private static byte[] call(String name) {
    return registry(RegistryOperation.LOOKUP, name);
  }

  private static byte[] unbind(String name) {
    return registry(RegistryOperation.UNBIND, name);
  }

  private static byte[] list() {
    return header(RegistryOperation.LIST).toByteArray();
  }

  private static byte[] registry(RegistryOperation operation, String name) {
    ByteArrayOutputStream bytes = header(operation);
    bytes.writeBytes(HexFormat.of().parseHex("74%04x".formatted(name.length())));
    bytes.writeBytes(name.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    return bytes.toByteArray();
  }

  private static ByteArrayOutputStream header(RegistryOperation operation) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(HexFormat.of().parseHex("50aced00057722" + "00".repeat(22)));
    bytes.writeBytes(
        HexFormat.of()
            .parseHex("%08x%016x".formatted(operation.number(), RegistryOperation.INTERFACE_HASH)));
    return bytes;
  }

  private static byte[] method() {
    byte[] call =
        HexFormat.of().parseHex("50aced00057722" + "11".repeat(22) + "ffffffff9c9e6b1308366dda");
    return call;
  }

  /** A Return with this UID and one reference. */
  private static byte[] reply(int uid, String host, int port) throws IOException {
    ByteArrayOutputStream reference = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(reference);
    out.writeUTF("UnicastRef");
    out.writeUTF(host);
    out.writeInt(port);
    out.write(new byte[22]);
    out.writeBoolean(true);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(
        HexFormat.of().parseHex("51aced0005770f01%08x".formatted(uid) + "00".repeat(10)));
    all.write(0x77);
    all.write(reference.size());
    all.writeBytes(reference.toByteArray());
    all.write(0x78);
    return all.toByteArray();
  }

  private static byte[] exceptional(String name) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(HexFormat.of().parseHex("51aced0005770f02" + "00".repeat(14) + "7372"));
    all.writeBytes(HexFormat.of().parseHex("%04x".formatted(name.length())));
    all.writeBytes(name.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    return Arrays.copyOf(all.toByteArray(), all.size());
  }
}
