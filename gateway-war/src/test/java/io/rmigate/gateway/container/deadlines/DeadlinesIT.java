package io.rmigate.gateway.container.deadlines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.TroubledRelay;
import io.rmigate.testing.Patience;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.ConnectIOException;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client with the javaagent, a gateway and a server, each in a JVM of its own: whichever part
 * hangs, the call fails at its deadline and says what it was waiting for.
 */
@ExtendWith(LeftoverCheck.class)
class DeadlinesIT {
  private static final Duration SOON = Patience.PATIENCE;

  /** Enough for a call to arrive on a machine that is busy. */
  private static final int BOUND_MILLIS = 4_000;

  private Path directory;
  private InsideHosts hosts;
  private ChildJvm server;
  private String registry;
  private OpenGateway gateway;
  private ChildJvm client;
  private TroubledRelay relay;

  /** Begun so far. */
  private int calls;

  @BeforeEach
  void start() throws Exception {
    directory = BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime()));
    Files.createDirectories(directory);
    hosts = InsideHosts.ofAllTests();
    server =
        ChildJvm.named("hanging", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx64m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(HangingServer.class))
            .reusable()
            .main(HangingServer.class.getName())
            .start();
    registry = server.awaitLine(Pattern.compile("^hanging ready (\\d+)$"), SOON).group(1);
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            "calls: {hung-after: 1s}",
            OpenGateway.targets(InsideHosts.INSIDE + ":*"));
    relay = TroubledRelay.to(gateway.port());
  }

  /**
   * Has looked up what hangs.
   *
   * @param more arguments of the javaagent
   */
  private void startClient(String more) throws InterruptedException {
    client =
        ChildJvm.named("client", directory)
            .jvmOptions(
                hosts.outsideOption(),
                "-Xmx64m",
                "-javaagent:%s=http://127.0.0.1:%d/rmigate,tunnel=*:*,way=websocket%s"
                    .formatted(BuiltArtefacts.javaagent(), relay.port(), more))
            .classPath(BuiltArtefacts.codeSource(BoundedClient.class))
            .main(BoundedClient.class.getName())
            .arguments(InsideHosts.INSIDE, registry)
            .start();
    client.awaitLine(Pattern.compile("^ready$"), SOON);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : new AutoCloseable[] {client, gateway, server}) {
      if (each != null) {
        each.close();
      }
    }
    if (relay != null) {
      relay.close();
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsGivenUpAndItsCallIsListedWhileItHangs() throws Exception {
    startClient("");
    begin("hang " + 2 * BOUND_MILLIS);
    await().atMost(SOON).until(() -> gateway.metric("rmigate_calls_hung") == 1);
    JsonNode call = gateway.admin("calls").get(0);
    if (call != null) { // it may just have been given up on a machine that is very busy
      assertThat(call.get("state").asText()).isEqualTo("WAITING");
      assertThat(call.get("interfaces").asText()).isEqualTo(Hanging.class.getName());
      assertThat(call.get("target").asText()).startsWith(InsideHosts.INSIDE + ":");
      assertThat(call.get("operation").asInt()).isEqualTo(-1);
      assertThat(call.get("hung").asBoolean()).isTrue();
    }

    assertThat(outcome("hang"))
        .startsWith(UnmarshalException.class.getName() + " CallTimeoutException ANSWER ")
        .endsWith("may have been executed");
    await().atMost(SOON).until(() -> gateway.admin("calls").isEmpty());
    await()
        .atMost(SOON)
        .until(
            () -> gateway.connectionsToServers() <= 2); // to registry and object, none that hangs
    assertThat(gateway.get("/metrics"))
        .contains("rmigate_calls_timed_out_total{waited_for=\"answer\"} 1.0");
    begin("hung " + BOUND_MILLIS);
    assertThat(outcome("hung")).isEqualTo("1 executed");
  }

  @Test
  void aTargetThatNeverShakesHandsIsGivenUpAndWasNotCalled() throws Exception {
    startClient("");
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      begin("list " + 2 * BOUND_MILLIS + " " + mute.getLocalPort());
      assertThat(outcome("list"))
          .startsWith(ConnectIOException.class.getName() + " SocketTimeoutException ")
          .contains("waiting for the connection to the server")
          .endsWith("was not executed");
    }
    assertThat(gateway.get("/metrics"))
        .contains("rmigate_calls_timed_out_total{waited_for=\"connect\"} 1.0");
  }

  @Test
  void aFrozenLinkIsGivenUpToo() throws Exception {
    startClient("");
    relay.freeze();
    begin("hung " + BOUND_MILLIS);
    assertThat(outcome("hung"))
        .startsWith(UnmarshalException.class.getName() + " CallTimeoutException LINK ")
        .endsWith("may have been executed");
    relay.thaw();
    begin("hung " + SOON.toMillis());
    assertThat(outcome("hung")).isEqualTo("0 executed");
  }

  /** The stub comes as an answer of the agent's own, or in a Return over a stream. */
  @ParameterizedTest
  @CsvSource({"on, 1", "off, 0"})
  void aRuleForTheInterfaceOfALookedUpStubBoundsItsCalls(String lookups, long answered)
      throws Exception {
    startClient(
        ",lookups=%s,call-timeout=2m|*:*=3m|%s=%dms"
            .formatted(lookups, Hanging.class.getName(), BOUND_MILLIS));
    assertThat(gateway.metric("rmigate_lookups_asked_total")).isEqualTo(answered);

    begin("hang");

    assertThat(outcome("hang"))
        .startsWith(UnmarshalException.class.getName() + " CallTimeoutException ")
        .contains(" took longer than " + BOUND_MILLIS + " ms")
        .endsWith("may have been executed");
  }

  private void begin(String call) throws InterruptedException {
    calls++;
    client.ask(call, Pattern.compile("^calling$"), SOON);
  }

  /** Of the call that was begun last. */
  private String outcome(String word) throws InterruptedException {
    Pattern did = Pattern.compile("^did " + calls + " " + word + " (.*)$");
    return client.awaitLine(did, SOON).group(1);
  }
}
