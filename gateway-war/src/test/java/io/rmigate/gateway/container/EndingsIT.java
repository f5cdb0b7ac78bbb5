package io.rmigate.gateway.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * However an end comes, nothing hangs and nothing is left: sessions, streams, connections to the
 * server and threads are counted, with eight calls in flight each time.
 */
@ExtendWith(LeftoverCheck.class)
class EndingsIT {
  /** States as the kernel writes them. */
  private static final String ESTABLISHED = "01";

  private static final String CLOSE_WAIT = "08";

  private static final Duration SOON = Patience.PATIENCE;

  /** Of a connection, until the client's RMI runtime closes it; 15 s by default. */
  private static final int IDLE_MILLIS = 2_000;

  private static final Pattern CALLING = Pattern.compile("^calling 8$");
  private static final Pattern THREADS = Pattern.compile("^threads (\\d+)$");
  private static final Pattern AGAIN = Pattern.compile("^again (.*)$");

  private Path directory;
  private InsideServers servers;
  private GatewaySetup setup;
  private GatewayUnderTest gateway;
  private ChildJvm client;
  private long connectionsBefore;

  @BeforeEach
  void startEverything() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    InsideHosts hosts = InsideHosts.ofAllTests();
    servers = InsideServers.start(directory, hosts);
    setup =
        new GatewaySetup(
                Files.createDirectories(directory.resolve("gateway")),
                Optional.empty(),
                hosts,
                List.of(InsideHosts.INSIDE + ":*"),
                List.of("-Xmx96m"))
            .asPacked();
    gateway = GatewayKind.STANDALONE.start(setup);
    connectionsBefore = connectionsToServer();
    client =
        ChildJvm.named("caller", directory)
            .jvmOptions(
                hosts.outsideOption(),
                "-Dsun.rmi.transport.connectionTimeout=" + IDLE_MILLIS,
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + gateway.uri()
                    + ",tunnel=*:*,way=websocket")
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(LongCaller.class))
            .main(LongCaller.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(servers.samplePort()))
            .start();
    client.awaitLine(CALLING, SOON);
  }

  @AfterEach
  void stopEverything() throws Exception {
    client.close();
    gateway.close();
    servers.close();
  }

  @Test
  void aClosedClientLeavesNothingAtTheGateway() throws Exception {
    assertThat(metric("rmigate_sessions")).isEqualTo(1);
    assertThat(connectionsToServer()).isGreaterThanOrEqualTo(connectionsBefore + 8);
    int threads = gatewayThreads();
    client.ask("threads", THREADS, SOON);
    client.ask("exit", Pattern.compile("^bye$"), SOON);
    assertThat(client.awaitExit(SOON)).isZero();
    assertNothingIsLeftAtTheGateway(threads);
  }

  @Test
  void aKilledClientLeavesNothingAtTheGateway() throws Exception {
    int threads = gatewayThreads();
    client.kill();
    assertNothingIsLeftAtTheGateway(threads);
  }

  @Test
  void aKilledGatewayFailsTheCallsInFlightAndLeavesNothingAtTheClientOrTheServer()
      throws Exception {
    gateway.jvm().kill();
    awaitFailures("java.rmi.UnmarshalException");
    await().atMost(SOON).until(() -> connectionsToServer() <= connectionsBefore);
    // One thread tries to reach a gateway: the client still holds references.
    await().atMost(SOON).until(() -> clientThreads() <= 1);
    Matcher again = client.ask("again", AGAIN, SOON.multipliedBy(2));
    assertThat(again.group(1)).isEqualTo("failed java.rmi.ConnectException");
    client.ask("exit", Pattern.compile("^bye$"), SOON);
    assertThat(client.awaitExit(SOON)).isZero();

    // What a killed gateway could not tidy up itself the next one does: LeftoverCheck looks.
    gateway.close();
    gateway = GatewayKind.STANDALONE.start(setup);
  }

  @Test
  void aKilledServerFailsTheCallsInFlightAndSparesTheSession() throws Exception {
    servers.sample().kill();
    awaitFailures("java.rmi.UnmarshalException");
    Matcher again = client.ask("again", AGAIN, SOON);
    assertThat(again.group(1)).isEqualTo("failed java.rmi.ConnectException");
    assertThat(metric("rmigate_sessions")).isEqualTo(1);
    await().atMost(SOON).until(() -> sockets(gateway.jvm(), CLOSE_WAIT) == 0);
    await().atMost(SOON).until(() -> metric("rmigate_streams") == 0);
  }

  private void awaitFailures(String exception) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(client.output())
                    .filteredOn(line -> line.startsWith("failed "))
                    .hasSize(8)
                    .containsOnly("failed " + exception));
  }

  private void assertNothingIsLeftAtTheGateway(int threadsBefore) {
    await().atMost(SOON).until(() -> metric("rmigate_sessions") == 0);
    await().atMost(SOON).until(() -> metric("rmigate_streams") == 0);
    await().atMost(SOON).until(() -> connectionsToServer() <= connectionsBefore);
    await().atMost(SOON).until(() -> gatewayThreads() <= threadsBefore);
  }

  private long clientThreads() throws InterruptedException {
    return Long.parseLong(client.ask("threads", THREADS, SOON).group(1));
  }

  /** Threads of the gateway but those of the container's pool, which it keeps at its pleasure. */
  private int gatewayThreads() {
    return (int)
        gateway
            .jvm()
            .threadDump()
            .lines()
            .filter(line -> line.startsWith("\"") && !line.startsWith("\"rmigate-http"))
            .filter(line -> line.contains("rmigate"))
            .count();
  }

  private long metric(String name) throws IOException, InterruptedException {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(gateway.uri() + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString());
    return response
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private long connectionsToServer() throws IOException {
    return sockets(servers.sample(), ESTABLISHED); // a busy server keeps half-closed ones
  }

  /** TCP sockets of a process in this state, by the kernel's list. */
  private static long sockets(ChildJvm jvm, String state) throws IOException {
    Set<String> inodes = new HashSet<>();
    Path descriptors = Path.of("/proc", Long.toString(jvm.pid()), "fd");
    if (!Files.isDirectory(descriptors)) {
      return 0; // the process has gone, and its sockets with it
    }
    try (Stream<Path> links = Files.list(descriptors)) {
      for (Path link : links.toList()) {
        try {
          String target = Files.readSymbolicLink(link).toString();
          if (target.startsWith("socket:[")) {
            inodes.add(target.substring(8, target.length() - 1));
          }
        } catch (NoSuchFileException closedMeanwhile) {
          inodes.remove(link.toString()); // not one of them any more
        }
      }
    }
    long count = 0;
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      try (Stream<String> lines = Files.lines(Path.of(table))) {
        count +=
            lines
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> inodes.contains(fields[9]))
                .filter(fields -> state.equals(fields[3]))
                .count();
      }
    }
    return count;
  }
}
