package io.rmigate.client.program.sidecar;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.callback.CallbackSettings;
import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.ExportPorts;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.client.socks.LocalListener;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Hold;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Release;
import io.rmigate.protocol.tunnel.Unlisten;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.ConnectPolicy;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.LoopbackPort;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects that the RMI runtime of this JVM exports on a plain socket, or what a script says on one,
 * and inner JVMs that a scripted gateway plays.
 */
@Timeout(180)
class ReverseForwardTest {
  /** At the gateway. */
  private static final int PORT = 40_001;

  private static final String INNER_HOST = "gw.inner";

  /** A void Return, but for its UID. */
  private static final String VOID_RETURN = "51aced0005770f01[0-9a-f]{28}";

  private static final byte[] RETURN = hex("51 aced0005 770f 01" + "00".repeat(14));

  /** What the gateway says before another message of the same inner JVM. */
  private static final Data END = new Data(2, true, new byte[0]);

  private final FakeGateway gateway = new FakeGateway();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final Counter counter = new Counter();
  private int localPort;
  private MediatorAgent agent;
  private ReverseForwards reverses;
  private Connection link;

  /** What is called. */
  interface Callable extends Remote {
    /** Its hash is known by heart. */
    void v() throws RemoteException;
  }

  private static final class Counter implements Callable, Unreferenced {
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger unreferenced = new AtomicInteger();

    @Override
    public void v() {
      calls.incrementAndGet();
    }

    @Override
    public void unreferenced() {
      unreferenced.incrementAndGet();
    }
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  @BeforeEach
  void choosePort() throws IOException {
    localPort = LoopbackPort.free();
    gateway.welcome(
        FakeGateway.welcomeTaking(Map.of(Welcome.INNER_HOST, INNER_HOST), Feature.CALLBACKS));
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (reverses != null) {
      reverses.close();
    }
    if (agent != null) {
      agent.close();
    }
    threads.shutdown();
    await().until(threads::isTerminated);
    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(
                        thread ->
                            thread.getName().startsWith("rmigate-")
                                && !thread.getName().startsWith("rmigate-reverse ")));
  }

  private void make() {
    make(new PreviousSession(Duration.ZERO, Duration.ofMillis(1)));
  }

  private void make(PreviousSession before) {
    agent =
        new MediatorAgent(
            gateway,
            MediatorSettings.of(PATIENCE, Map.of(), Compression.OFF)
                .withGrace(Duration.ofMinutes(2)) // as far as the gateway takes part in it
                .withCallbacks(
                    new CallbackSettings(ExportPorts.of(Set.of(PORT)), Optional.empty())));
    reverses = reverses(before, reverse(PORT, localPort));
  }

  private ReverseForwards reverses(ReversePort... which) {
    return reverses(new PreviousSession(Duration.ZERO, Duration.ofMillis(1)), which);
  }

  private ReverseForwards reverses(PreviousSession before, ReversePort... which) {
    return new ReverseForwards(agent, List.of(which), Duration.ofSeconds(2), before);
  }

  private static ReversePort reverse(int port, int local) {
    return new ReversePort(port, new EndpointId("127.0.0.1", local));
  }

