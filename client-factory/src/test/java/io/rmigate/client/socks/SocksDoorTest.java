package io.rmigate.client.socks;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.deadline.CallTimeouts;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sockets of this JVM that rmigate has not made. */
@SuppressWarnings("AddressSelection") // sockets as any program makes them
class SocksDoorTest {
  private static final byte[] NOTHING = {};

  /** Remembers what it is asked. */
  private static final class Recording extends ProxySelector {
    private final List<URI> selected = new CopyOnWriteArrayList<>();
    private final List<URI> failed = new CopyOnWriteArrayList<>();

    @Override
    public List<Proxy> select(URI uri) {
      selected.add(uri);
      return List.of(Proxy.NO_PROXY);
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
      failed.add(uri);
    }
  }

  private final FakeGateway gateway = new FakeGateway();
  private final Recording before = new Recording();
  private final ProxySelector original = ProxySelector.getDefault();
  private final Set<Thread> threadsBefore = socksThreads();
  private MediatorAgent agent;
  private SocksDoor door;

  /** Those of doors that other tests have closed may end a little later. */
  private static Set<Thread> socksThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("rmigate-socks"))
        .collect(Collectors.toSet());
  }

  @BeforeEach
  void open() throws IOException {
    gateway.welcome(FakeGateway.welcomeTaking(Map.of(), Feature.RAW_STREAMS, Feature.REASONS));
    agent =
        new MediatorAgent(
            gateway, MediatorSettings.of(Duration.ofSeconds(10), Map.of(), Compression.OFF));
    ProxySelector.setDefault(before);
    door =
        SocksDoor.open(
            agent,
            DestinationPatterns.of(List.of("*.inside.example:9010", "localhost:9010")),
            new Deadlines(CallTimeouts.NONE),
            Optional.empty(),
            Duration.ofSeconds(10));
  }

  @AfterEach
  void close() {
    door.close();
    ProxySelector.setDefault(original);
    agent.close();
  }

  /** A TLS socket that connects; its handshake begins with the first byte only. */
  private static CompletableFuture<Socket> connecting(String host, int port) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return SSLSocketFactory.getDefault().createSocket(host, port);
          } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
          }
        });
  }

  /** Nor is there a thread: a tool of the JDK with our javaagent must not be disturbed. */
  @Test
  void nothingListensBeforeTheFirstSocketIsSentHere() throws Exception {
    assertThat(threadsBefore).containsAll(socksThreads());
    CompletableFuture<Socket> connecting = connecting("db.inside.example", 9010);
    gateway.accept().expect(OpenRaw.class);
    assertThat(socksThreads()).anyMatch(thread -> !threadsBefore.contains(thread));
    door.close();
    agent.close();
    assertThatThrownBy(() -> connecting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class);
  }

  @Test
  void listedDestinationIsReachedByItsNameThroughTheGateway() throws Exception {
    try (Socket socket = new Socket("jmx.inside.example", 9010)) {
      FakeGateway.Connection link = gateway.accept();
      socket.getOutputStream().write(new byte[] {1, 2, 3});
      OpenRaw open = link.expect(OpenRaw.class);
      assertThat(open.host()).isEqualTo("jmx.inside.example");
      assertThat(open.port()).isEqualTo(9010);
      link.send(new Data(open.stream(), false, NOTHING));
      assertThat(link.expect(Data.class).bytes()).containsExactly(1, 2, 3);
      link.send(new Data(open.stream(), false, new byte[] {4, 5}));
      assertThat(socket.getInputStream().readNBytes(2)).containsExactly(4, 5);
      link.send(
          new Data(open.stream(), false, new byte[] {6}),
          new Close(open.stream(), CloseCause.SERVER_CLOSED));
      assertThat(socket.getInputStream().readAllBytes()).containsExactly(6);
      link.expect(Close.class);
    }
    assertThat(before.selected).isEmpty();
    assertThat(agent.account().sums().opaqueConnections()).isEqualTo(1);
    await().until(() -> agent.account().sums().opaqueBytes() == 6); // counted behind their passing
  }

  /** The first byte of the client is that of a handshake, so that nothing waits for it. */
  @Test
  void tlsSocketIsConnectedBeforeItHasWritten() throws Exception {
    CompletableFuture<Socket> connecting = connecting("jmx.inside.example", 9010);
    FakeGateway.Connection link = gateway.accept();
    OpenRaw open = link.expect(OpenRaw.class);
    assertThat(connecting).isNotDone();
    link.send(new Data(open.stream(), false, NOTHING));
    try (Socket socket = connecting.get()) {
      assertThat(socket.isConnected()).isTrue();
      link.send(new Close(open.stream(), CloseCause.SERVER_CLOSED));
      link.expect(Close.class);
    }
  }

  @Test
  void plainJrmpIsMediated() throws Exception {
    try (Socket socket = new Socket("rmi.inside.example", 9010)) {
      FakeGateway.Connection link = gateway.accept();
      socket.getOutputStream().write(new byte[] {'J', 'R', 'M', 'I', 0, 2, 0x4b});
      assertThat(socket.getInputStream().read()).as("ProtocolAck, from here").isEqualTo(0x4e);
      int hostLength = socket.getInputStream().read() << 8 | socket.getInputStream().read();
      socket.getInputStream().skipNBytes(hostLength + Integer.BYTES);
      socket.getOutputStream().write(new byte[] {0, 0, 0, 0, 0, 0, 0x52});
      assertThat(socket.getInputStream().read()).as("PingAck, from here").isEqualTo(0x53);
      assertThat(link.unexpected()).isEmpty();
    }
    assertThat(agent.account().sums().opaqueConnections()).isZero();
  }

  @Test
  void refusedRawStreamResetsAClientThatHasWritten() throws Exception {
    try (Socket socket = new Socket("jmx.inside.example", 9010)) {
      FakeGateway.Connection link = gateway.accept();
      socket.getOutputStream().write(new byte[] {1, 2, 3});
      OpenRaw open = link.expect(OpenRaw.class);
      link.send(
          new Refused(open.stream(), 0, RefusalReason.CONNECTION_REFUSED, "nothing listens there"),
          new Close(open.stream(), CloseCause.DONE));
      assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
      link.expect(Close.class);
    }
  }

  /** As where the entry of {@code raw} takes TLS alone. */
  @Test
  void rawStreamRefusedByItsFirstBytesIsResetAndLogged() throws Exception {
    try (RecordedWarnings warnings = new RecordedWarnings(ConnectionProtocol.class);
        Socket socket = new Socket("jmx.inside.example", 9010)) {
      FakeGateway.Connection link = gateway.accept();
      socket.getOutputStream().write(new byte[] {1, 2, 3});
      OpenRaw open = link.expect(OpenRaw.class);
      link.send(new Data(open.stream(), false, NOTHING));
      link.expect(Data.class);
      link.send(
          new Close(open.stream(), CloseCause.NOT_PERMITTED, "first bytes are not those of TLS"));
      assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
      link.expect(Close.class);
      await()
          .untilAsserted(
              () ->
                  assertThat(warnings.texts)
                      .containsExactly(
                          "no connection to jmx.inside.example:9010:"
                              + " first bytes are not those of TLS"));
    }
  }

  /** The warnings of a logger. */
  private static final class RecordedWarnings extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> texts = new CopyOnWriteArrayList<>();

    RecordedWarnings(Class<?> source) {
      logger = Logger.getLogger(source.getName());
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord record) {
      if (record.getLevel().equals(Level.WARNING)) {
        texts.add(new SimpleFormatter().formatMessage(record));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
    }
  }

  @Test
  void rawStreamThatEndsBeforeItIsConnectedResetsAClientThatHasWritten() throws Exception {
    try (Socket socket = new Socket("jmx.inside.example", 9010)) {
      FakeGateway.Connection link = gateway.accept();
      socket.getOutputStream().write(new byte[] {1, 2, 3});
      OpenRaw open = link.expect(OpenRaw.class);
      link.send(new Close(open.stream(), CloseCause.SERVER_CLOSED));
      assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
      link.expect(Close.class);
    }
  }

  @Test
  void clientThatWritesNothingOpensNoStream() throws Exception {
    new Socket("jmx.inside.example", 9010).close();
    FakeGateway.Connection link = gateway.accept();
    door.close();
    NamedThreads.awaitEnd("rmigate-socks");
    assertThat(link.unexpected()).isEmpty();
  }

  @Test
  void nameThatThisMachineCanResolveIsStillANameInside() throws Exception {
    CompletableFuture<Socket> connecting = connecting("localhost", 9010);
    FakeGateway.Connection link = gateway.accept();
    OpenRaw open = link.expect(OpenRaw.class);
    assertThat(open.host()).isEqualTo("localhost");
    link.send(new Data(open.stream(), false, NOTHING));
    connecting.get().close();
    link.expect(Close.class);
  }

  @Test
  void refusalIsAFailedConnect() throws Exception {
    CompletableFuture<Socket> connecting = connecting("jmx.inside.example", 9010);
    FakeGateway.Connection link = gateway.accept();
    OpenRaw open = link.expect(OpenRaw.class);
    link.send(
        new Refused(open.stream(), 0, RefusalReason.CONNECTION_REFUSED, "no listener"),
        new Close(open.stream(), CloseCause.DONE));
    assertThatThrownBy(connecting::get)
        .hasRootCauseInstanceOf(SocketException.class)
        .hasRootCauseMessage("SOCKS: Connection refused");
    link.expect(Close.class);
  }

  @Test
  void gatewayThatCannotBeReachedIsAFailedConnect() {
    gateway.policy(FakeGateway.ConnectPolicy.REFUSE);
    assertThatThrownBy(() -> new Socket("jmx.inside.example", 9010).close())
        .isInstanceOf(SocketException.class);
  }

  @Test
  void everythingElseIsLeftToTheSelectorThatWasThere() throws Exception {
    try (ServerSocket elsewhere = new ServerSocket(0)) {
      new Socket("127.0.0.1", elsewhere.getLocalPort()).close();
      assertThat(before.selected)
          .containsExactly(URI.create("socket://127.0.0.1:" + elsewhere.getLocalPort()));
    }
    URI web = URI.create("http://jmx.inside.example:9010/");
    ProxySelector.getDefault().select(web);
    assertThat(before.selected).contains(web);
    ProxySelector.getDefault()
        .connectFailed(web, InetSocketAddress.createUnresolved("p", 1), new IOException());
    assertThat(before.failed).containsExactly(web);
  }

  @Test
  void whatTheSelectorHasNotJustSelectedIsRefused() throws Exception {
    List<Proxy> proxies =
        ProxySelector.getDefault().select(URI.create("socket://a.inside.example:9010"));
    Proxy proxy = proxies.get(0);
    assertThat(proxy.type()).isEqualTo(Proxy.Type.SOCKS);
    try (Socket other = new Socket(proxy)) {
      assertThatThrownBy(
              () -> other.connect(InetSocketAddress.createUnresolved("b.inside.example", 9010)))
          .isInstanceOf(SocketException.class);
    }
    assertThat(agent.currentLink()).isEmpty();
  }

  @Test
  void doorListensOnLoopbackOnly() {
    Proxy proxy =
        ProxySelector.getDefault().select(URI.create("socket://a.inside.example:9010")).get(0);
    assertThat(((InetSocketAddress) proxy.address()).getAddress().isLoopbackAddress()).isTrue();
  }

  @Test
  void closedDoorLeavesNothingBehind() throws Exception {
    CompletableFuture<Socket> connecting = connecting("jmx.inside.example", 9010);
    FakeGateway.Connection link = gateway.accept();
    link.send(new Data(link.expect(OpenRaw.class).stream(), false, NOTHING));
    try (Socket socket = connecting.get()) {
      door.close();
      assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(IOException.class);
    }
    link.expect(Close.class);
    assertThat(ProxySelector.getDefault()).isSameAs(before);
    NamedThreads.awaitEnd("rmigate-socks");
  }
}
