package io.rmigate.gateway.container.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.TroubledRelay;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of calls and references when gateways are killed or stopped. Policy names the
 * server's registry only, so that everything else is reached by what sessions have learnt.
 */
@ExtendWith(LeftoverCheck.class)
class GoneGatewaysIT {
  private static final Duration SOON = Patience.PATIENCE;

  /** From the restart of the only gateway on. */
  private static final Duration HEARD_AFTER_RESTART = Duration.ofSeconds(15);

  /** From the death of one of two on. */
  private static final Duration HEARD_WITH_ANOTHER = Duration.ofSeconds(10);

  private static final int IN_FLIGHT = 200;
  private static final int LATE = 20;
  private static final int RESTARTS = 3;
  private static final int STUBS = 20;
  private static final int ENOUGH_CALLS = 200;
  private static final Pattern BEGUN = Pattern.compile("^begun$");
  private static final Pattern HEARD = Pattern.compile("^heard (\\d+) (\\d+) (\\d+)$");
  private static final Pattern USED = Pattern.compile("^used (\\d+) (\\d+)$");
  private static final Pattern DONE = Pattern.compile("^done (\\d+) (\\d+) (\\d+)$");
  private static final Pattern TALLY = Pattern.compile("^tally (\\d+) (\\d+) (\\d+)$");
  private static final Pattern LOST = Pattern.compile("link lost, resuming");

  private Path directory;
  private InsideHosts hosts;
  private Path keys;
  private int registryPort;
  private ChildJvm server;
  private OpenGateway one;
  private OpenGateway two;
  private ChildJvm client;

