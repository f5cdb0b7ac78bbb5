package io.rmigate.gateway.container.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.Patience;
import io.rmigate.testing.Tier;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * OpenTelemetry's agent at both ends. Jars say which methods there are at the gateway, and those of
 * the agent's calls are not among them.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class TracesIT {
  private static final int CALLS = 3;

  /** Name of the span, trace, span, kind. */
  private static final Pattern SPAN =
      Pattern.compile(
          "'\\S*(?:Orders|OrdersServer)/place' : (\\p{XDigit}{32}) \\p{XDigit}{16} (\\w+)");

  private static Path directory;
  private static InsideHosts hosts;
  private static OpenGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    directory = BuiltArtefacts.workDirectory(TracesIT.class);
    hosts = InsideHosts.ofAllTests();
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"), hosts, OpenGateway.targets(InsideHosts.INSIDE + ":*"));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static String[] traced(String versionProperty) {
    Path agent =
        Path.of(
            System.getProperty("rmigate.test.trace.agents"),
            "opentelemetry-javaagent-" + System.getProperty(versionProperty) + ".jar");
    return new String[] {
      "-javaagent:" + agent,
      "-Dotel.traces.exporter=logging",
      "-Dotel.metrics.exporter=none",
      "-Dotel.logs.exporter=none",
      "-Dotel.bsp.schedule.delay=50"
    };
  }

  private static String tunnel() {
    return "-javaagent:"
        + BuiltArtefacts.javaagent()
        + "="
        + gateway.uri()
        + ",way=websocket,tunnel="
        + InsideHosts.INSIDE
        + ":*";
  }

  private static ChildJvm.Builder jvm(String name, Class<?> main) {
    return ChildJvm.named(name, directory)
        .jvmOptions("-Xmx160m")
        .classPath(
            BuiltArtefacts.codeSource(main),
            BuiltArtefacts.codeSource(Tier.class),
            BuiltArtefacts.codeSource(io.rmigate.protocol.LogText.class))
        .main(main.getName());
  }

  private static ChildJvm server(String version) {
    return jvm("server", OrdersServer.class)
        .jvmOptions(traced(version))
        .jvmOptions(hosts.insideOption())
        .property("java.rmi.server.hostname", InsideHosts.INSIDE)
        .start();
  }

  private static String port(ChildJvm server) throws InterruptedException {
    return server.awaitLine(Pattern.compile("^orders at (\\d+)$"), Patience.PATIENCE).group(1);
  }

  private static List<MatchResult> spans(ChildJvm jvm, String kind) {
    return jvm.output().stream()
        .flatMap(line -> Stream.of(SPAN.matcher(line)).filter(Matcher::find))
        .map(Matcher::toMatchResult)
        .filter(span -> span.group(2).equals(kind))
        .toList();
  }

  private static List<String> traces(ChildJvm jvm, String kind) {
    return spans(jvm, kind).stream().map(span -> span.group(1)).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rmigate.test.trace.agent", "rmigate.test.trace.agent.old"})
  void spansOfClientAndServerAreInOneTrace(String version) throws Exception {
    try (ChildJvm server = server(version);
        ChildJvm client =
            jvm("client", OrdersClient.class)
                .jvmOptions(traced(version))
                .jvmOptions(tunnel(), hosts.outsideOption())
                .arguments(InsideHosts.INSIDE, port(server), Integer.toString(CALLS))
                .start()) {
      assertThat(client.awaitExit(Patience.PATIENCE)).isZero();
      assertThat(client.output()).contains("placed order 0", "placed order 2", "bye");
      Patience.await().until(() -> spans(server, "SERVER").size() == CALLS);
      assertThat(traces(client, "CLIENT")).hasSize(CALLS).doesNotHaveDuplicates();
      assertThat(traces(server, "SERVER"))
          .containsExactlyInAnyOrderElementsOf(traces(client, "CLIENT"));
    }
  }

  /** CVE-2026-33701: agents of that time deserialize any object in the context. */
  @Test
  void aForgedContextReachesNoAgent() throws Exception {
    String fired = "the bait was deserialized";
    try (ChildJvm server = server("rmigate.test.trace.agent.old")) {
      String port = port(server);
      String refusal = forge("tunnelled", port, tunnel(), hosts.outsideOption());
      assertThat(refusal).contains("not permitted by the gateway's policy");
      assertThat(server.output()).noneMatch(line -> line.contains(fired));
      assertThat(gateway.jvm().output())
          .anyMatch(
              line -> line.contains("trace context of OpenTelemetry with " + Bait.class.getName()));

      assertThat(forge("direct", port, hosts.insideOption())).isIn("returned", "closed");
      server.awaitLine(Pattern.compile("^" + fired + "$"), Patience.PATIENCE);
    }
  }

  /** What came back to a forged context; orders are placed all the same. */
  private static String forge(String name, String port, String... options) throws Exception {
    try (ChildJvm client =
        jvm(name, ForgedContext.class)
            .jvmOptions(options)
            .arguments(InsideHosts.INSIDE, port)
            .start()) {
      String answer =
          client.awaitLine(Pattern.compile("^forged: (.*)$"), Patience.PATIENCE).group(1);
      client.awaitLine(Pattern.compile("^placed order$"), Patience.PATIENCE);
      assertThat(client.awaitExit(Patience.PATIENCE)).isZero();
      return answer;
    }
  }
}
