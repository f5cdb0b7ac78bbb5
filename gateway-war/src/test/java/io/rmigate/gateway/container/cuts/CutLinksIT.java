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
 * A session outlives its links: eight threads call without a pause while the link is cut, freezes
 * or dribbles. No call fails, each is executed once, and every answer is the right one.
 *
 * <p>{@code -Drmigate.cuts.seconds=120} makes it last.
 */
@ExtendWith(LeftoverCheck.class)
class CutLinksIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration LASTING =
      Duration.ofSeconds(Integer.getInteger("rmigate.cuts.seconds", 4));
  private static final Duration BETWEEN_CUTS = Duration.ofMillis(300);
  private static final long ENOUGH_CALLS = 100;
  private static final Pattern DONE = Pattern.compile("^done (\\d+) (\\d+) (\\d+)$");
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
        ChildJvm client = client(gateway, relay, "")) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      long end = System.nanoTime() + LASTING.toNanos();
      int cuts = 0;
      while (System.nanoTime() - end < 0) {
        int connections = relay.connections();
        Thread.sleep(BETWEEN_CUTS.toMillis()); // the fault's own rhythm, nothing waits for it
        relay.reset();
        cuts++;
        await().atMost(SOON).until(() -> relay.connections() > connections);
      }
      assertNothingWasLost(client);
      assertThat(relay.connections()).isGreaterThan(cuts);
    }
  }

  @Test
  void callsGoOnAfterTheLinkWasFrozen() throws Exception {
    try (GatewayUnderTest gateway = start(GatewayKind.STANDALONE);
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm client = client(gateway, relay, "")) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      relay.freeze();
      Thread.sleep(5_000); // as long as the fault lasts
      relay.thaw();
      awaitCalls();
      assertNothingWasLost(client);
    }
  }

  @Test
  void bytesInSlicesChangeNothingEvenWhenTheLinkIsCutBetweenThem() throws Exception {
    try (GatewayUnderTest gateway = start(GatewayKind.STANDALONE);
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm client = client(gateway, relay, ",compression=on")) {
      relay.slice(true);
      client.ask("go", Pattern.compile("^calling$"), SOON);
      for (int cut = 0; cut < 5; cut++) {
        Thread.sleep(BETWEEN_CUTS.toMillis());
        int connections = relay.connections();
        relay.reset();
        await().atMost(SOON).until(() -> relay.connections() > connections);
      }
      relay.slice(false);
      awaitCalls();
      assertNothingWasLost(client);
    }
  }

  private void awaitCalls() {
    await()
        .atMost(SOON)
        .until(() -> Long.parseLong(server.ask("", TALLY, SOON).group(1)) > ENOUGH_CALLS);
  }

  private void assertNothingWasLost(ChildJvm client) throws InterruptedException {
    Matcher done = client.ask("stop", DONE, SOON);
    assertThat(done.group(2)).as("exceptions").isEqualTo("0");
    assertThat(done.group(3)).as("wrong answers").isEqualTo("0");
    Matcher tally = server.ask("", TALLY, SOON);
    assertThat(tally.group(1)).as("executed").isEqualTo(done.group(1));
    assertThat(tally.group(2)).as("executed more than once").isEqualTo("0");
    assertThat(Long.parseLong(done.group(1))).isGreaterThan(ENOUGH_CALLS);
  }

  private GatewayUnderTest start(GatewayKind kind) throws Exception {
    return kind.start(
        new GatewaySetup(
            Files.createDirectories(directory.resolve("gateway")),
            Optional.empty(),
            hosts,
            List.of(InsideHosts.INSIDE + ":*"),
            List.of("-Xmx192m")));
  }

  private ChildJvm client(GatewayUnderTest gateway, TroubledRelay relay, String more)
      throws Exception {
    ChildJvm client =
        ChildJvm.named("client", directory)
            .jvmOptions(
                hosts.outsideOption(),
                "-Xmx192m",
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "=http://127.0.0.1:"
                    + relay.port()
                    + gateway.uri().getPath()
                    + ",tunnel=*:*"
                    + more)
            .classPath(BuiltArtefacts.codeSource(TallyClient.class))
            .main(TallyClient.class.getName())
            .arguments(InsideHosts.INSIDE, registryPort)
            .start();
    client.awaitLine(Pattern.compile("^ready$"), SOON);
    return client;
  }
}
