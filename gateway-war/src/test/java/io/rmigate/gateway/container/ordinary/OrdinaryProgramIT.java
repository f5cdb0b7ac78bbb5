package io.rmigate.gateway.container.ordinary;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.container.ordinary.ExpectedOutcomes.Outcome;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The calls of ordinary applications, each of its kind: without a gateway, through one that has
 * nothing but the jars of the interfaces, and by the rules that were learned from the program. The
 * table in {@code ordinary/kinds.txt} says what is refused, and why.
 */
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class OrdinaryProgramIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int AT_LEAST = 80;
  private static final String ARROW = " -> ";
  private static final String REFUSED = "the changed configuration is refused";

  /** Deep graphs need it at both ends, with a gateway and without. */
  private static final String STACK = "-Xss4m";

  private Path directory;
  private InsideHosts hosts;
  private ProgramJars jars;
  private String port;
  private ChildJvm server;
  private OpenGateway gateway;

  /** What the gateway's configuration says. */
  private String inForce;

  private ExpectedOutcomes expected;
  private Map<String, String> direct;
  private int clients;

  @BeforeAll
  void startServer() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    jars = new ProgramJars(directory.resolve("jars"));
    expected = ExpectedOutcomes.read();
    port = Integer.toString(LoopbackPort.free());
    server =
        program("server")
            .jvmOptions(hosts.insideOption())
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .main(OrdinaryServer.class.getName())
            .arguments(port, jars.plugin().toString())
            .start();
    server.awaitLine(Pattern.compile("^ordinary ready "), Patience.PATIENCE);
    direct = run(hosts.insideOption());
    inForce = settings("enforce");
    gateway = OpenGateway.start(directory.resolve("gateway"), hosts, inForce);
  }

  @AfterAll
  void stopEverything() {
    if (gateway != null) {
      gateway.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private ChildJvm.Builder program(String name) {
    return ChildJvm.named(name, directory)
        .jvmOptions("-Xmx400m", STACK)
        .property("java.awt.headless", true)
        .classPath(BuiltArtefacts.codeSource(OrdinaryServer.class));
  }

  /** All that an operator has to say. */
  private String settings(String mode) {
    return "classes:\n  interfaces: '"
        + jars.directory()
        + "'\n  mode: "
        + mode
        + "\n"
        + OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*");
  }

  /** Results of a client, by the kinds of its calls. */
  private Map<String, String> run(String... options) throws InterruptedException {
    try (ChildJvm client =
        program("client" + ++clients)
            .jvmOptions(options)
            .main(OrdinaryClient.class.getName())
            .arguments(InsideHosts.INSIDE, port, jars.plugin().toString())
            .start()) {
      assertThat(client.awaitExit(SOON)).as(() -> String.join("\n", client.output())).isZero();
      Map<String, String> results = new LinkedHashMap<>();
      for (String line : client.output()) {
        int arrow = line.indexOf(ARROW);
        if (arrow > 0) {
          results.put(line.substring(0, arrow), line.substring(arrow + ARROW.length()));
        }
      }
      return results;
    }
  }

  private Map<String, String> runThroughGateway() throws InterruptedException {
    return run(
        hosts.outsideOption(),
        "-javaagent:"
            + BuiltArtefacts.javaagent()
            + "="
            + gateway.uri()
            + ",tunnel=*:*,way=websocket,stats=off");
  }

  /** What differs from the results without a gateway, by kind. */
  private Map<String, String> differences() throws InterruptedException {
    Map<String, String> through = runThroughGateway();
    Map<String, String> differences = new TreeMap<>();
    direct.forEach(
        (kind, result) -> {
          if (!result.equals(through.get(kind))) {
            differences.put(kind, through.get(kind) + " instead of " + result);
          }
        });
    return differences;
  }

  private void enter(String settings) throws Exception {
    if (settings.equals(inForce)) {
      return;
    }
    long readBefore = configurations("configuration reloaded");
    long refusedBefore = configurations(REFUSED);
    gateway.reconfigure(settings);
    await()
        .until(
            () ->
                configurations("configuration reloaded") > readBefore
                    || configurations(REFUSED) > refusedBefore);
    assertThat(configurations(REFUSED))
        .as(() -> String.join("\n", gateway.jvm().output()))
        .isEqualTo(refusedBefore);
    inForce = settings;
  }

  /** Of how many the gateway's log says that. */
  private long configurations(String what) {
    return gateway.jvm().output().stream().filter(line -> line.contains(what)).count();
  }

  private static String lines(Map<String, String> differences) {
    StringBuilder lines = new StringBuilder();
    differences.forEach(
        (kind, difference) -> lines.append(kind).append(" | ").append(difference).append('\n'));
    return lines.toString();
  }

  @Test
  void withoutAGatewayEachKindSucceedsAndTheTableHasAllOfThem() {
    assertThat(direct).hasSizeGreaterThanOrEqualTo(AT_LEAST);
    assertThat(direct.values()).noneMatch(result -> result.startsWith(Kinds.FAILED));
    assertThat(direct.keySet()).containsExactlyElementsOf(expected.names());
  }

  @Test
  void sevenOfEightKindsNeedNoRules() {
    assertThat(expected.names(Outcome.LEARNED))
        .hasSizeLessThanOrEqualTo(expected.names().size() / 8);
  }

  @Test
  void asShippedTheKindsWithoutAReasonHaveTheSameResult() throws Exception {
    enter(settings("enforce"));

    Map<String, String> differences = differences();

    Set<String> refused = expected.names(Outcome.LEARNED);
    assertThat(differences.keySet()).as(lines(differences)).isEqualTo(refused);
  }

  @Test
  void rulesThatWereLearnedAndPastedAreEnough() throws Exception {
    enter(settings("learn"));
    runThroughGateway();
    enter(gateway.learnedRules());

    assertThat(differences()).isEmpty();
  }
}
