package io.rmigate.client.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.testing.TestTimes;
import java.io.IOException;
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
import org.junit.jupiter.api.io.TempDir;

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
    Run run = run("https://gw.example/rmigate", Map.of(), List.of());

    assertThat(run.out()).contains("log manager: " + RmiProgram.OwnLogManager.class.getName());
    assertThat(run.err().lines().filter(line -> line.contains("rmigate: gateway")))
        .hasSize(1)
        .allMatch(line -> line.contains("installed as the default socket factory of RMI"));
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
        .startsWith(
            "rmigate: javaagent argument tunel: unknown; did you mean tunnel?"
                + System.lineSeparator())
        .contains("the program is not started")
        .contains("  connect-timeout ") // the list of keys
        .doesNotContain("\tat "); // no stack trace
  }

  @Test
  void missingGatewayKeepsTheProgramFromStarting() throws Exception {
    Run run = run("", Map.of(), List.of());

    assertThat(run.status()).isEqualTo(Premain.EXIT_STATUS);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("rmigate: no gateway");
  }

  @Test
  void environmentIsEnough() throws Exception {
    Run run = run("", Map.of("RMIGATE_GATEWAY", "gw.example"), List.of());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).contains("gateway https://gw.example");
  }

  @Test
  void stubsNameTheGatewayFromTheFirstExportOn() throws Exception {
    Run run =
        run(
            ExportingProgram.class,
            "gw.example,export=1,callback-host=gw.inner",
            Map.of(),
            List.of());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("before: null").containsPattern("stub: .*endpoint:\\[gw.inner:");
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
  void withoutLinkNoObjectIsExportedThatNobodyWouldReach() throws Exception {
    Run run =
        run(ExportingProgram.class, "http://127.0.0.1:9,connect-timeout=1s", Map.of(), List.of());

    assertThat(run.out()).contains("refused: ").contains("export=none");
    assertThat(run.err()).contains("callback-host in the configuration");
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
    Path classes =
        Path.of(PremainTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(before);
    command.add("-javaagent:" + agent + (arguments.isEmpty() ? "" : "=" + arguments));
    command.addAll(List.of("-cp", classes.toString(), program.getName()));
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
