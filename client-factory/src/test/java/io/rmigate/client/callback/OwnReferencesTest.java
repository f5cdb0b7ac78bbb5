package io.rmigate.client.callback;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.config.CallbacksHostname;
import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.mediator.LookupSettings;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.client.socket.TunnelSocket;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Listening.Outcome;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.Unlisten;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.ConnectPolicy;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.NamedThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects of the RMI runtime of this JVM, exported locally, and references that cross. */
@Timeout(180)
class OwnReferencesTest {
  private static final EndpointId AT_GATEWAY = new EndpointId("gw.inner", 40_001);

  private final FakeGateway gateway = new FakeGateway();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Remote> exported = new ArrayList<>();
  private MediatorAgent agent;
  private TunnelSocket socket;
  private Connection link;

  /** An object of this JVM; its method's hash is not that of a test's Call. */
  interface Callable extends Remote {
    Object get() throws RemoteException;
  }

  private static final class Exported implements Callable {
    @Override
    public Object get() {
      return this;
    }
  }

  private void start(String ports, boolean bringsBack, Feature... taken) {
    gateway.welcome(
        FakeGateway.welcomeTaking(Map.of(Welcome.INNER_HOST, AT_GATEWAY.host()), taken));
    agent =
        new MediatorAgent(
            gateway,
            MediatorSettings.of(PATIENCE, Map.of(), Compression.OFF)
                .mediating(new LookupSettings(false, NamePatterns.NONE, List.of()), LeaseMode.OFF)
                .withCallbacks(
                    new CallbackSettings(
                        ClientConfig.builder()
                            .gateways(URI.create("http://gw"))
                            .set(ConfigKey.EXPORT, ports)
                            .build()
                            .exports(),
                        Optional.empty(),
                        CallbacksHostname.REFERENCES,
                        bringsBack)));
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    for (Remote object : exported) {
      UnicastRemoteObject.unexportObject(object, true);
    }
    if (socket != null) {
      socket.close();
    }
    agent.close();
    threads.shutdown();
    await().until(threads::isTerminated);
    NamedThreads.awaitEnd("rmigate-");
  }

  /** As the RMI runtime has it, at a port of its own, which ends with its only object. */
  private Exported export(int asked, int port) throws RemoteException {
    RMIServerSocketFactory shared =
        number -> agent.callbacks().share(asked, new ServerSocket(number));
    Exported object = new Exported();
    UnicastRemoteObject.exportObject(object, port, null, shared);
    exported.add(object);
    return object;
  }

  private Exported export() throws Exception {
    return export(0, LoopbackPort.free());
  }

  private static List<EndpointId> endpoints(byte[] message) {
    return LiveReferenceScan.scan(message, 0, message.length).stream()
        .map(known -> new EndpointId(known.host(), known.port()))
        .toList();
  }

  /** A connection to a server inside. */
  private void connect() throws Exception {
    Future<TunnelSocket> connecting =
        threads.submit(() -> TunnelSocket.connect(agent, "inside.example", 1099));
    if (link == null) {
      link = gateway.accept();
    }
    socket = connecting.get();
    socket.getOutputStream().write(HexFormat.of().parseHex("4a524d4900024b"));
    socket.getInputStream().readNBytes(1 + 2 + hostOfThisJvm().length() + 4);
    socket.getOutputStream().write(new EndpointId("127.0.0.1", 0).encode());
  }

  /** A JVM that does not know its own host takes it from there. */
  private String hostOfThisJvm() {
    return agent.callbacks().references().suggestedHost().orElseThrow();
  }

  private Future<byte[]> call(byte[] call, int answerBytes) {
    return threads.submit(
        () -> {
          socket.getOutputStream().write(call);
          socket.getOutputStream().flush();
          return socket.getInputStream().readNBytes(answerBytes);
        });
  }

  /** A Call whose answer is of no interest. */
  private void send(byte[] call) {
    Future<byte[]> unused = call(call, 0);
  }

  /** The next Call that comes, however it is cut; the gateway listens if it is asked. */
  private byte[] sentCall() throws Exception {
    return sentCall(-1);
  }

