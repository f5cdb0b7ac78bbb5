package io.rmigate.gateway.container.cuts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.ExportAddress;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.TroubledRelay;
import io.rmigate.testing.LoopbackPort;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A session outlives its links: eight threads call, and are called back, without a pause while the
 * link is cut, freezes, dribbles or dies without a word. No call fails, each is executed once on
 * each side, and every answer is the right one.
 *
 * <p>{@code -Drmigate.cuts.seconds=120} makes each kind of trouble last.
 */
@ExtendWith(LeftoverCheck.class)
class CutLinksIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration LASTING =
      Duration.ofSeconds(Integer.getInteger("rmigate.cuts.seconds", 4));
  private static final Duration BETWEEN_CUTS = Duration.ofMillis(300);

  /** Each cut and the link after it in no more than five times that. */
  private static final long FEWEST_CUTS = LASTING.dividedBy(BETWEEN_CUTS.multipliedBy(5));

  private static final Duration SHORTEST_FREEZE = Duration.ofSeconds(5);
  private static final Duration LONGEST_FREEZE = Duration.ofSeconds(20);

  private static final long ENOUGH_CALLS = 100;
  private static final long A_HANDFUL_OF_CALLS = 8;
  private static final String CALLBACKS =
      """
      callbacks:
        address: 127.0.0.1
        host: %s
        from: ['127.0.0.1']
        allow:
          - principals: ['*']
      """
          .formatted(InsideHosts.INSIDE);
  private static final Pattern DONE =
      Pattern.compile("^done (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)$");
  private static final Pattern TALLY = Pattern.compile("^tally (\\d+) (\\d+)$");

  private Path directory;
  private InsideHosts hosts;
  private ChildJvm server;
  private String registryPort;

  @BeforeEach
  void startServer() throws Exception {
    directory = BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime()));
    Files.createDirectories(directory);
    hosts = InsideHosts.write(directory);
    server =
        ChildJvm.named("tally", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx192m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(TallyServer.class))
            .main(TallyServer.class.getName())
            .start();
    registryPort = server.awaitLine(Pattern.compile("^tally ready (\\d+)$"), SOON).group(1);
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(GatewayKind.class)
  void callsGoOnAndEachIsExecutedOnceWhileTheLinkIsCutAgainAndAgain(GatewayKind kind)
      throws Exception {
    try (GatewayUnderTest gateway = start(kind);
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm client = client(gateway.uri(), relay.port(), "")) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      int cuts = cutAgainAndAgain(relay);
      assertNothingWasLost(client);
      assertThat(relay.connections()).isGreaterThan(cuts);
    }
  }

  /**
   * Its TCP connections are many, and break all at once; no answer is lost, none is given twice.
   */
  @ParameterizedTest
  @EnumSource(GatewayKind.class)
  void callsGoOnAndEachIsExecutedOnceWhileAllConnectionsOfALinkOfPostsAreCut(GatewayKind kind)
      throws Exception {
    try (GatewayUnderTest gateway = start(kind);
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm client = client(gateway.uri(), relay.port(), ",way=post")) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      cutAgainAndAgain(relay);
      assertNothingWasLost(client);
    }
  }

  /** Returns how often. */
  private static int cutAgainAndAgain(TroubledRelay relay) throws InterruptedException {
    long end = System.nanoTime() + LASTING.toNanos();
    int cuts = 0;
    while (System.nanoTime() - end < 0) {
      int connections = relay.connections();
      Thread.sleep(BETWEEN_CUTS.toMillis()); // the fault's own rhythm, nothing waits for it
      relay.reset();
      cuts++;
      await().atMost(SOON).until(() -> relay.connections() > connections);
    }
    System.out.println(cuts + " cuts");
    assertThat(cuts).as("cuts").isGreaterThanOrEqualTo((int) FEWEST_CUTS);
    return cuts;
  }

  /** The client's JVM has nothing of ours, and no link: that of its sidecar is cut. */
  @Test
  void callsOfAnUnchangedJvmGoOnWhileTheLinkOfItsSidecarIsCutAgainAndAgain() throws Exception {
    ExportAddress listener = new ExportAddress("127.0.0.2", LoopbackPort.free());
    try (GatewayUnderTest gateway =
            start(GatewayKind.STANDALONE, "      explicit: [" + listener.port() + "]\n");
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm sidecar = sidecar(gateway, relay, listener);
        ChildJvm client = unchangedClient(sidecar, listener)) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      int cuts = cutAgainAndAgain(relay);
      assertNothingWasLost(client);
      assertThat(relay.connections()).isGreaterThan(cuts);
    }
  }

  @Test
  void callsGoOnAfterTheLinkWasFrozen() throws Exception {
    try (GatewayUnderTest gateway = start(GatewayKind.STANDALONE);
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm client = client(gateway.uri(), relay.port(), "")) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      long end = System.nanoTime() + LASTING.toNanos();
      Duration freeze = SHORTEST_FREEZE;
      do {
        relay.freeze();
        Thread.sleep(freeze.toMillis()); // as long as the fault lasts
        relay.thaw();
        awaitMoreCalls();
        freeze = freeze.equals(LONGEST_FREEZE) ? SHORTEST_FREEZE : freeze.plusSeconds(5);
      } while (System.nanoTime() - end < 0);
      assertNothingWasLost(client);
    }
  }

  @Test
  void bytesInSlicesChangeNothingEvenWhenTheLinkIsCutBetweenThem() throws Exception {
    try (GatewayUnderTest gateway = start(GatewayKind.STANDALONE);
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm client = client(gateway.uri(), relay.port(), ",compression=on")) {
      relay.slice(true);
      client.ask("go", Pattern.compile("^calling$"), SOON);
      long before = executed();
      cutAgainAndAgain(relay);
      assertThat(executed()).as("executed").isGreaterThan(before + A_HANDFUL_OF_CALLS);
      relay.slice(false);
      awaitMoreCalls();
      assertNothingWasLost(client);
    }
  }

  /** Half-open: what either side sends goes nowhere, and nothing says so. */
  @Test
  void callsGoOnAfterConnectionsThatHaveDiedWithoutAWord() throws Exception {
    try (OpenGateway gateway =
            OpenGateway.start(
                directory.resolve("gateway"),
                hosts,
                "session: {heartbeat: 1s}",
                OpenGateway.targets(InsideHosts.INSIDE + ":*"),
                CALLBACKS);
        CountingRelay relay = CountingRelay.to(gateway.port());
        ChildJvm client = client(gateway.uri(), relay.port(), "")) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      awaitMoreCalls();
      for (int deaths = 0; deaths < 2; deaths++) {
        long connections = relay.counts().connections();
        relay.mute();
        await().atMost(SOON).until(() -> relay.counts().connections() > connections);
        awaitMoreCalls();
      }
      assertNothingWasLost(client);
    }
  }

  private void awaitMoreCalls() throws InterruptedException {
    long before = executed();
    await().atMost(SOON).until(() -> executed() > before + ENOUGH_CALLS);
  }

  private long executed() throws InterruptedException {
    return Long.parseLong(server.ask("", TALLY, SOON).group(1));
  }

  private void assertNothingWasLost(ChildJvm client) throws InterruptedException {
    await().atMost(SOON).until(() -> executed() > ENOUGH_CALLS); // however slow the machine is
    Matcher done = client.ask("stop", DONE, SOON);
    assertThat(done.group(2)).as("exceptions").isEqualTo("0");
    assertThat(done.group(3)).as("wrong answers").isEqualTo("0");
    Matcher tally = server.ask("", TALLY, SOON);
    assertThat(tally.group(1)).as("executed").isEqualTo(done.group(1));
    assertThat(tally.group(2)).as("executed more than once").isEqualTo("0");
    assertThat(done.group(5)).as("executed at the client").isEqualTo(done.group(4));
    assertThat(done.group(6)).as("executed more than once at the client").isEqualTo("0");
    assertThat(Long.parseLong(done.group(4))).isPositive();
  }

  private GatewayUnderTest start(GatewayKind kind) throws Exception {
    return start(kind, "");
  }

  private GatewayUnderTest start(GatewayKind kind, String ofAllowance) throws Exception {
    return kind.start(
        new GatewaySetup(
            Files.createDirectories(directory.resolve("gateway")),
            Optional.empty(),
            hosts,
            List.of(InsideHosts.INSIDE + ":*"),
            List.of("-Xmx192m"),
            CALLBACKS + ofAllowance,
            0));
  }

  private ChildJvm sidecar(GatewayUnderTest gateway, TroubledRelay relay, ExportAddress listener)
      throws Exception {
    ChildJvm sidecar =
        ChildJvm.named("sidecar", directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx192m")
            .jar(BuiltArtefacts.javaagent())
            .arguments(
                "sidecar",
                "--gateway",
                "http://127.0.0.1:" + relay.port() + gateway.uri().getPath(),
                "--listen",
                "127.0.0.1:0",
                "--reverse",
                listener.port() + "=" + listener)
            .start();
    sidecar.awaitLine(Pattern.compile("^rmigate sidecar ready$"), SOON);
    return sidecar;
  }

  private ChildJvm unchangedClient(ChildJvm sidecar, ExportAddress listener) throws Exception {
    ChildJvm client =
        ChildJvm.named("client", directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx192m")
            .property("socksProxyHost", "127.0.0.1")
            .property(
                "socksProxyPort",
                sidecar.awaitLine(Pattern.compile("listens on 127.0.0.1:(\\d+) "), SOON).group(1))
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(TallyClient.class))
            .main(TallyClient.class.getName())
            .arguments(InsideHosts.INSIDE, registryPort, listener.toString())
            .start();
    client.awaitLine(Pattern.compile("^ready$"), SOON);
    return client;
  }

  /**
   * With the javaagent.
   *
   * @param port of the relay before the gateway
   * @param more arguments of the agent
   */
  private ChildJvm client(URI gateway, int port, String more) throws Exception {
    ChildJvm client =
        ChildJvm.named("client", directory)
            .jvmOptions(
                hosts.outsideOption(),
                "-Xmx192m",
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "=http://127.0.0.1:"
                    + port
                    + gateway.getPath()
                    + ",tunnel=*:*"
                    + (more.contains("way=") ? "" : ",way=websocket")
                    + more)
            .classPath(BuiltArtefacts.codeSource(TallyClient.class))
            .main(TallyClient.class.getName())
            .arguments(InsideHosts.INSIDE, registryPort)
            .start();
    client.awaitLine(Pattern.compile("^ready$"), SOON);
    return client;
  }
}
