package io.rmigate.gateway.container.floods;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.login.UserLines;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.SampleJar;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.MarshalStream;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client with a login floods the gateway, and another one calls meanwhile: gateway, server and
 * flooder in JVMs of their own. {@code gateway-war/floods} does as much of it as a machine may be
 * asked for once ({@code rmigate.floods.full}): there it is measured how long the honest calls
 * take, of which 99 of 100 may take twice as long as without the flood. Calls before that, with and
 * without a flood, have the JVMs compile what they run through, and are printed only.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class FloodsIT {
  private static final boolean FULL = Boolean.getBoolean("rmigate.floods.full");
  private static final int CALLS = FULL ? 20_000 : 200;
  private static final int ROUNDS_TO_WARM_UP = FULL ? 4 : 1;
  private static final double MOST_TIMES = 2;
  private static final int MAX_OBJECTS = 100_000;
  private static final Duration SOON = Duration.ofMinutes(FULL ? 15 : 2);

  /** As an operator starts it, not as the tests do, whose JVMs have to be small. */
  private static final List<String> AS_SHIPPED =
      List.of("-Xmx512m", "-XX:TieredStopAtLevel=4", "-XX:-UseSerialGC", "-XX:+UseG1GC");

  private static final String[] COMPILED =
      FULL ? new String[] {"-XX:TieredStopAtLevel=4"} : new String[0];

  /** The honest caller's. */
  private static final int OTHERS = 10;

  private Path directory;
  private Path password;
  private ChildJvm server;
  private OpenGateway gateway;
  private String port;

  @BeforeEach
  void start() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    InsideHosts hosts = InsideHosts.ofAllTests();
    server =
        ChildJvm.named("server", directory)
            .jvmOptions(COMPILED)
            .property("java.rmi.server.hostname", "127.0.0.1")
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .main(SampleServer.class.getName())
            .arguments("--bind", "127.0.0.1")
            .start();
    port = server.awaitLine(Pattern.compile("^sample ready (\\d+)$"), SOON).group(1);
    password = Files.writeString(directory.resolve("password"), "wonder\n");
    Path users =
        Files.writeString(
            directory.resolve("users"),
            UserLines.user("ann", "wonder") + UserLines.user("mallory", "wonder"));
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            FULL ? AS_SHIPPED : List.of("-Xmx192m"),
            users,
            "classes:\n  interfaces: '" + SampleJar.in(directory.resolve("jars")) + "'",
            OpenGateway.onlyTargets("127.0.0.1:*"),
            "leases:\n  max-objects: " + MAX_OBJECTS);
  }

  @AfterEach
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "dirty, 150_000, 1_000_000",
    "hashes, 200, 1_000",
    "objects, 200, 10_000",
    "slow, 100, 500"
  })
  void whoFloodsIsBoundedAndHindersNobody(String what, String some, String all) throws Exception {
    long enough = Long.parseLong((FULL ? all : some).replace("_", ""));
    try (ChildJvm honest = honest()) {
      warmUp(honest);
      long alone = p99(honest, () -> false);
      long among;
      long sent;
      long refused;
      try (ChildJvm flooder = flooder(what, enough)) {
        flooder.awaitLine(Pattern.compile("^sent "), SOON);
        System.out.printf("%s: first %,d us%n", what, warmUp(honest));
        among = p99(honest, () -> goesOn(what, flooder));
        Matcher end = flooder.ask("", Pattern.compile("^sent (\\d+) refused (\\d+)$"), SOON);
        sent = Long.parseLong(end.group(1));
        refused = Long.parseLong(end.group(2));
      }
      long after = p99(honest, () -> false);
      double times = (double) among / Math.min(alone, after);
      System.out.printf(
          "%s: %,d sent; p99 of honest calls %,d us before, %,d us among them, %,d us after:"
              + " %.2f times%n",
          what, sent, alone, among, after, times);

      assertThat(sent).isGreaterThanOrEqualTo(enough);
      assertBounded(what, sent, refused);
      if (FULL) {
        assertThat(times).as("how much longer honest calls take").isLessThan(MOST_TIMES);
      }
    }
  }

  private void assertBounded(String what, long sent, long refused) throws IOException {
    switch (what) {
      case "dirty" -> {
        // No server has given the flooder what it asks for: only the honest caller holds anything.
        assertThat(gateway.metric("rmigate_leases")).isLessThanOrEqualTo(OTHERS);
        await().until(() -> gateway.metric("rmigate_refused_total") > 0); // what is under way
        assertThat(gateway.metric("rmigate_link_rests_total")).isPositive();
      }
      case "hashes", "objects" -> assertThat(refused).isEqualTo(sent);
      default -> assertThat(gateway.metric("rmigate_sessions")).isEqualTo(1);
    }
    assertThat(gateway.jvm().output()).noneMatch(line -> line.contains("OutOfMemoryError"));
    assertThat(gateway.get("/health/ready")).contains("enforce");
  }

  private static long warmUp(ChildJvm honest) throws InterruptedException {
    ask(honest, "forget");
    long micros = 0;
    for (int i = 0; i < ROUNDS_TO_WARM_UP; i++) {
      micros = ask(honest, "call " + CALLS);
    }
    return micros;
  }

  /** What still goes on is asked for once more. */
  private static long p99(ChildJvm honest, Goes goesOn) throws InterruptedException {
    ask(honest, "forget");
    long micros;
    do {
      micros = ask(honest, "call " + CALLS);
    } while (goesOn.on());
    return micros;
  }

  private static boolean goesOn(String what, ChildJvm flooder) {
    List<String> said = flooder.output();
    System.out.println("flood with " + what + ": " + said.get(said.size() - 1));
    return !said.contains("flooded");
  }

  private interface Goes {
    boolean on();
  }

  private static long ask(ChildJvm honest, String command) throws InterruptedException {
    return Long.parseLong(
        honest.ask(command, Pattern.compile("^called \\d+ (\\d+)$"), SOON).group(1));
  }

  private ChildJvm honest() throws InterruptedException {
    ChildJvm honest =
        ChildJvm.named("honest", directory)
            .jvmOptions(COMPILED)
            .jvmOptions(
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + gateway.uri()
                    + ",user=ann,password-file="
                    + password
                    + ",tunnel=127.0.0.1:*,way=websocket,stats=off")
            .classPath(
                BuiltArtefacts.codeSource(HonestCaller.class),
                BuiltArtefacts.codeSource(SampleServer.class))
            .main(HonestCaller.class.getName())
            .arguments("127.0.0.1", port)
            .start();
    honest.awaitLine(Pattern.compile("^ready$"), SOON);
    return honest;
  }

  /** Has what the others leave of the processors, as if it were on a machine of its own. */
  private ChildJvm flooder(String what, long enough) throws IOException, InterruptedException {
    ChildJvm flooder =
        ChildJvm.named("flooder", directory)
            .jvmOptions(COMPILED)
            .jvmOptions("-Xmx128m")
            .classPath(
                BuiltArtefacts.codeSource(Flooder.class),
                BuiltArtefacts.codeSource(MarshalStream.class),
                BuiltArtefacts.javaagent())
            .main(Flooder.class.getName())
            .arguments(gateway.uri().toString(), "mallory", password.toString())
            .arguments("127.0.0.1", port, what, Long.toString(enough))
            .start();
    new ProcessBuilder("renice", "-n", "19", "-p", Long.toString(flooder.pid())).start().waitFor();
    return flooder;
  }
}
