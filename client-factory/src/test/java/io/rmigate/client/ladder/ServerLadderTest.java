package io.rmigate.client.ladder;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.Way;
import io.rmigate.client.ladder.ScriptedServer.Kind;
import io.rmigate.client.transport.net.Networks;
import io.rmigate.testing.NamedThreads;
import io.rmigate.testing.RefusingPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** By which way a server is reached, and what becomes of the others. */
class ServerLadderTest {
  private static final String HOST = "127.0.0.1";

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final AtomicReference<String> network = new AtomicReference<>("office");
  private final FakeLink link = new FakeLink();
  private ChosenWays chosen;

  /** No way is overtaken because the machine is busy, unless a test wants that. */
  private String stagger = "1m";

  /** When better ways are due. */
  private LongSupplier clock = System::nanoTime;

  /** A link that counts who wants it. */
  private static final class FakeLink implements ServerLadder.LinkRung {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean up;
    private volatile IOException failure;

    @Override
    public boolean isUp() {
      return up;
    }

    @Override
    public void ensure() throws IOException {
      asked.incrementAndGet();
      if (failure != null) {
        ConnectException refused = new ConnectException(failure.getMessage());
        refused.initCause(failure);
        throw refused;
      }
      up = true;
    }
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
    NamedThreads.awaitEnd("rmigate-");
  }

  private <T extends AutoCloseable> T closing(T closeable) {
    opened.push(closeable);
    return closeable;
  }

  private ScriptedServer server(Kind kind) throws IOException {
    return closing(new ScriptedServer(kind));
  }

  private ServerLadder ladder(String way, String... settings) {
    ClientConfig.Builder builder =
        ClientConfig.builder()
            .set(ConfigKey.GATEWAY, "http://127.0.0.1:1/none")
            .set(ConfigKey.WAY, way)
            .set(ConfigKey.WAY_STAGGER, stagger);
    for (int i = 0; i < settings.length; i += 2) {
      builder.set(ConfigKey.byName(settings[i]).orElseThrow(), settings[i + 1]);
    }
    ClientConfig config = builder.build();
    chosen = ChosenWays.with(new Networks(network::get, new FarSteps()::next), config, clock);
    return new ServerLadder(config, chosen, link);
  }

  /** A clock that is far ahead at each look, so that each look is a new one. */
  private static final class FarSteps {
    private long nanos;

    long next() {
      nanos += TimeUnit.HOURS.toNanos(1);
      return nanos;
    }
  }

  /** The way that was taken; empty for the link. */
  private static Optional<Way> reach(ServerLadder ladder, int port) throws Exception {
    Optional<ReachedServer> reached = ladder.reach(HOST, port, PATIENCE);
    reached.ifPresent(ReachedServer::close);
    return reached.map(ReachedServer::way);
  }

  private int nobodyAt() throws IOException {
    return closing(new RefusingPort()).number();
  }

  @Test
  void directIsTakenWhereAnRmiServerAnswersAndNothingElseIsTried() throws Exception {
    ScriptedServer rmi = server(Kind.RMI);
    ScriptedServer proxy = server(Kind.PROXY);
    ServerLadder ladder = ladder("auto", "proxy", HOST + ":" + proxy.port());

    assertThat(reach(ladder, rmi.port())).contains(Way.DIRECT);

    assertThat(rmi.connections()).isEqualTo(1);
    assertThat(proxy.connections()).isZero();
    assertThat(link.asked).hasValue(0);
  }

  /** A client that needs no link has figures, too. */
  @Test
  void thatSomethingHasBeenReachedIsToldOnce() throws Exception {
    ScriptedServer rmi = server(Kind.RMI);
    ServerLadder ladder = ladder("auto");
    AtomicInteger told = new AtomicInteger();
    chosen.whenFirstChosen(told::incrementAndGet);
    assertThat(reach(ladder, rmi.port())).contains(Way.DIRECT);
    assertThat(reach(ladder, rmi.port())).contains(Way.DIRECT);
    assertThat(reach(ladder, server(Kind.RMI).port())).contains(Way.DIRECT);
    assertThat(told).hasValue(1);
  }

