package io.rmigate.client.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.TestTimes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The javaagent in JVMs of its own, started as a user starts it. */
@Timeout(300)
class PremainTest {
  @TempDir static Path directory;
  private static Path agent;

  private record Run(int status, String out, String err) {}

  @BeforeAll
  static void packAgent() throws Exception {
    agent = directory.resolve("agent.jar");
    Path classes =
        Path.of(Premain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", Premain.class.getName());
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(agent), manifest);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        jar.putNextEntry(new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, jar);
        jar.closeEntry();
      }
    }
  }

  @Test
  void fillsTheDefaultSlotAndLeavesTheGlobalOneToTheApplication() throws Exception {
    Run run = run("https://gw.example/rmigate", Map.of(), List.of());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("default: " + AnnouncingSocketFactory.class.getName())
        .contains("global: null")
        .contains("application may set its own: true");
  }

  @Test
  void loggingIsLeftAloneUntilRmiIsUsed() throws Exception {
    Path logging =
        Files.writeString(
            directory.resolve("logging.properties"),
            "handlers=java.util.logging.ConsoleHandler\nio.rmigate.level=INFO\n");
    Run run =
        run(
            "https://gw.example/rmigate",
            Map.of(),
            List.of("-Djava.util.logging.config.file=" + logging));

    assertThat(run.out()).contains("log manager: " + RmiProgram.OwnLogManager.class.getName());
    assertThat(run.err().lines().filter(line -> line.contains("rmigate: gateway")))
        .hasSize(1)
        .allMatch(line -> line.contains("installed as the default socket factory of RMI"));
  }

  /** No line below a warning: jconsole opens a window for each line that is written. */
  @Test
  void nothingIsWrittenThatNobodyHasAskedFor() throws Exception {
    Run run = run("https://gw.example/rmigate", Map.of(), List.of());

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("default: " + AnnouncingSocketFactory.class.getName());
    assertThat(run.err()).isEmpty();
  }

  @Test
  void keepsWorkingWhenRmiWasInUseBefore() throws Exception {
    Run run = run("https://gw.example", Map.of(), List.of(earlyAgent()));

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("global: " + AnnouncingSocketFactory.class.getName());
    assertThat(run.err()).contains("installed as RMISocketFactory.setSocketFactory");
  }

  @Test
  void badArgumentKeepsTheProgramFromStarting() throws Exception {
    Run run = run("https://gw.example,tunel=*:1099", Map.of(), List.of());

    assertThat(run.status()).isEqualTo(Premain.EXIT_STATUS);
    assertThat(run.out()).isEmpty(); // main has not run
    assertThat(run.err())
        .endsWith(
            "rmigate: javaagent argument tunel: unknown; did you mean tunnel?"
                + System.lineSeparator()) // the last line, which a user sees first
        .contains("the program is not started")
        .contains("  connect-timeout ") // the list of keys
        .doesNotContain("\tat "); // no stack trace
  }

  @Test
  void missingGatewayKeepsTheProgramFromStarting() throws Exception {
    Run run = run("", Map.of(), List.of());

    assertThat(run.status()).isEqualTo(Premain.EXIT_STATUS);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines().reduce((first, last) -> last))
        .hasValueSatisfying(last -> assertThat(last).startsWith("rmigate: no gateway"));
  }

  @Test
  void environmentIsEnough() throws Exception {
    Run run = run("", Map.of("RMIGATE_GATEWAY", "gw.example"), List.of());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("default: " + AnnouncingSocketFactory.class.getName());
  }

  @Test
  void exportedObjectsAreLocalAndTheirJvmKeepsItsHost() throws Exception {
    for (String more : List.of("", ",export=0|1,callback-host=gw.inner")) {
      Run run =
          run(
              ExportingProgram.class,
              "http://127.0.0.1:9,connect-timeout=1s" + more,
              Map.of(),
              List.of());

      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out())
          .contains("before: null")
          .contains("after: null")
          .containsPattern("stub: .*endpoint:\\[")
          .doesNotContain("gw.inner");
      assertThat(run.err()).doesNotContain("no link"); // no gateway was asked
    }
  }

  /** Else the JVM would end before its program begins: its management agent exports, too. */
  @Test
  void aJvmWithAJmxPortStartsWhileTheGatewayIsDown() throws Exception {
    int port = LoopbackPort.free();
    List<String> management =
        List.of(
            "-Dcom.sun.management.jmxremote.port=" + port,
            "-Dcom.sun.management.jmxremote.authenticate=false",
            "-Dcom.sun.management.jmxremote.ssl=false");
    Run run =
        run(
            ExportingProgram.class,
            "http://127.0.0.1:9,connect-timeout=1s,export=0|" + port,
            Map.of(),
            management);

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).containsPattern("stub: .*endpoint:\\[");
  }

  @Test
  void withTheHostOfTheWholeJvmStubsNameTheGatewayFromTheFirstExportOn() throws Exception {
    Run run =
        run(
            ExportingProgram.class,
            "gw.example,export=1,callback-host=gw.inner,callbacks-hostname=jvm",
            Map.of(),
            List.of());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("before: null")
        .containsPattern("stub: .*endpoint:\\[gw.inner:")
        .contains("after: gw.inner");
  }

  @Test
  void nobodyIsAskedForTheNameWhereNothingIsExported() throws Exception {
    Run run =
        run(
            ExportingProgram.class,
            "http://127.0.0.1:9,connect-timeout=1s,export=none",
            Map.of(),
            List.of());

    assertThat(run.out()).containsPattern("stub: .*endpoint:\\[");
    assertThat(run.err()).doesNotContain("no link");
  }

  @Test
  void withTheHostOfTheWholeJvmNoObjectIsExportedWithoutALink() throws Exception {
    Run run =
        run(
            ExportingProgram.class,
            "http://127.0.0.1:9,connect-timeout=1s,callbacks-hostname=jvm",
            Map.of(),
            List.of());

    assertThat(run.out()).contains("refused: ").contains("export=none");
    assertThat(run.err()).contains("callback-host in the configuration");
  }

  @Test
  void nothingHappensBeforeRmiIsUsed() throws Exception {
    try (ServerSocketChannel gateway = gateway()) {
      Run run =
          run(
              TunnelledProgram.class,
              allKinds(gateway) + ",tunnel=none.example:*,direct=inside.example:*",
              Map.of(),
              List.of());

      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out()).contains("threads: " + System.lineSeparator());
      assertThat(gateway.accept()).isNull();
    }
  }

  /** Tools of the JDK obey JAVA_TOOL_OPTIONS, too. */
  @ParameterizedTest
  @ValueSource(strings = {"keytool -help", "jar --version", "jps -help", "javac -version"})
  void toolsOfTheJdkAreNotDisturbed(String tool) throws Exception {
    List<String> command = new ArrayList<>(List.of(tool.split(" ", -1)));
    command.set(0, Path.of(System.getProperty("java.home"), "bin", command.get(0)).toString());
    assumeThat(Path.of(command.get(0))).exists();
    Run without = run(command, Map.of());
    try (ServerSocketChannel gateway = gateway()) {
      Run with =
          run(
              command,
              Map.of("JAVA_TOOL_OPTIONS", "-javaagent:" + agent + "=" + allKinds(gateway)));

      assertThat(with.status()).isEqualTo(without.status());
      assertThat(with.out()).isEqualTo(without.out());
      assertThat(with.err().lines().filter(line -> !line.startsWith("Picked up JAVA_TOOL_OPTIONS")))
          .containsExactlyElementsOf(without.err().lines().toList());
      assertThat(gateway.accept()).isNull();
    }
  }

  private static ServerSocketChannel gateway() throws IOException {
    ServerSocketChannel gateway = ServerSocketChannel.open();
    gateway.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    gateway.configureBlocking(false);
    return gateway;
  }

  /** Everything that has a thread or a port sooner or later. */
  private static String allKinds(ServerSocketChannel gateway) {
    return "http://127.0.0.1:"
        + gateway.socket().getLocalPort()
        + ",way=direct|websocket|post,sockets=*.inside.example:*";
  }

  @Test
  void aJvmWithoutManagementHasNoFigures() throws Exception {
    Run run =
        run(
            TunnelledProgram.class,
            "http://127.0.0.1:9,connect-timeout=5s,tunnel=inside.example:*",
            Map.of(),
            List.of("--limit-modules", "java.rmi,java.instrument"));

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("failed: java.rmi.ConnectException").contains("gateway");
  }

  @Test
  void anImageWithoutRmiIsToldWhatToAdd() throws Exception {
    Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
    assumeThat(jlink).exists();
    Path image = directory.resolve("image");
    Run made =
        run(
            List.of(
                jlink.toString(),
                "--add-modules",
                "java.base,java.instrument",
                "--output",
                image.toString()),
            Map.of());
    assumeThat(made.status()).as(made.err()).isZero();

    Run run =
        run(
            List.of(
                image.resolve("bin/java").toString(),
                "-javaagent:" + agent + "=https://gw.example",
                "-cp",
                testClasses().toString(),
                TunnelledProgram.class.getName()),
            Map.of());

    assertThat(run.status()).isEqualTo(Premain.EXIT_STATUS);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("java.rmi").contains("--add-modules");
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_21, disabledReason = "JDK 24 has no security manager")
  void aPolicyThatForgetsTheAgentIsToldWhatToAdd() throws Exception {
    Run run = runWithPolicy("");

    assertThat(run.status()).isEqualTo(Premain.EXIT_STATUS);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines().filter(line -> line.startsWith("rmigate: "))).hasSize(1);
    assertThat(run.err()).contains("grant codeBase").contains("java.security.AllPermission");
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_21, disabledReason = "JDK 24 has no security manager")
  void theApplicationNeedsNoPermissionForWhatTheAgentDoes() throws Exception {
    Run run =
        runWithPolicy(
            "grant codeBase \"%s\" { permission java.security.AllPermission; };"
                .formatted(agent.toUri()));

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("failed: java.rmi.ConnectException")
        .contains("gateway")
        .doesNotContain("access denied");
  }

  /** The application may connect, as it must be for plain RMI, and nothing else. */
  private static Run runWithPolicy(String more) throws Exception {
    Path policy =
        Files.writeString(
            directory.resolve("policy"),
            """
            grant codeBase "%s-" {
              permission java.net.SocketPermission "*:1024-", "connect,accept,resolve";
            };
            %s
            """
                .formatted(testClasses().toUri(), more));
    return run(
        TunnelledProgram.class,
        "http://127.0.0.1:9,connect-timeout=5s,tunnel=inside.example:*",
        Map.of(),
        List.of("-Djava.security.manager", "-Djava.security.policy==" + policy));
  }

  /** A javaagent that comes first and has used RMI already. */
  private static String earlyAgent() throws IOException {
    Path jar = directory.resolve("early.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", EarlyRmiUser.class.getName());
    String entry = EarlyRmiUser.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        var in = EarlyRmiUser.class.getClassLoader().getResourceAsStream(entry)) {
      out.putNextEntry(new ZipEntry(entry));
      in.transferTo(out);
      out.closeEntry();
    }
    return "-javaagent:" + jar;
  }

  private static Run run(String arguments, Map<String, String> environment, List<String> before)
      throws Exception {
    return run(RmiProgram.class, arguments, environment, before);
  }

  private static Run run(
      Class<?> program, String arguments, Map<String, String> environment, List<String> before)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(before);
    command.add("-javaagent:" + agent + (arguments.isEmpty() ? "" : "=" + arguments));
    command.addAll(List.of("-cp", testClasses().toString(), program.getName()));
    return run(command, environment);
  }

  private static Path testClasses() throws URISyntaxException {
    return Path.of(PremainTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static Run run(List<String> command, Map<String, String> environment) throws Exception {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("RMIGATE_"));
    // Their notices would be on the error stream.
    builder
        .environment()
        .keySet()
        .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
    builder.environment().putAll(environment);
    TestTimes.countJvm();
    long since = System.nanoTime();
    Process process = builder.start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
      TestTimes.add(TestTimes.Activity.JVM_START, since);
    }
    return new Run(process.exitValue(), Files.readString(out), withoutJvmWarnings(err));
  }

  /** What the program has said, without what the JVM says of its machine. */
  private static String withoutJvmWarnings(Path err) throws IOException {
    return Files.readAllLines(err).stream()
        .filter(line -> !line.matches("\\[.*]\\[warning].*|OpenJDK .* VM warning: .*"))
        .map(line -> line + System.lineSeparator())
        .collect(Collectors.joining());
  }
}