  /** The next Call that comes; the gateway refuses that port. */
  private byte[] sentCall(int refused) throws Exception {
    return sentCall(refused, AT_GATEWAY.port());
  }

  /** The next Call that comes; the gateway refuses one port, and gives the other. */
  private byte[] sentCall(int refused, int given) throws Exception {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    boolean ends = false;
    while (!ends) {
      Frame next = link.expect(Frame.class);
      if (next instanceof Listen asked) {
        link.send(
            asked.port() == refused
                ? Listening.refused(asked.listener(), Outcome.NOT_PERMITTED, "")
                : Listening.on(asked.listener(), given));
      } else if (next instanceof Data data) {
        sent.write(data.bytes());
        ends = data.endOfRequest();
      } else {
        assertThat(next).isInstanceOfAny(Open.class, Credit.class);
      }
    }
    return sent.toByteArray();
  }

  /** What the gateway is asked, perhaps in the middle of a Call. */
  private Listen asked() throws Exception {
    Frame next = link.expect(Frame.class);
    while (!(next instanceof Listen)) {
      assertThat(isRequest(next)).isFalse();
      next = link.expect(Frame.class);
    }
    return (Listen) next;
  }

  @Test
  void aReferenceNamesTheGatewayOutsideAndTheLocalEndpointWhenItComesBack() throws Exception {
    start("0", true, Feature.CALLBACKS);
    Exported object = export();
    byte[] local = CallBytes.callWith(object);
    byte[] back = CallBytes.normalReturn(out -> out.writeObject(object));
    connect();
    assertThat(link.unexpected()).isEmpty(); // nothing has crossed yet

    Future<byte[]> calling = call(local, back.length);
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(1, 0));
    link.send(Listening.on(1, AT_GATEWAY.port()));
    assertThat(endpoints(sentCall())).containsExactly(AT_GATEWAY);

    byte[] inside = withEndpoint(back, AT_GATEWAY);
    for (byte one : inside) {
      link.send(new Data(1, false, new byte[] {one}));
    }
    assertThat(calling.get()).isEqualTo(back);

