package io.rmigate.gateway.container;

import io.rmigate.gateway.container.probe.ContractProbe;
import io.rmigate.gateway.container.probe.Inside;
import io.rmigate.gateway.container.probe.Way;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.hamcrest.Matcher;
import org.junit.jupiter.api.DynamicTest;

/**
 * The client JVM and its cases as JUnit's dynamic tests. All cases share the JVM, as an
 * application's calls would; after one that hangs it is replaced.
 */
public final class ProbeRun implements AutoCloseable {
  /** All that a gateway's entry of targets must say for them: who may use JMX is for policy. */
  public static final String RULES = "    jmx: true\n";

  private static final Pattern READY = Pattern.compile("^probe ready$");

  private final String name;
  private final Path directory;
  private final List<String> jvmOptions;
  private final Inside inside;
  private final Duration caseTimeout;
  private ChildJvm client;
  private int started;

  /**
   * Starts nothing yet.
   *
   * @param jvmOptions hosts file, javaagent
   */
  public ProbeRun(
      String name, Path directory, List<String> jvmOptions, Inside inside, Duration caseTimeout) {
    this.name = name;
    this.directory = directory;
    this.jvmOptions = jvmOptions;
    this.inside = inside;
    this.caseTimeout = caseTimeout;
  }

  /**
   * What the cases find behind a gateway.
   *
   * @param connects how many connections the case of that name makes
   * @param jmxSeconds how long JMX notifications are exchanged
   */
  public static Inside inside(InsideServers servers, int connects, int jmxSeconds) {
    return new Inside(
        InsideHosts.INSIDE,
        InsideHosts.FORBIDDEN,
        InsideHosts.MISSING,
        servers.samplePort(),
        servers.jmxPort(),
        servers.deadPort(),
        servers.foreignPort(),
        connects,
        jmxSeconds);
  }

  /** One test per case; {@code others} are what a hanging case is likely to be waiting for. */
  public Stream<DynamicTest> tests(Way way, ChildJvm... others) {
    return ContractProbe.cases(way)
        .map(rule -> DynamicTest.dynamicTest(rule, () -> check(rule, others)));
  }

  private void check(String rule, ChildJvm... others) throws InterruptedException {
    ChildJvm current = client();
    Pattern answer = Pattern.compile("^(PASS|FAIL) " + rule + "\\b");
    String verdict;
    try {
      verdict = current.ask(rule, answer, caseTimeout).group(1);
    } catch (AssertionError e) {
      StringBuilder dumps = new StringBuilder(current.threadDump());
      for (ChildJvm other : others) {
        dumps.append('\n').append(other.threadDump());
      }
      current.kill();
      client = null;
      throw new AssertionError(e.getMessage() + "\n" + dumps, e);
    }
    if (!verdict.equals("PASS")) {
      throw new AssertionError(
          rule + " does not hold; the client says:\n" + current.outputSinceAsked());
    }
  }

  private ChildJvm client() throws InterruptedException {
    if (client == null) {
      started++;
      client =
          ChildJvm.named(name + "-client-" + started, directory)
              .jvmOptions(jvmOptions.toArray(String[]::new))
              .jvmOptions("-Xmx500m")
              .classPath(
                  BuiltArtefacts.codeSource(ContractProbe.class),
                  BuiltArtefacts.codeSource(SampleServer.class),
                  BuiltArtefacts.codeSource(Assertions.class),
                  BuiltArtefacts.codeSource(ByteBuddy.class),
                  BuiltArtefacts.codeSource(Awaitility.class),
                  BuiltArtefacts.codeSource(Matcher.class))
              .main(ContractProbe.class.getName())
              .arguments(inside.toArguments())
              .start();
      client.awaitLine(READY, Patience.PATIENCE);
    }
    return client;
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
