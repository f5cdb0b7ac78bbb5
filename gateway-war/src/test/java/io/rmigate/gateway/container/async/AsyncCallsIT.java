package io.rmigate.gateway.container.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.TroubledRelay;
import io.rmigate.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A client with the javaagent, a gateway and a server without code of ours, each in a JVM of its
 * own. The client makes calls for whose results no thread waits.
 */
@ExtendWith(LeftoverCheck.class)
class AsyncCallsIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final Pattern DID = Pattern.compile("^did (.*)$");

  private Path directory;
  private InsideHosts hosts;
  private ChildJvm server;
  private String registry;
  private OpenGateway gateway;
  private TroubledRelay relay;
  private ChildJvm client;

  @BeforeEach
  void startServer() throws Exception {
    directory = BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime()));
    Files.createDirectories(directory);
    hosts = InsideHosts.ofAllTests();
    server =
        ChildJvm.named("desk", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx128m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(DeskServer.class))
            .reusable()
            .main(DeskServer.class.getName())
            .start();
    registry = server.awaitLine(Pattern.compile("^desk ready (\\d+)$"), SOON).group(1);
  }

  private void startTunnelled() throws Exception {
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            """
            callbacks:
              address: 127.0.0.1
              host: %s
              from: ['127.0.0.1']
              allow:
                - principals: ['*']
            """
                .formatted(InsideHosts.INSIDE),
            OpenGateway.targets(InsideHosts.INSIDE + ":*"));
    relay = TroubledRelay.to(gateway.port());
    client =
        client(
            hosts.outsideOption(),
            "-javaagent:%s=http://127.0.0.1:%d/rmigate,tunnel=*:*,way=websocket"
                .formatted(BuiltArtefacts.javaagent(), relay.port()));
  }

  private ChildJvm client(String... options) throws Exception {
    ChildJvm started =
        ChildJvm.named("client", directory)
            .jvmOptions(options)
            .jvmOptions("-Xmx128m")
            .classPath(BuiltArtefacts.codeSource(DeskClient.class), BuiltArtefacts.javaagent())
            .main(DeskClient.class.getName())
            .arguments(InsideHosts.INSIDE, registry)
            .start();
    started.awaitLine(Pattern.compile("^ready$"), SOON);
    return started;
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : new AutoCloseable[] {client, relay, gateway, server}) {
      if (each != null) {
        each.close();
      }
    }
  }

  private String ask(String line) throws InterruptedException {
    return client.ask(line, DID, SOON).group(1);
  }

  @Test
  void callsThroughTheGatewayAreMadeWithoutAThreadForEach() throws Exception {
    startTunnelled();
    callsWork();
    assertThat(ask("hold 100")).as("at a time, few threads").isEqualTo("100 true true");
    assertThat(ask("hold 200")).as("at most 128 at a time").isEqualTo("128 true true");
    assertThat(ask("ring")).isEqualTo("rung twice");
    assertThat(ask("refused")).isEqualTo("ServerException AccessException false NOT_EXECUTED");
    assertThat(ask("timeout 1500"))
        .isEqualTo(
            "UnmarshalException CallTimeoutException false POSSIBLY_EXECUTED"
                + " ConnectIOException CallTimeoutException false NOT_EXECUTED early");
    assertThat(gateway.metric("rmigate_calls_timed_out_total{waited_for=\"answer\"}")).isOne();
    assertThat(ask("ahead 100")).as("executed when one row is wanted").isEqualTo("100 100");
    rowsComeInOrder(64);
  }

  @Test
  void callsPastTheGatewayWorkToo() throws Exception {
    client = client(hosts.insideOption());
    callsWork();
    assertThat(ask("timeout 1500"))
        .isEqualTo(
            "UnmarshalException CallTimeoutException false POSSIBLY_EXECUTED"
                + " ConnectIOException CallTimeoutException false NOT_EXECUTED early");
    rowsComeInOrder(1);
  }

  private void callsWork() throws Exception {
    assertThat(ask("values")).isEqualTo("-1.099511627786E12 true true EXECUTED");
    assertThat(ask("fail checked")).isEqualTo("FileNotFoundException - true EXECUTED");
    assertThat(ask("fail runtime")).isEqualTo("IllegalStateException - true EXECUTED");
    assertThat(ask("fail error")).isEqualTo("ServerError AssertionError false EXECUTED");
    assertThat(ask("fail remote")).isEqualTo("ServerException RemoteException false EXECUTED");
    assertThat(ask("unmarshallable"))
        .isEqualTo("MarshalException NotSerializableException false NOT_EXECUTED");
    assertThat(ask("lookup")).isEqualTo("looked up");
    assertThat(ask("open")).isEqualTo("left 1");
    assertThat(ask("gone")).isEqualTo("true NOT_EXECUTED");
    assertThat(ask("cancel"))
        .isEqualTo(
            "POSSIBLY_EXECUTED NOT_EXECUTED true NOT_EXECUTED"
                + " true POSSIBLY_EXECUTED true false EXECUTED");
  }

  /** The cursor is not asked behind its end. */
  private void rowsComeInOrder(int ahead) throws Exception {
    assertThat(ask("rows 2000 -1 9999")).isEqualTo("2000 null 2001");
    assertThat(ask("rows 0 -1 9999")).isEqualTo("0 null 1");
    assertThat(ask("rows 500 100 9999"))
        .isEqualTo("100 java.io.FileNotFoundException: row 100 101");
    Matcher closed = client.ask("rows 1000 -1 10", Pattern.compile("^did 10 null (\\d+)$"), SOON);
    assertThat(Integer.parseInt(closed.group(1))).isBetween(10, 10 + ahead);
  }

  @Test
  void eachCallIsExecutedOnceWhileTheLinkIsCutAgainAndAgain() throws Exception {
    startTunnelled();
    client.ask("count", Pattern.compile("^counting$"), SOON);
    for (int cuts = 0; cuts < 8; cuts++) {
      int connections = relay.connections();
      Thread.sleep(300); // the fault's own rhythm
      relay.reset();
      await().atMost(SOON).until(() -> relay.connections() > connections);
    }
    Matcher done = client.ask("stop", Pattern.compile("^did (\\d+) (\\d+) (\\d+) .*$"), SOON);
    System.out.println(done.group());
    assertThat(done.group(2)).as("failed").isEqualTo("0");
    assertThat(done.group(3)).as("wrong").isEqualTo("0");
    assertThat(Long.parseLong(done.group(1))).isGreaterThan(64);
    assertThat(ask("counted")).isEqualTo(done.group(1) + " 0");
    assertRowsSurviveCuts();
  }

  private void assertRowsSurviveCuts() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Thread cutter =
        new Thread(
            () -> {
              while (!over.get()) {
                relay.reset();
                LockSupport.parkNanos(Duration.ofMillis(300).toNanos()); // the fault's own rhythm
              }
            });
    cutter.start();
    try {
      assertThat(ask("rows 5000 -1 9999")).isEqualTo("5000 null 5001");
    } finally {
      over.set(true);
      cutter.join();
    }
  }
}