    send(local); // the second reference asks no gateway
    assertThat(endpoints(sentCall())).containsExactly(AT_GATEWAY);
  }

  private static byte[] withEndpoint(byte[] message, EndpointId other) throws IOException {
    return io.rmigate.protocol.jrmp.message.ReferenceRewriter.ofReturn(
            (host, port, object) -> Optional.of(other), true)
        .more(message, 0, message.length, true);
  }

  /** As long as one whose class has a codebase of many jars. */
  private static final class LongFactory implements RMIClientSocketFactory, Serializable {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("UnusedVariable") // is written with the factory
    private final byte[] content;

    LongFactory(byte[] content) {
      this.content = content;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      throw new IOException("no connection");
    }
  }

  @Test
  void aReferenceWithALongFactoryNamesTheGateway() throws Exception {
    start("0", true, Feature.CALLBACKS);
    Exported object = new Exported();
    UnicastRemoteObject.exportObject(
        object,
        LoopbackPort.free(),
        new LongFactory(new byte[2_000]),
        number -> agent.callbacks().share(0, new ServerSocket(number)));
    exported.add(object);
    byte[] local = CallBytes.callWith(object);
    connect();
    send(local);
    assertThat(new String(sentCall(), StandardCharsets.ISO_8859_1)).contains(AT_GATEWAY.host());
  }

  @Test
  void aLongCallIsRewrittenInItsParts() throws Exception {
    start("0", true, Feature.CALLBACKS);
    Exported object = export();
    byte[] local =
        CallBytes.callWith(new Object[] {new byte[50_000], object, new byte[50_000], object});
    connect();
    send(local);
    byte[] sent = sentCall();
    assertThat(endpoints(sent)).containsExactly(AT_GATEWAY);
    LiveReference known = LiveReferenceScan.scan(local, 0, local.length).get(0);
    assertThat(sent.length - local.length)
        .isEqualTo(AT_GATEWAY.host().length() - known.host().length());
  }

  @Test
  void ownStubsThatAreCalledByWayOfTheGatewayNameItWhenTheyComeBack() throws Exception {
    start("0", false, Feature.CALLBACKS);
    Exported object = export();
    byte[] back = withEndpoint(CallBytes.normalReturn(out -> out.writeObject(object)), AT_GATEWAY);
    connect();
    Future<byte[]> calling = call(CallBytes.callWith(object), back.length);
    sentCall();
    link.send(new Data(1, false, back));
    assertThat(calling.get()).isEqualTo(back);
  }

  @Test
  void aReferenceOfAnotherJvmAtAPortThatWasOursComesBackAsItIs() throws Exception {
    start("0", true, Feature.CALLBACKS);
    Exported object = export();
    byte[] back = withEndpoint(CallBytes.normalReturn(out -> out.writeObject(object)), AT_GATEWAY);
    byte[] id = LiveReferenceScan.scan(back, 0, back.length).get(0).object().encode();
    int at = HexFormat.of().formatHex(back).indexOf(HexFormat.of().formatHex(id)) / 2;
    back[at + Long.BYTES] ^= 1; // the part that tells JVMs apart
    connect();
    Future<byte[]> calling = call(CallBytes.callWith(object), back.length);
    sentCall();
    link.send(new Data(1, false, back));
    assertThat(calling.get()).isEqualTo(back);
  }

  @Test
  void theGatewaysServersCallTheObjectThroughTheLocalListener() throws Exception {
    start("0", true, Feature.CALLBACKS);
    Exported object = export();
    byte[] local = CallBytes.callWith(object);
    connect();
    send(local);
    sentCall();

    // With a reference among its arguments, which nothing takes.
    byte[] callback = callOf(object, withEndpoint(local, AT_GATEWAY));
    link.send(new Accept(2, 1, InetAddress.getByName("10.1.2.3"), 5_000));
    link.send(new Data(2, false, callback), new Data(2, true, new byte[0]));
    byte[] returned = link.expect(Data.class).bytes();
    assertThat(endpoints(returned)).containsExactly(AT_GATEWAY);
    assertThat(returned[0]).isEqualTo((byte) Jrmp.RETURN);
  }

  /** A Call of {@code get()} on that object. */
  private static byte[] callOf(Exported object, byte[] reference) throws Exception {
    byte[] local = CallBytes.callWith(object);
    byte[] id = LiveReferenceScan.scan(local, 0, local.length).get(0).object().encode();
    byte[] header = java.util.Arrays.copyOf(reference, 1 + 4 + 2 + Jrmp.CALL_HEADER_BYTES);
    System.arraycopy(id, 0, header, 7, id.length);
    System.arraycopy(HASH_OF_GET, 0, header, header.length - Long.BYTES, Long.BYTES);
    return header;
  }

  private static final byte[] HASH_OF_GET = hashOf("get()Ljava/lang/Object;");

  private static byte[] hashOf(String method) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      new java.io.DataOutputStream(bytes).writeUTF(method);
      byte[] sha = java.security.MessageDigest.getInstance("SHA").digest(bytes.toByteArray());
      byte[] hash = new byte[Long.BYTES];
      for (int i = 0; i < hash.length; i++) {
        hash[i] = sha[hash.length - 1 - i];
      }
      return hash;
    } catch (IOException | java.security.GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      names = {"LISTENING"},
      mode = EnumSource.Mode.EXCLUDE)
  void withoutAPortAtTheGatewayTheCallIsNotExecuted(Outcome outcome) throws Exception {
    start("0", true, Feature.CALLBACKS);
    for (int parts : new int[] {1, 2}) {
      Exported object = export();
      byte[] local = CallBytes.callWith(new Object[] {new byte[(parts - 1) * 40_000], object});
      connect();
      Future<byte[]> calling = call(local, 200);
      link.send(Listening.refused(asked().listener(), outcome, ""));
      byte[] answer = calling.get();
      assertThat(ExceptionalReturn.exceptionClass(answer, 0, answer.length))
          .contains(ConnectIOException.class.getName());
      if (parts > 1) { // what has left is taken back
        link.expect(Close.class);
      }
      assertThat(link.unexpected().stream().filter(OwnReferencesTest::isRequest)).isEmpty();
    }
  }

  private static boolean isRequest(Frame frame) {
    return frame instanceof Data data && data.endOfRequest();
  }

  @Test
  void withoutALinkTheCallIsNotExecutedAndObjectsAreExportedAllTheSame() throws Exception {
    start("0", true, Feature.CALLBACKS);
    gateway.policy(ConnectPolicy.REFUSE);
    Exported object = export();
    assertThat(((Callable) java.rmi.server.RemoteObject.toStub(object)).get()).isNotNull();
    gateway.policy(ConnectPolicy.ACCEPT);
    connect();
    gateway.policy(ConnectPolicy.REFUSE);
    link.cut();
    byte[] answer = call(CallBytes.callWith(object), 100).get();
    assertThat(ExceptionalReturn.exceptionClass(answer, 0, answer.length).orElseThrow())
        .isIn(ConnectException.class.getName(), ConnectIOException.class.getName());
  }

  @Test
  void whereTheGatewayDoesNotGiveANumberReferencesNameAnotherPort() throws Exception {
    int port = LoopbackPort.free();
    start(Integer.toString(port), true, Feature.CALLBACKS);
    Exported object = export(port, port);
    link = gateway.accept();
    connect();
    for (int i = 0; i < 2; i++) { // the second one asks no gateway
      send(CallBytes.callWith(object));
      assertThat(endpoints(sentCall(port))).containsExactly(AT_GATEWAY);
    }
  }

  @Test
  void aPortThatTheNextGatewayDoesNotGiveBackIsReplacedByAnotherOne() throws Exception {
    start("0", true, Feature.CALLBACKS);
    Exported object = export();
    connect();
    send(CallBytes.callWith(object));
    assertThat(endpoints(sentCall())).containsExactly(AT_GATEWAY);
    link.cut();
    link = gateway.accept();
    Listen again = asked();
    assertThat(again.port()).isEqualTo(AT_GATEWAY.port());
    link.send(Listening.refused(again.listener(), Outcome.PORT_IN_USE, ""));
    await().until(() -> agent.account().sums().callbackPortsLost() == 1);

    socket.close();
    connect();
    EndpointId another = new EndpointId(AT_GATEWAY.host(), AT_GATEWAY.port() + 1);
    byte[] back = CallBytes.normalReturn(out -> out.writeObject(object));
    for (EndpointId known : List.of(AT_GATEWAY, another)) { // both mean this object
      Future<byte[]> calling = call(CallBytes.callWith(object), back.length);
      assertThat(endpoints(sentCall(AT_GATEWAY.port(), another.port()))).containsExactly(another);
      link.send(new Data(1, false, withEndpoint(back, known)));
      assertThat(calling.get()).isEqualTo(back);
    }
  }

  @Test
  void whereTheGatewayTakesNoCallbacksReferencesPassAsTheyAre() throws Exception {
    start("0", true);
    byte[] local = CallBytes.callWith(export());
    connect();
    send(local);
    assertThat(sentCall()).isEqualTo(local);
  }

  @Test
  void referencesToOtherPortsAndOfOtherJvmsPassAsTheyAre() throws Exception {
    start("1-2", true, Feature.CALLBACKS);
    Exported notListed = export();
    byte[] local = CallBytes.callWith(notListed);
    connect();
    send(local);
    assertThat(sentCall()).isEqualTo(local);
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void aPortThatWasAskedForByNumberIsAnnouncedAtOnceAndItsExportWaitsForNobody() throws Exception {
    int port = LoopbackPort.free();
    start(Integer.toString(port), true, Feature.CALLBACKS);
    Exported object = export(port, port); // no link, and no wait for one
    link = gateway.accept();
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(1, port));
    link.send(Listening.refused(1, Outcome.PORT_IN_USE, ""));
    assertThat(link.expect(Listen.class)).isEqualTo(new Listen(2, port));
    link.send(Listening.on(2, port));
    await().until(() -> agent.callbacks().isOurs(AT_GATEWAY.host(), port)); // has been read

    connect();
    send(CallBytes.callWith(object));
    assertThat(endpoints(sentCall())).containsExactly(new EndpointId(AT_GATEWAY.host(), port));
    UnicastRemoteObject.unexportObject(object, true);
    exported.clear();
    assertThat(link.expect(Unlisten.class)).isEqualTo(new Unlisten(2));
  }
}
