package io.rmigate.gateway.container.callbacks;

import static io.rmigate.gateway.container.callbacks.BellBed.SOON;
import static io.rmigate.gateway.container.callbacks.BellBed.ask;
import static io.rmigate.gateway.container.callbacks.BellBed.awaitUnreferenced;
import static io.rmigate.gateway.container.callbacks.BellBed.hang;
import static io.rmigate.gateway.container.callbacks.BellBed.metric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stock JVMs on both sides, the client's with the javaagent. Both collect garbage several times a
 * second; nothing in the client's JVM holds what it exports.
 */
@ExtendWith(LeftoverCheck.class)
class CallbacksIT {
  private static final String[] HOSTNAMES = {"references", "jvm"};

  private Path directory;
  private BellBed bed;
  private GatewayUnderTest gateway;
  private ChildJvm tower;

  @BeforeEach
  void startTower(TestInfo test) throws Exception {
    directory =
        Files.createDirectories(
            BuiltArtefacts.workDirectory(getClass())
                .resolve(test.getTestMethod().orElseThrow().getName())
                .resolve(Long.toString(System.nanoTime()))); // parameters make several
    bed = new BellBed(directory);
    tower = bed.tower();
  }

  @AfterEach
  void stopEverything() throws Exception {
    bed.close();
    if (gateway != null && gateway.jvm().isAlive()) {
      gateway.close();
    }
  }

  private GatewaySetup start(GatewayKind kind, String... callbacks) throws Exception {
    GatewaySetup setup =
        new GatewaySetup(
            Files.createDirectories(directory.resolve("gateway")),
            Optional.empty(),
            bed.hosts(),
            List.of(InsideHosts.INSIDE + ":*"),
            List.of("-Xmx192m"),
            bed.callbacks(callbacks),
            0);
    gateway = kind.start(setup);
    return setup;
  }

  /** Each kind of gateway, with the hostname in references and in the whole JVM. */
  static Stream<Arguments> kindsAndHostnames() {
    return GatewayKind.kindsOfThisTier()
        .flatMap(kind -> Stream.of(HOSTNAMES).map(hostname -> Arguments.of(kind, hostname)));
  }

  @ParameterizedTest
  @MethodSource("kindsAndHostnames")
  void serverCallsAnObjectOfAClientAndItsTrueAddressIsSeen(GatewayKind kind, String hostname)
      throws Exception {
    start(kind);
    ChildJvm client = bed.client(gateway.uri() + ",stats=off,callbacks-hostname=" + hostname);
    hang(client, "great");

    assertThat(ask(client, "ring great")).isEqualTo("great rung by " + bed.ringer());
    assertThat(ask(tower, "ring great")).isEqualTo("great rung by " + bed.ringer());
    assertThat(ask(client, "own great")).isEqualTo("the same, great rung by 127.0.0.1");

    ask(client, "take great");
    awaitUnreferenced(client, "great");
    await().atMost(SOON).until(() -> metric(gateway, "rmigate_callbacks_objects") == 0);
  }

  /** Whether the gateway is there or not, and whether anything has crossed. */
  @Test
  void whatIsLocalStaysLocal() throws Exception {
    start(GatewayKind.STANDALONE);
    int port = LoopbackPort.free(); // for which the gateway does not listen
    ChildJvm client = bed.client(gateway.uri() + ",stats=off,export=0|" + port);
    String read = ask(client, "attach");
    assertThat(read).contains("Java");
    assertThat(ask(client, "registry " + port)).isEqualTo("own rung by 127.0.0.1");

    hang(client, "great");
    assertThat(ask(client, "attach")).isEqualTo(read);
    assertThat(ask(tower, "ring great")).startsWith("great rung");

    gateway.jvm().kill();
    assertThat(ask(client, "attach")).isEqualTo(read);
  }

  @Test
  void aCallThatAHostileServerHidesInAnotherIsNotExecuted() throws Exception {
    start(GatewayKind.STANDALONE);
    ChildJvm client = bed.client(gateway.uri());
    hang(client, "great");
    hang(client, "small");

    assertThat(ask(tower, "hide great small"))
        .isEqualTo("great rung by %1$s, great rung by %1$s".formatted(bed.ringer()));

    assertThat(client.output()).contains("rung great").doesNotContain("rung small");
    assertThat(ask(tower, "ring small")).startsWith("small rung");
  }

  @Test
  void referencesAreHeldInsideForAsLongAsTheirServerLives() throws Exception {
    start(GatewayKind.STANDALONE, "lease: 2s");
    ChildJvm client = bed.client(gateway.uri());
    hang(client, "great");
    hang(client, "small");
    long answered = metric(gateway, "rmigate_callbacks_answered_total");
    // Renewals at half of the lease, with or without a Ping: several leases go by.
    await()
        .atMost(SOON)
        .until(() -> metric(gateway, "rmigate_callbacks_answered_total") > answered + 10);
    assertThat(client.output()).noneMatch(line -> line.startsWith("unreferenced"));
    assertThat(ask(tower, "ring small")).startsWith("small rung");

    tower.kill();

    awaitUnreferenced(client, "great");
    awaitUnreferenced(client, "small");
  }

  @Test
  void killedClientsPortIsFreedAfterTheGrace() throws Exception {
    start(GatewayKind.STANDALONE);
    ChildJvm client = bed.client(gateway.uri());
    hang(client, "great");
    assertThat(ask(tower, "ring great")).startsWith("great rung");

    client.kill();

    await().atMost(SOON).until(() -> metric(gateway, "rmigate_callbacks_listeners") == 0);
    assertThat(ask(tower, "ring great")).startsWith("failed with ");
    assertThat(metric(gateway, "rmigate_callbacks_connections")).isZero();
    assertThat(metric(gateway, "rmigate_callbacks_objects")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "post"})
  void referencesOutliveAKilledGateway(String way) throws Exception {
    outliveAKilledGateway(way);
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "post"})
  @Tag(Tier.FULL)
  void referencesOfTheWholeJvmOutliveAKilledGateway(String way) throws Exception {
    outliveAKilledGateway(way + ",callbacks-hostname=jvm");
  }

  private void outliveAKilledGateway(String way) throws Exception {
    GatewaySetup setup = start(GatewayKind.STANDALONE, "lease: 4s");
    ChildJvm client = bed.client(gateway.uri() + ",stats=off,way=" + way);
    hang(client, "great");
    assertThat(ask(tower, "ring great")).startsWith("great rung");
    int port = gateway.uri().getPort();

    gateway.jvm().kill();
    gateway = GatewayKind.STANDALONE.start(setup.at(port));

    // The tower's next renewal is made to name what it holds.
    await().atMost(SOON).until(() -> metric(gateway, "rmigate_callbacks_objects") == 1);
    assertThat(ask(tower, "ring great")).startsWith("great rung");
    assertThat(client.output()).noneMatch(line -> line.startsWith("unreferenced"));
  }
}