  @BeforeEach
  void startServer() throws Exception {
    directory = BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime()));
    Files.createDirectories(directory);
    hosts = InsideHosts.ofAllTests();
    keys = directory.resolve("grants.keys");
    Files.writeString(keys, Base64.getEncoder().encodeToString(new byte[32]) + "\n");
    registryPort = LoopbackPort.free();
    server =
        ChildJvm.named("ledger", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx192m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(LedgerServer.class))
            .reusable()
            .main(LedgerServer.class.getName())
            .arguments(Integer.toString(registryPort), Integer.toString(LoopbackPort.free()))
            .start();
    server.awaitLine(Pattern.compile("^ledger ready$"), SOON);
    one = gateway("one");
  }

  @AfterEach
  void stopEverything() {
    for (AutoCloseable each : new AutoCloseable[] {client, one, two, server}) {
      try {
        if (each != null) {
          each.close();
        }
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private OpenGateway gateway(String name) throws IOException, InterruptedException {
    return OpenGateway.start(
        directory.resolve(name),
        hosts,
        "grants: {key-file: '" + keys + "'}",
        OpenGateway.targets(InsideHosts.INSIDE + ":" + registryPort));
  }

  private void startClient(String gateways) throws Exception {
    startClient(gateways, "websocket");
  }

  /** A client that holds stubs. */
  private void startClient(String gateways, String way) throws Exception {
    client =
        ChildJvm.named("client", directory)
            .agentLogsInfo()
            .jvmOptions(
                hosts.outsideOption(),
                "-Xmx192m",
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + gateways
                    + ",tunnel=*:*,way="
                    + way)
            .classPath(BuiltArtefacts.codeSource(LedgerClient.class))
            .main(LedgerClient.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(registryPort), "1")
            .start();
    client.awaitLine(Pattern.compile("^ready$"), SOON);
    client.ask("take " + STUBS, Pattern.compile("^taken$"), SOON);
  }

  /** What the client holds it may call at another gateway. */
  private void awaitGranted() {
    await()
        .atMost(SOON)
        .until(() -> one.metric("rmigate_grants_objects_total") == STUBS + 1); // and the ledger
  }

  private void holdCalls() throws InterruptedException {
    client.ask("hold " + IN_FLIGHT, BEGUN, SOON);
    await().atMost(SOON).until(() -> tally(3) == IN_FLIGHT);
  }

  private long tally(int group) throws InterruptedException {
    return Long.parseLong(server.ask("tally", TALLY, SOON).group(group));
  }

  private void assertHeard(int returned, int possiblyExecuted, Duration within, long sinceNanos)
      throws InterruptedException {
    Matcher heard = client.ask("heard", HEARD, SOON);
    Duration took = Duration.ofNanos(System.nanoTime() - sinceNanos);
    System.out.println("callers have heard within " + took.toMillis() + " ms");
    assertThat(heard.group(3)).as("other exceptions").isEqualTo("0");
    assertThat(heard.group(2)).as("possibly executed").isEqualTo("" + possiblyExecuted);
    assertThat(heard.group(1)).as("returned").isEqualTo("" + returned);
    assertThat(took).isLessThan(within);
  }

  private void assertAllStubsWork() throws InterruptedException {
    Matcher used = client.ask("use", USED, SOON);
    assertThat(used.group(1)).isEqualTo("" + STUBS);
    assertThat(used.group(2)).as("exceptions").isEqualTo("0");
  }

  private void assertExecutedOnce(int calls) throws InterruptedException {
    server.ask("letgo", TALLY, SOON);
    await().atMost(SOON).until(() -> tally(3) == 0);
    Matcher tally = server.ask("tally", TALLY, SOON);
    assertThat(tally.group(1)).as("executed").isEqualTo("" + calls);
    assertThat(tally.group(2)).as("executed more than once").isEqualTo("0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "post"})
  void callersHearOfAKilledGatewaySoonAfterItsRestartAndNothingRunsTwice(String way)
      throws Exception {
    startClient(one.uri().toString(), way);
    awaitGranted();
    holdCalls();

    one.kill();
    client.awaitLine(LOST, SOON);
    client.ask("call " + LATE, BEGUN, SOON); // of these certainly nothing has left
    one.startAgain();
    long restarted = System.nanoTime();

    assertHeard(LATE, IN_FLIGHT, HEARD_AFTER_RESTART, restarted);
    assertAllStubsWork();
    assertExecutedOnce(IN_FLIGHT + LATE + STUBS);
  }

  @Test
  void callersHearOfAKilledGatewayAtOnceWhenThereIsAnother() throws Exception {
    two = gateway("two");
    startClient(one.uri() + "|" + two.uri());
    awaitGranted();
    holdCalls();
    assertThat(two.metric("rmigate_sessions")).isZero();

    long killed = one.kill();

    assertHeard(0, IN_FLIGHT, HEARD_WITH_ANOTHER, killed);
    assertAllStubsWork();
    assertThat(two.metric("rmigate_grants_accepted_total")).isPositive();
    await().atMost(SOON).until(() -> two.metric("rmigate_leases") >= STUBS);
    assertExecutedOnce(IN_FLIGHT + STUBS);
    one.startAgain(); // removes what the killed one has left
  }

  /** The other one calls an object only because it was given, and believes the first one that. */
  @Test
  void whatAKilledGatewayHasSeenHandedOutMayBeCalledAtAnother() throws Exception {
    two = gateway("two");
    startClient(one.uri() + "|" + two.uri());
    awaitGranted();
    one.kill();
    client.awaitLine(LOST, SOON);
    assertAllStubsWork();
    assertThat(two.metric("rmigate_grants_accepted_total")).isGreaterThanOrEqualTo(2);
    one.startAgain(); // removes what the killed one has left
  }

  @Test
  void lostLinkIsResumedAtItsGatewayAlthoughThereIsAnother() throws Exception {
    two = gateway("two");
    try (TroubledRelay relay = TroubledRelay.to(one.port())) {
      startClient("http://127.0.0.1:" + relay.port() + "/rmigate|" + two.uri());
      client.ask("go", BEGUN, SOON);
      for (int cut = 0; cut < 5; cut++) {
        awaitMoreCalls();
        int connections = relay.connections();
        relay.reset();
        await().atMost(SOON).until(() -> relay.connections() > connections);
      }
      awaitMoreCalls();

      assertNothingWasLost();
      assertThat(one.metric("rmigate_sessions_resumed_total")).isGreaterThanOrEqualTo(5);
      assertThat(two.metric("rmigate_sessions")).isZero();
    }
  }

  @Test
  void restartOfOneGatewayAfterTheOtherLosesNoCall() throws Exception {
    two = gateway("two");
    startClient(one.uri() + "|" + two.uri());
    client.ask("go", BEGUN, SOON);
    for (OpenGateway each : new OpenGateway[] {one, two, one, two}) {
      awaitMoreCalls();
      each.stop();
      awaitMoreCalls(); // at the other one
      each.startAgain();
    }
    awaitMoreCalls();

    assertNothingWasLost();
    assertAllStubsWork();
  }

  @ParameterizedTest
  @Tag(Tier.FULL)
  @ValueSource(strings = {"websocket", "post"})
  void restartOfTheOnlyGatewayLosesNoCall(String way) throws Exception {
    startClient(one.uri().toString(), way);
    client.ask("go", BEGUN, SOON);
    for (int restart = 0; restart < RESTARTS; restart++) {
      awaitMoreCalls();
      one.stop();
      one.startAgain();
    }
    awaitMoreCalls();

    assertNothingWasLost();
    assertAllStubsWork();
  }

  private void awaitMoreCalls() throws InterruptedException {
    AtomicLong before = new AtomicLong(tally(1));
    await().atMost(SOON).until(() -> tally(1) > before.get() + ENOUGH_CALLS);
  }

  private void assertNothingWasLost() throws InterruptedException {
    Matcher done = client.ask("stop", DONE, SOON);
    assertThat(done.group(2)).as("exceptions").isEqualTo("0");
    assertThat(done.group(3)).as("wrong answers").isEqualTo("0");
    Matcher tally = server.ask("tally", TALLY, SOON);
    assertThat(tally.group(1)).as("executed").isEqualTo(done.group(1));
    assertThat(tally.group(2)).as("executed more than once").isEqualTo("0");
  }
}
