package io.rmigate.gateway.container.lookups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.sample.Everything;
import io.rmigate.sample.Hello;
import io.rmigate.sample.SampleServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lookups cost on the link, counted by a relay, and how soon a change inside is seen. */
@ExtendWith(LeftoverCheck.class)
class LookupsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final List<AutoCloseable> running = new ArrayList<>();
  private Path directory;
  private InsideHosts hosts;
  private GatewayUnderTest gateway;
  private CountingRelay relay;
  private int registryPort;

  @BeforeEach
  void startGateway() throws Exception {
    directory = BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime()));
    Files.createDirectories(directory.resolve("gateway"));
    hosts = InsideHosts.write(directory);
    gateway =
        GatewayKind.STANDALONE.start(
            new GatewaySetup(
                directory.resolve("gateway"),
                Optional.empty(),
                hosts,
                List.of(InsideHosts.INSIDE + ":*"),
                List.of("-Xmx96m")));
    running.add(gateway);
    relay = CountingRelay.to(gateway);
    running.add(relay);
  }

  @AfterEach
  void stopEverything() throws Exception {
    for (int i = running.size() - 1; i >= 0; i--) {
      running.get(i).close();
    }
  }

  @Test
  void aFirstResultTakesTwoRoundTripsAndARepeatedLookupNone() throws Exception {
    server(InsideHosts.INSIDE);
    ChildJvm client = client();
    assertThat(ask(client, "nobody")).isEqualTo("not bound"); // opens the link
    assertThat(trips(client, "hello", "Hello, World")).isEqualTo(2);
    for (int i = 0; i < 5; i++) {
      assertThat(trips(client, "look", "[Hello]")).isZero();
      assertThat(trips(client, "call", "Hello, World")).isEqualTo(1);
      assertThat(trips(client, "hello", "Hello, World")).isEqualTo(1);
    }
  }

  @Test
  void aRebindInsideIsSeenByAHeldCache() throws Exception {
    server(InsideHosts.INSIDE);
    ChildJvm client = client();
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    rebind();
    await().atMost(SOON).until(() -> ask(client, "look").equals("[Everything]"));
  }

  @Test
  void aServerThatHasGoneIsNotAnsweredForByTheCache() throws Exception {
    ChildJvm server = server(InsideHosts.INSIDE);
    ChildJvm client = client();
    assertThat(ask(client, "hello")).contains("World");
    server.kill();
    assertThat(ask(client, "call")).startsWith("failed");
    assertThat(ask(client, "look")).startsWith("failed java.rmi.ConnectException");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.1.1", "localhost", "box.nowhere.example"})
  void aServerThatDoesNotKnowItsNameIsCalledThroughTheGateway(String name) throws Exception {
    server(name);
    ChildJvm client = client();
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    assertThat(trips(client, "call", "Hello, World")).isEqualTo(1);
  }

  /** Listens at 127.0.0.1 only: what its stubs say leads nowhere, unless it is inside.example. */
  private ChildJvm server(String hostInStubs) throws Exception {
    ChildJvm server =
        ChildJvm.named("server", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx64m")
            .property("java.rmi.server.hostname", hostInStubs)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .main(SampleServer.class.getName())
            .arguments("--bind", "127.0.0.1")
            .start();
    running.add(server);
    registryPort =
        Integer.parseInt(server.awaitLine(Pattern.compile("^sample ready (\\d+)$"), SOON).group(1));
    return server;
  }

  private ChildJvm client() throws Exception {
    ChildJvm client =
        ChildJvm.named("client", directory)
            .jvmOptions(
                hosts.outsideOption(),
                // Measuring the link for compression would be counted too.
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + relay.uri(gateway)
                    + ",compression=off")
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(LookingClient.class))
            .main(LookingClient.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(registryPort))
            .start();
    running.add(client);
    client.awaitLine(Pattern.compile("^looking$"), SOON);
    return client;
  }

  private void rebind() throws Exception {
    try (ChildJvm rebinder =
        ChildJvm.named("rebinder", directory)
            .jvmOptions(hosts.insideOption())
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(Rebinder.class))
            .main(Rebinder.class.getName())
            .arguments(
                InsideHosts.INSIDE, Integer.toString(registryPort), Everything.NAME, Hello.NAME)
            .start()) {
      rebinder.awaitLine(Pattern.compile("^rebound$"), SOON);
    }
  }

  private static String ask(ChildJvm client, String what) throws InterruptedException {
    return client.ask(what, Pattern.compile("^did " + what + " (.*)$"), SOON).group(1);
  }

  /** Round trips on the link that it takes. */
  private long trips(ChildJvm client, String what, String answer) throws InterruptedException {
    CountingRelay.Counts before = relay.counts();
    assertThat(ask(client, what)).contains(answer);
    return relay.counts().since(before).roundTrips();
  }
}