  private void start() throws Exception {
    make();
    Future<Void> opening = open();
    link = gateway.accept();
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(1, PORT));
    link.send(Listening.on(1, PORT));
    opening.get();
  }

  private Future<Void> open() {
    return threads.submit(
        () -> {
          reverses.open(heard::add);
          return null;
        });
  }

  /** Exports the counter where the sidecar looks for it. */
  private ObjIdentifier export() throws Exception {
    Remote stub = UnicastRemoteObject.exportObject(counter, localPort);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(stub);
    }
    return LiveReferenceScan.scan(bytes.toByteArray(), 0, bytes.size()).get(0).object();
  }

  private void unexport() throws Exception {
    UnicastRemoteObject.unexportObject(counter, true);
  }

  private static byte[] call(ObjIdentifier id) {
    return hex(
        "50aced00057722" + HexFormat.of().formatHex(id.encode()) + "ffffffff9c9e6b1308366dda");
  }

  private static Frame accept(int stream) throws Exception {
    return new Accept(stream, 1, InetAddress.getByName("10.1.2.3"), 5_000);
  }

  private void expectVoidReturn() throws Exception {
    assertThat(HexFormat.of().formatHex(link.expect(Data.class).bytes())).matches(VOID_RETURN);
  }

  /** The bytes of an exceptional Return, and then the end of the stream. */
  private String refusal() throws Exception {
    byte[] message = link.expect(Data.class).bytes();
    assertThat(message[0]).isEqualTo((byte) 0x51);
    assertThat(message[7]).isEqualTo((byte) 2);
    link.expect(Close.class);
    return new String(message, StandardCharsets.ISO_8859_1);
  }

  // Asking for the port.

  @Test
  void whoListensWhereIsSaid() throws Exception {
    start();
    assertThat(heard).containsExactly("gw.inner:40001 leads to 127.0.0.1:" + localPort);
    reverses.close();
    link.expect(Unlisten.class);
  }

  @Test
  void aRefusalSaysWhatToDo() throws Exception {
    make();
    Future<Void> opening = open();
    link = gateway.accept();
    link.expect(Listen.class);
    link.send(Listening.refused(1, Listening.Outcome.NOT_PERMITTED, "not in explicit"));
    assertThatThrownBy(opening::get)
        .hasMessageContaining("--reverse 40001")
        .hasMessageContaining("callbacks.allow[].explicit")
        .hasMessageContaining("not in explicit");
  }

  @Test
  void aPortThatAKilledSidecarHasIsWaitedForAndThatIsSaidOnce() throws Exception {
    keepSessions("600000");
    make();
    Future<Void> opening = open();
    link = gateway.accept();
    for (int asked = 1; asked <= 3; asked++) {
      assertThat(link.expect(Listen.class)).isEqualTo(new Listen(asked, PORT));
      link.send(Listening.refused(asked, Listening.Outcome.PORT_IN_USE, ""));
    }
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(4, PORT));
    link.send(Listening.on(4, PORT));
    opening.get();
    assertThat(heard)
        .hasSize(2)
        .satisfiesExactly(
            waits -> assertThat(waits).startsWith("gw.inner:40001 is in use").contains("690 s"),
            has -> assertThat(has).startsWith("gw.inner:40001 leads to"));
  }

  @Test
  void aPortThatSomebodyElseHasIsAnErrorOnceNoSessionBeforeCanHaveIt() throws Exception {
    keepSessions("200", Duration.ofMillis(500));
    make();
    Future<Void> opening = open();
    link = gateway.accept();
    int asked = 0;
    while (!opening.isDone()) {
      if (!link.unexpected().isEmpty()) {
        Frame frame = link.expect(Frame.class);
        link.send(
            frame instanceof Heartbeat heartbeat
                ? new HeartbeatAck(heartbeat.number())
                : Listening.refused(++asked, Listening.Outcome.PORT_IN_USE, "taken"));
      }
      await().until(() -> opening.isDone() || !link.unexpected().isEmpty());
    }
    assertThat(asked).isGreaterThan(1);
    assertThat(heard).hasSize(1);
    assertThatThrownBy(opening::get)
        .hasMessageContaining("--reverse 40001")
        .hasMessageContaining("in use")
        .hasMessageContaining("taken")
        .hasMessageContaining("the session of a killed sidecar would have released it by now");
  }

  @Test
  void whereNoSessionIsKeptNothingIsWaitedFor() throws Exception {
    make();
    Future<Void> opening = open();
    link = gateway.accept();
    link.expect(Listen.class);
    link.send(Listening.refused(1, Listening.Outcome.PORT_IN_USE, ""));
    assertThatThrownBy(opening::get).hasMessageContaining("in use");
    assertThat(heard).isEmpty();
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void whoWaitsForAPortCanBeEnded() throws Exception {
    keepSessions("600000");
    make(new PreviousSession(Duration.ZERO, Duration.ofMinutes(5)));
    Future<Void> opening = open();
    link = gateway.accept();
    link.expect(Listen.class);
    link.send(Listening.refused(1, Listening.Outcome.PORT_IN_USE, ""));
    await().until(() -> heard.size() == 1);

    reverses.close();

    assertThatThrownBy(opening::get).hasRootCauseInstanceOf(InterruptedIOException.class);
  }

  private void keepSessions(String graceMillis) {
    keepSessions(graceMillis, Duration.ofSeconds(30));
  }

  private void keepSessions(String graceMillis, Duration heartbeat) {
    gateway.welcome(
        FakeGateway.welcomeTaking(
            Map.of(Welcome.INNER_HOST, INNER_HOST, Welcome.GRACE, graceMillis),
            heartbeat,
            Feature.CALLBACKS,
            Feature.RESUME));
  }

  @Test
  void aGatewayWithoutCallbacksIsToldApart() throws Exception {
    gateway.welcome(FakeGateway.welcomeTaking(Map.of()));
    make();
    assertThatThrownBy(() -> reverses.open(heard::add)).hasMessageContaining("set callbacks");
  }

  @Test
  void aGatewayThatComesLaterIsAskedThen() throws Exception {
    gateway.policy(ConnectPolicy.REFUSE);
    make();
    assertThatThrownBy(() -> reverses.open(heard::add)).isInstanceOf(IOException.class);

    reverses.openLater(heard::add);
    gateway.policy(ConnectPolicy.ACCEPT);

    link = gateway.accept();
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(1, PORT));
    link.send(Listening.on(1, PORT));
    await().until(() -> !heard.isEmpty());
  }

  @Test
  void theNextSessionIsAskedForTheSamePort() throws Exception {
    start();
    link.cut();
    link = gateway.accept();
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(1, PORT));
    link.send(Listening.on(1, PORT));
    ObjIdentifier id = export();
    link.send(accept(2), new Data(2, false, call(id)));
    expectVoidReturn();
    unexport();
  }

  // Calls.

  @Test
  void callsAreExecutedByTheJvmHereAndItsReturnsComeBack() throws Exception {
    ObjIdentifier id = export();
    start();
    link.send(accept(2), new Data(2, false, call(id)));
    for (int i = 0; i < 3; i++) {
      expectVoidReturn();
      byte[] ack = Arrays.copyOf(new byte[] {0x54}, 15);
      link.send(END, new Data(2, true, ack), new Data(2, false, call(id)));
    }
    expectVoidReturn();
    assertThat(counter.calls.get()).isEqualTo(4);
    assertThat(agent.account().sums().callbacks()).isEqualTo(4);
    unexport();
  }

  @Test
  void aCallInPiecesIsOneCall() throws Exception {
    ObjIdentifier id = export();
    start();
    link.send(accept(2));
    for (byte one : call(id)) {
      link.send(new Data(2, false, new byte[] {one}));
    }
    expectVoidReturn();
    assertThat(counter.calls.get()).isEqualTo(1);
    unexport();
  }

  @Test
  void whatIsSpelledBehindACallIsNotExecuted() throws Exception {
    ObjIdentifier id = export();
    start();
    byte[] twice = Arrays.copyOf(call(id), 2 * call(id).length);
    System.arraycopy(call(id), 0, twice, call(id).length, call(id).length);
    link.send(accept(2), new Data(2, false, twice));
    expectVoidReturn();
    link.send(new Data(2, false, call(id))); // was on its way when the JVM here had answered
    link.send(END, new Data(2, false, call(id)));
    expectVoidReturn();
    byte[] ack = Arrays.copyOf(new byte[] {0x54}, 15 + call(id).length);
    System.arraycopy(call(id), 0, ack, 15, call(id).length);
    link.send(END, new Data(2, false, ack), END, new Data(2, false, call(id)));
    expectVoidReturn();
    assertThat(counter.calls.get()).isEqualTo(3);
    assertThat(link.unexpected()).isEmpty();
    unexport();
  }

  @Test
  void aJvmThatDoesNotListenIsAConnectExceptionAndOnceItDoesItIsReached() throws Exception {
    start();
    ObjIdentifier id = ObjIdentifier.REGISTRY;
    link.send(accept(2), new Data(2, false, call(id)));
    assertThat(refusal()).contains("java.rmi.ConnectException").contains("does not listen");
    link.send(new Close(2, CloseCause.DONE));

    id = export();
    link.send(accept(2), new Data(2, false, call(id)));
    expectVoidReturn();
    unexport();
  }

  @Test
  void aJvmThatIsRestartedIsReachedOverTheSameStream() throws Exception {
    start();
    link.send(accept(2));
    try (ScriptedJvm jvm = new ScriptedJvm(localPort)) {
      jvm.answer(RETURN);
      link.send(new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      assertThat(link.expect(Data.class).bytes()).isEqualTo(RETURN);
    }
    try (ScriptedJvm jvm = new ScriptedJvm(localPort)) {
      jvm.answer(RETURN);
      link.send(END, new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      assertThat(link.expect(Data.class).bytes()).isEqualTo(RETURN);
      assertThat(jvm.requests.take()).startsWith(hex("4a524d4900024c50"));
    }
  }

  @Test
  void aReturnThatIsCutShortEndsTheStream() throws Exception {
    start();
    try (ScriptedJvm jvm = new ScriptedJvm(localPort)) {
      jvm.answer(Arrays.copyOf(RETURN, 12));
      link.send(accept(2), new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      assertThat(link.expect(Data.class).bytes()).hasSize(12);
      link.expect(Close.class);

      jvm.answer(new byte[0]);
      link.send(new Close(2, CloseCause.DONE), accept(2));
      link.send(new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      link.expect(Close.class);
    }
  }

  @Test
  void aReturnWhoseEndIsNotSeenEndsTheStreamUnlessTheInnerJvmGoesOn() throws Exception {
    start();
    byte[] opaque = new byte[70_000]; // too long to be looked into
    System.arraycopy(RETURN, 0, opaque, 0, RETURN.length);
    try (ScriptedJvm jvm = new ScriptedJvm(localPort)) {
      jvm.answer(opaque);
      jvm.answer(RETURN);
      jvm.answer(opaque);
      link.send(accept(2), new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      expectBytes(opaque.length);
      link.send(END, new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      assertThat(link.expect(Data.class).bytes()).isEqualTo(RETURN);
      link.send(END, new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      expectBytes(opaque.length);
      link.expect(Close.class);
    }
  }

  private void expectBytes(int count) throws Exception {
    for (int left = count; left > 0; ) {
      left -= link.expect(Data.class).bytes().length;
    }
  }

  /** The JVM here answers a Call of which not all has come: what follows spells another one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theRestOfACallThatWasAnsweredEarlyIsNoOtherCall(boolean refused) throws Exception {
    start();
    byte[] refusal =
        refused
            ? ExceptionalReturn.encode(new java.rmi.NoSuchObjectException("no such object"))
            : Arrays.copyOf(RETURN, 200);
    try (ScriptedJvm jvm = new ScriptedJvm(localPort)) {
      jvm.answerInTwo(refusal, 100);
      jvm.answer(RETURN);
      link.send(accept(2), new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      assertThat(link.expect(Data.class).bytes()).isEqualTo(Arrays.copyOf(refusal, 100));
      link.send(new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      link.send(END, new Data(2, false, call(ObjIdentifier.REGISTRY)));
      await().until(ReverseForwardTest::waitsForTheReturn);
      jvm.goOn.countDown();

      assertThat(link.expect(Data.class).bytes())
          .isEqualTo(Arrays.copyOfRange(refusal, 100, refusal.length));
      assertThat(link.expect(Data.class).bytes()).isEqualTo(RETURN);
      assertThat(jvm.requests).hasSize(2);
      assertThat(jvm.requests.take()).startsWith(hex("4a524d4900024c50"));
      assertThat(jvm.requests.take()).endsWith(call(ObjIdentifier.REGISTRY));
    }
  }

  private static boolean waitsForTheReturn() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getMethodName().equals("awaitSent"));
  }

  @Test
  void whatDoesNotSpeakJrmpReachesNobody() throws Exception {
    start();
    try (ScriptedJvm jvm = new ScriptedJvm(localPort)) {
      jvm.answer("HTTP/1.1 400 Bad Request".getBytes(StandardCharsets.US_ASCII));
      link.send(accept(2), new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      link.expect(Close.class);
    }
  }

  @Test
  void whatIsNoMessageReachesNobody() throws Exception {
    start();
    try (ScriptedJvm jvm = new ScriptedJvm(localPort)) {
      link.send(accept(2), new Data(2, false, new byte[] {0x47}));
      link.expect(Close.class);
      // whom a call is for stands in its first block, or nowhere
      link.send(new Close(2, CloseCause.DONE), accept(2));
      link.send(new Data(2, false, hex("50aced0005770c" + "00".repeat(60))));
      link.expect(Close.class);
      assertThat(jvm.requests).isEmpty();
    }
  }

  @Test
  void anInnerJvmThatGoesEndsItsCallHere() throws Exception {
    start();
    try (ScriptedJvm jvm = new ScriptedJvm(localPort)) {
      link.send(accept(2), new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
      jvm.requests.take(); // and does not answer
      link.send(new Close(2, CloseCause.DONE));
      link.expect(Close.class);
      jvm.awaitGone();
    }
  }

  // Registries.

  @Test
  void nobodyInsideChangesARegistryHereButAllMayReadIt() throws Exception {
    Registry registry = LocateRegistry.createRegistry(localPort);
    export();
    registry.rebind("there", counter); // by its object, not over a connection
    start();
    int stream = 2;
    for (RegistryOperation operation : RegistryOperation.values()) {
      for (boolean byHash : new boolean[] {false, true}) {
        link.send(accept(stream), new Data(stream, false, registryCall(operation, byHash)));
        if (operation.changesBindings()) {
          assertThat(refusal()).contains("java.rmi.AccessException");
        } else {
          link.expect(Data.class);
        }
        stream += 2;
      }
    }
    assertThat(registry.list()).containsExactly("there");
    UnicastRemoteObject.unexportObject(registry, true);
    unexport();
  }

  private static byte[] registryCall(RegistryOperation operation, boolean byHash) {
    String what =
        byHash
            ? "ffffffff%016x".formatted(operation.methodHash())
            : "%08x%016x".formatted(operation.number(), RegistryOperation.INTERFACE_HASH);
    String arguments = operation == RegistryOperation.LIST ? "" : "74000574686572 65";
    return hex("50aced00057722" + "00".repeat(22) + what + arguments);
  }

  // References.

  @Test
  void objectsAreReferencedAsLongAsTheGatewaySays() throws Exception {
    ObjIdentifier id = export();
    start();
    link.send(new Hold(1, List.of(id)), new Release(1, List.of(id)));
    await().until(() -> counter.unreferenced.get() == 1);

    // what comes behind the hold is seen only when it has been carried out
    link.send(
        new Hold(1, List.of(id)),
        accept(2),
        new Data(2, false, call(id)),
        new Release(1, List.of(id)));
    expectVoidReturn();
    await().until(() -> counter.unreferenced.get() == 2);
    unexport();
  }

  @Test
  void whatIsHeldIsReleasedWhenTheSidecarEnds() throws Exception {
    ObjIdentifier id = export();
    start();
    link.send(new Hold(1, List.of(id)), accept(2), new Data(2, false, call(id)));
    expectVoidReturn();
    assertThat(counter.unreferenced.get()).isZero();

    reverses.close();

    await().until(() -> counter.unreferenced.get() == 1);
    unexport();
  }

  /** Registries all have the same, for one. */
  @Test
  void whatTwoJvmsHaveUnderTheSameIdentifierIsKeptApart() throws Exception {
    int otherPort = LoopbackPort.free();
    make();
    reverses = reverses(reverse(PORT, localPort), reverse(PORT + 1, otherPort));
    Future<Void> opening = open();
    link = gateway.accept();
    for (int number = 1; number <= 2; number++) {
      assertThat(link.expect(Listen.class)).isEqualTo(new Listen(number, PORT + number - 1));
      link.send(Listening.on(number, PORT + number - 1));
    }
    opening.get();
    List<ObjIdentifier> same = List.of(ObjIdentifier.ACTIVATOR);
    byte[] lease = LeaseReturn.encode(new VmIdentifier(1, 2, 3, (short) 4), 600_000);
    try (ScriptedJvm one = new ScriptedJvm(localPort);
        ScriptedJvm other = new ScriptedJvm(otherPort)) {
      for (ScriptedJvm each : List.of(one, other)) {
        each.answer(lease);
        each.answer(RETURN);
      }
      link.send(new Hold(1, same), new Hold(2, same));
      assertThat(collectorCall(one)).isInstanceOf(DgcCall.Dirty.class);
      assertThat(collectorCall(other)).isInstanceOf(DgcCall.Dirty.class);

      link.send(new Release(1, same));

      assertThat(collectorCall(one)).isInstanceOf(DgcCall.Clean.class);
      link.send(new Accept(2, 2, InetAddress.getByName("10.1.2.3"), 5_000));
      link.send(new Data(2, false, call(same.get(0))));
      assertThat(link.expect(Data.class).bytes()).isEqualTo(RETURN);
      assertThat(HexFormat.of().formatHex(other.requests.take()))
          .endsWith(HexFormat.of().formatHex(call(same.get(0))));
      assertThat(other.requests).isEmpty();
      assertThat(one.requests).isEmpty();
    }
  }

  private static DgcCall collectorCall(ScriptedJvm jvm) throws Exception {
    byte[] request = jvm.requests.take();
    return DgcCall.decode(request, 7, request.length - 7).orElseThrow();
  }

  @Test
  void aJvmThatDoesNotListenDelaysNothing() throws Exception {
    start();
    link.send(new Hold(1, List.of(ObjIdentifier.ACTIVATOR)));
    link.send(accept(2), new Data(2, false, call(ObjIdentifier.ACTIVATOR)));
    refusal();
  }

  @Test
  void whatIsHeldIsHeldAgainOnceTheJvmListens() throws Exception {
    start();
    link.send(new Hold(1, List.of(ObjIdentifier.ACTIVATOR)));
    try (ScriptedJvm jvm = new ScriptedJvm(localPort)) {
      assertThat(jvm.requests.take()).hasSizeGreaterThan(100); // a dirty, by itself
    }
  }

  // A client's own stubs.

  @Test
  void clientsHereReachWhatIsExportedHereWithoutTheGateway() throws Exception {
    start();
    try (ScriptedJvm jvm = new ScriptedJvm(localPort);
        Forwarding client = new Forwarding(ClientConfig.builder())) {
      jvm.answer(RETURN);
      client.socket.getOutputStream().write(hex("4a524d4900024c50"));
      assertThat(new DataInputStream(client.socket.getInputStream()).readNBytes(RETURN.length))
          .isEqualTo(RETURN);
      assertThat(link.unexpected()).isEmpty();
    }
  }

  @Test
  void ownStubsGoByTheGatewayWhereThatIsWished() throws Exception {
    start();
    try (ScriptedJvm jvm = new ScriptedJvm(localPort);
        Forwarding client =
            new Forwarding(ClientConfig.builder().set(ConfigKey.OWN_STUBS, "gateway"))) {
      client.socket.getOutputStream().write(hex("4a524d4900024b"));
      assertThat(client.socket.getInputStream().read()).isEqualTo(0x4e); // mediated
      assertThat(jvm.requests).isEmpty();
    }
  }

  /** A client that wants to go where inner JVMs reach what is exported here. */
  private final class Forwarding implements AutoCloseable {
    private final LocalListener listener;
    private final Socket socket;

    Forwarding(ClientConfig.Builder config) throws IOException {
      ClientConnections connections =
          new ClientConnections(
              agent, config.gateways(URI.create("https://gw.example")).build(), Optional.empty());
      listener =
          new LocalListener(
                  InetAddress.getLoopbackAddress(),
                  0,
                  "rmigate-forward",
                  10,
                  client -> connections.forward(client, new EndpointId(INNER_HOST, PORT)))
              .start();
      socket = new Socket(listener.address().getAddress(), listener.address().getPort());
    }

    @Override
    public void close() throws IOException {
      socket.close();
      listener.close();
    }
  }

  /** Takes connections one after the other, and answers each with what it was told to say next. */
  private final class ScriptedJvm implements AutoCloseable {
    private final ServerSocket server = new ServerSocket();
    private final BlockingQueue<byte[]> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    private final List<Socket> waiting = new CopyOnWriteArrayList<>();
    private final Future<?> serving;
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile int pauseAfter = -1;

    ScriptedJvm(int port) throws IOException {
      server.setReuseAddress(true);
      server.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      serving = threads.submit(this::serve);
    }

    void answer(byte[] bytes) {
      answers.add(bytes);
    }

    /** The next one, whose second part waits until the test lets it go on. */
    void answerInTwo(byte[] bytes, int first) {
      pauseAfter = first;
      answers.add(bytes);
    }

    private Void serve() throws Exception {
      while (true) {
        try (Socket socket = server.accept()) {
          waiting.add(socket);
          byte[] request = new byte[4096];
          int count = socket.getInputStream().read(request);
          if (count < 0) {
            continue;
          }
          requests.add(Arrays.copyOf(request, count));
          byte[] answer = answers.poll();
          if (answer == null) {
            socket.getInputStream().read(); // until the other side has gone
          } else {
            int first = pauseAfter < 0 ? answer.length : pauseAfter;
            socket.getOutputStream().write(answer, 0, first);
            if (first < answer.length) {
              goOn.await();
              socket.getOutputStream().write(answer, first, answer.length - first);
            }
            pauseAfter = -1;
          }
          waiting.remove(socket);
        } catch (IOException closed) {
          if (server.isClosed()) {
            return null;
          }
        }
      }
    }

    void awaitGone() {
      await().until(waiting::isEmpty);
    }

    @Override
    public void close() throws IOException {
      goOn.countDown();
      server.close();
      for (Socket socket : waiting) {
        socket.close();
      }
      await().until(serving::isDone); // only then is the port free
    }
  }
}
