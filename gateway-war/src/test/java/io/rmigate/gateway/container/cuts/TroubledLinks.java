package io.rmigate.gateway.container.cuts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.TroubledRelay;
import io.rmigate.testing.Patience;
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
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A session outlives its links: eight threads call, and are called back, without a pause while the
 * link is cut, freezes, dribbles or dies without a word. No call fails, each is executed once on
 * each side, and every answer is the right one.
 *
 * <p>{@code -Drmigate.cuts.seconds=120} makes each kind of trouble last.
 */
@ExtendWith(LeftoverCheck.class)
abstract class TroubledLinks {
  static final Duration SOON = Patience.PATIENCE;
  static final Duration LASTING = lasting(4);

  /** In the containers, where links come and go by other code and sessions by the same. */
  private static final Duration LASTING_IN_CONTAINERS = lasting(2);

  private static final Duration BETWEEN_CUTS = Duration.ofMillis(300);

  /** Each cut and the link after it take no more than that. */
  private static final Duration SLOWEST_CUT = BETWEEN_CUTS.multipliedBy(5);

  private static final long ENOUGH_CALLS = 100;

  /** Of the agent: stubs of objects of the client name the gateway before they cross. */
  static final String WHOLE_JVM = ",callbacks-hostname=jvm";

  static final String CALLBACKS =
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

  Path directory;
  InsideHosts hosts;
  String registryPort;
  private ChildJvm server;

  @BeforeEach
  void startServer() throws Exception {
    directory = BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime()));
    Files.createDirectories(directory);
    hosts = InsideHosts.ofAllTests();
    server =
        ChildJvm.named("tally", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx192m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(TallyServer.class))
            .reusable()
            .main(TallyServer.class.getName())
            .start();
    registryPort = server.awaitLine(Pattern.compile("^tally ready (\\d+)$"), SOON).group(1);
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  static Duration lasting(int seconds) {
    return Duration.ofSeconds(Integer.getInteger("rmigate.cuts.seconds", seconds));
  }

  static Duration lasting(GatewayKind kind) {
    return kind == GatewayKind.STANDALONE ? LASTING : LASTING_IN_CONTAINERS;
  }

  /** Returns how often. */
  static int cutAgainAndAgain(TroubledRelay relay, Duration lasting) throws InterruptedException {
    long end = System.nanoTime() + lasting.toNanos();
    int cuts = 0;
    while (System.nanoTime() - end < 0) {
      int connections = relay.connections();
      Thread.sleep(BETWEEN_CUTS.toMillis()); // the fault's own rhythm, nothing waits for it
      relay.reset();
      cuts++;
      await().atMost(SOON).until(() -> relay.connections() > connections);
    }
    System.out.println(cuts + " cuts");
    assertThat(cuts).as("cuts").isGreaterThanOrEqualTo((int) lasting.dividedBy(SLOWEST_CUT));
    return cuts;
  }

  final void awaitMoreCalls() throws InterruptedException {
    long before = executed();
    await().atMost(SOON).until(() -> executed() > before + ENOUGH_CALLS);
  }

  final long executed() throws InterruptedException {
    return Long.parseLong(server.ask("", TALLY, SOON).group(1));
  }

  final void assertNothingWasLost(ChildJvm client) throws InterruptedException {
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

  final GatewayUnderTest start(GatewayKind kind) throws Exception {
    return start(kind, "");
  }

  final GatewayUnderTest start(GatewayKind kind, String ofAllowance) throws Exception {
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

  /**
   * With the javaagent.
   *
   * @param port of the relay before the gateway
   * @param more arguments of the agent
   */
  final ChildJvm client(URI gateway, int port, String more) throws Exception {
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