  @Test
  void whoHasReachedTheServerReadsItsAnswerThere() throws Exception {
    ScriptedServer rmi = server(Kind.RMI);

    ReachedServer reached = ladder("direct").reach(HOST, rmi.port(), PATIENCE).orElseThrow();
    closing(reached);

    assertThat(reached.header()).containsExactly(0x4a, 0x52, 0x4d, 0x49, 0, 2, 0x4b);
    assertThat(reached.acknowledgement()).startsWith(0x4e, 0, 9, '1', '2', '7').hasSize(16);
    assertThat(reached.connection().top().getSoTimeout()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"SILENT", "WEB", "HANGS_UP"})
  void whoDoesNotSpeakJrmpIsNotReachedAndTheNextWayIsTaken(Kind kind) throws Exception {
    ScriptedServer other = server(kind);
    if (kind == Kind.SILENT) {
      stagger = "1s";
    }

    assertThat(reach(ladder("direct|post"), other.port())).isEmpty();

    assertThat(other.connections()).isEqualTo(1);
    assertThat(link.asked).hasValue(1);
    await().until(() -> other.ended() == 1); // and it was closed
    assertThat(chosen.lines())
        .singleElement()
        .asString()
        .startsWith(HOST + ":" + other.port() + ": gateway: direct: ")
        .contains(
            switch (kind) {
              case WEB -> "expected the answer of an RMI server, got 0x48";
              case SILENT -> "no answer within 1000 ms";
              default -> "direct: ";
            });
  }

  /** A full backlog drops SYNs, as a firewall does. */
  @Test
  void droppedPacketsHoldNobodyUp() throws Exception {
    ServerSocket full = closing(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    fill(full);
    stagger = "50ms";

    assertThat(reach(ladder("direct|post"), full.getLocalPort())).isEmpty();

    assertThat(link.asked).hasValue(1);
    assertThat(chosen.lines()).singleElement().asString().contains("direct: no answer within");
  }

  private void fill(ServerSocket full) throws IOException {
    for (int i = 0; i < 16; i++) {
      Socket socket = closing(new Socket());
      try {
        socket.connect(full.getLocalSocketAddress(), 200);
      } catch (SocketTimeoutException dropped) {
        return;
      }
    }
    throw new AssertionError("the backlog takes everything");
  }

  @Test
  void theHttpProxyIsAskedForTheServerItself() throws Exception {
    ScriptedServer proxy = server(Kind.PROXY);
    int port = nobodyAt();

    assertThat(reach(ladder("auto", "proxy", HOST + ":" + proxy.port()), port))
        .contains(Way.CONNECT);

    assertThat(proxy.connects()).containsExactly("CONNECT 127.0.0.1:" + port + " HTTP/1.1");
    assertThat(link.asked).hasValue(0);
    assertThat(chosen.lines())
        .singleElement()
        .asString()
        .startsWith(HOST + ":" + port + ": connect: direct: the server 127.0.0.1:" + port);
  }

  @Test
  void anHttpProxyThatRefusesLeavesTheLinkAndItsWordsAreKept() throws Exception {
    ScriptedServer proxy = server(Kind.PROXY);
    proxy.answer = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
    int port = nobodyAt();

    assertThat(reach(ladder("connect|websocket", "proxy", HOST + ":" + proxy.port()), port))
        .isEmpty();

    assertThat(chosen.lines())
        .singleElement()
        .asString()
        .contains("gateway: connect: HTTP proxy 127.0.0.1:" + proxy.port() + " answered 403");
  }

  @Test
  void connectIsPassedOverWhereThereIsNoHttpProxy() throws Exception {
    int port = nobodyAt();

    assertThat(reach(ladder("connect|websocket"), port)).isEmpty();

    assertThat(chosen.lines()).singleElement().asString().contains("connect: no HTTP proxy for ");
  }

  @Test
  void whatHasWorkedIsTakenAtOnceTheNextTime() throws Exception {
    ScriptedServer web = server(Kind.WEB);
    ServerLadder ladder = ladder("direct|post");

    assertThat(reach(ladder, web.port())).isEmpty();
    assertThat(reach(ladder, web.port())).isEmpty();

    assertThat(web.connections()).isEqualTo(1);
    assertThat(link.asked).as("it is up").hasValue(1);
  }

  @Test
  void theNextWayIsTakenAtOnceWhereWhatHasWorkedFails() throws Exception {
    ScriptedServer rmi = server(Kind.RMI);
    ServerLadder ladder = ladder("direct|post");
    assertThat(reach(ladder, rmi.port())).contains(Way.DIRECT);

    rmi.close();
    assertThat(reach(ladder, rmi.port())).isEmpty();

    assertThat(chosen.lines()).singleElement().asString().contains(": gateway: direct: ");
  }

  @Test
  void newConnectionsTakeTheBetterWayOnceItIsBack() throws Exception {
    ScriptedServer server = server(Kind.WEB);
    ServerLadder ladder = ladder("direct|post", "way-retry", "1ms");
    assertThat(reach(ladder, server.port())).isEmpty();

    server.kind = Kind.RMI;

    await().until(() -> reach(ladder, server.port()).equals(Optional.of(Way.DIRECT)));
    assertThat(chosen.lines())
        .containsExactly(HOST + ":" + server.port() + ": direct: it answers again");
  }

  @Test
  void whoseBetterWayIsDueWhileAnotherOneIsLookedForHasItsTurnAfterwards() throws Exception {
    AtomicLong now = new AtomicLong();
    clock = now::get;
    ScriptedServer slow = server(Kind.WEB);
    ScriptedServer other = server(Kind.WEB);
    ServerLadder ladder = ladder("direct|post", "way-retry", "1m");
    assertThat(reach(ladder, slow.port())).isEmpty();
    assertThat(reach(ladder, other.port())).isEmpty();
    slow.kind = Kind.SILENT;
    other.kind = Kind.RMI;
    now.addAndGet(TimeUnit.MINUTES.toNanos(1));

    assertThat(reach(ladder, slow.port())).isEmpty();
    await().until(() -> slow.connections() == 2);
    assertThat(reach(ladder, other.port())).as("no look yet").isEmpty();
    slow.close();
    NamedThreads.awaitEnd("rmigate-way-retry");
    assertThat(reach(ladder, other.port())).isEmpty();

    await().until(() -> reach(ladder, other.port()).equals(Optional.of(Way.DIRECT)));
  }

  @Test
  void whatWasLearntInOneNetworkSaysNothingInAnother() throws Exception {
    ScriptedServer server = server(Kind.WEB);
    ServerLadder ladder = ladder("direct|post");
    assertThat(reach(ladder, server.port())).isEmpty();
    server.kind = Kind.RMI;

    network.set("home");
    assertThat(reach(ladder, server.port())).contains(Way.DIRECT);
    network.set("office");
    assertThat(reach(ladder, server.port())).isEmpty();

    assertThat(server.connections()).isEqualTo(2);
  }

  @Test
  void nothingElseIsTriedWhereOneWayIsForced() throws Exception {
    ScriptedServer web = server(Kind.WEB);

    assertThatThrownBy(() -> ladder("direct").reach(HOST, web.port(), PATIENCE))
        .isInstanceOf(ConnectException.class)
        .hasMessageStartingWith("no way leads to 127.0.0.1:" + web.port() + ": direct: ")
        .hasMessageContaining("expected the answer of an RMI server");

    assertThat(link.asked).hasValue(0);
    assertThat(chosen.lines()).isEmpty();
  }

  @Test
  void whatBecameOfEachWayIsSaidWhereNoneLeadsThere() throws Exception {
    ScriptedServer web = server(Kind.WEB);
    link.failure = new ConnectException("no gateway");

    assertThatThrownBy(() -> ladder("auto").reach(HOST, web.port(), PATIENCE))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("direct: ")
        .hasMessageContaining("; connect: no HTTP proxy")
        .hasMessageContaining("; gateway: no gateway");
  }

  @Test
  void aGatewayThatIsNotTrustedIsNotPassedBy() throws Exception {
    ScriptedServer rmi = server(Kind.RMI);
    link.failure = new SSLException("an unknown authority");

    assertThatThrownBy(() -> ladder("websocket|direct").reach(HOST, rmi.port(), PATIENCE))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("an unknown authority");

    assertThat(rmi.connections()).isZero();
  }

  @Test
  void aGatewayThatIsGoneIsPassedByWhereThatIsAllowed() throws Exception {
    ScriptedServer rmi = server(Kind.RMI);
    link.failure = new ConnectException("no gateway");

    assertThat(reach(ladder("websocket|direct"), rmi.port())).contains(Way.DIRECT);
  }

  @Test
  void serversThatNameLoopbackAreBehindTheGateway() {
    assertThat(ladder("auto").mayPassGateway("localhost")).isFalse();
    assertThat(ladder("auto").mayPassGateway("127.0.1.1")).isFalse();
    assertThat(ladder("auto").mayPassGateway("rmi.example")).isTrue();
    assertThat(ladder("direct").mayPassGateway("localhost")).isTrue();
  }

  @Test
  void whateverAcceptsIsEnoughForOtherProtocols() throws Exception {
    ScriptedServer silent = server(Kind.SILENT);

    assertThat(ladder("direct|post").open(HOST, silent.port(), PATIENCE).map(this::closing))
        .isPresent();

    assertThat(link.asked).hasValue(0);
  }

  @Test
  void whatIsRememberedIsBounded() throws Exception {
    ladder("direct|post");
    for (int port = 1; port <= 3 * WayMemory.MOST; port++) {
      chosen.memory().took("h:" + port, Way.POST, "gateway", "why");
    }

    assertThat(chosen.lines())
        .hasSize(WayMemory.MOST)
        .contains("h:" + 3 * WayMemory.MOST + ": gateway: why");
  }

  @Test
  void eachWayCanBeTriedByItself() throws Exception {
    ScriptedServer rmi = server(Kind.RMI);
    ScriptedGateway gateway = closing(new ScriptedGateway());
    gateway.upgrade = ScriptedGateway.Upgrade.REFUSE;
    WayTrial trial = new WayTrial(ClientConfig.builder().gateways(gateway.url()).build());

    assertThat(trial.tryAll(HOST, rmi.port(), PATIENCE))
        .extracting(attempt -> attempt.way() + " " + attempt.outcome())
        .containsExactly("DIRECT REACHED", "CONNECT UNUSABLE", "WEBSOCKET REFUSED", "POST REACHED");
    assertThat(trial.attempt(Way.DIRECT, HOST, nobodyAt(), PATIENCE).outcome())
        .isEqualTo(AttemptOutcome.REFUSED);
    assertThat(
            trial
                .attempt(Way.DIRECT, HOST, server(Kind.SILENT).port(), Duration.ofMillis(100))
                .outcome())
        .isEqualTo(AttemptOutcome.SILENT);
    assertThat(trial.attempt(Way.DIRECT, HOST, server(Kind.WEB).port(), PATIENCE).outcome())
        .isEqualTo(AttemptOutcome.FOREIGN);
    assertThat(trial.attempt(Way.DIRECT, HOST, server(Kind.HANGS_UP).port(), PATIENCE).outcome())
        .isEqualTo(AttemptOutcome.BROKEN);
  }
}
