package io.rmigate.gateway.container.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.SampleJar;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The commands of the client's jar, as people type them, from where the servers cannot even be
 * resolved. One server has both: objects of RMI, and the JDK's management over TLS with client
 * certificates, whose stub brings a socket factory of its own.
 */
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class CommandsIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final String FACTORY = "javax.rmi.ssl.SslRMIClientSocketFactory";
  private static final String RUNTIME = "java.lang:type=Runtime";

  private Path directory;
  private InsideHosts hosts;
  private DevelopmentCertificate certificate;
  private ChildJvm server;
  private OpenGateway gateway;
  private Path interfaces;
  private String objects;
  private String management;
  private int commands;

  @BeforeAll
  void startServerAndGateway() throws Exception {
    directory =
        Files.createDirectories(
            BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime())));
    hosts = InsideHosts.ofAllTests();
    certificate = DevelopmentCertificate.create(directory, "dns:" + InsideHosts.INSIDE);
    interfaces = SampleJar.in(directory.resolve("interfaces"));
    int managed = LoopbackPort.free();
    server =
        withKeys(ChildJvm.named("server", directory))
            .jvmOptions(hosts.insideOption(), "-Xmx96m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .property("com.sun.management.jmxremote.port", managed)
            .property("com.sun.management.jmxremote.authenticate", false)
            .property("com.sun.management.jmxremote.ssl", true)
            .property("com.sun.management.jmxremote.ssl.need.client.auth", true)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .reusable()
            .main(SampleServer.class.getName())
            .start();
    String registry = server.awaitLine(Pattern.compile("^sample ready (\\d+)$"), SOON).group(1);
    objects = "rmi://" + InsideHosts.INSIDE + ":" + registry;
    management = "service:jmx:rmi:///jndi/rmi://" + InsideHosts.INSIDE + ":" + managed + "/jmxrmi";
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            OpenGateway.targets(InsideHosts.INSIDE + ":*"),
            "    jmx: true",
            "raw:\n  - principals: ['*']\n    allow: ['" + InsideHosts.INSIDE + ":*']\n");
  }

  @AfterAll
  void stopServerAndGateway() {
    if (gateway != null) {
      gateway.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private ChildJvm.Builder withKeys(ChildJvm.Builder jvm) {
    return jvm.property("javax.net.ssl.trustStore", certificate.truststore())
        .property("javax.net.ssl.trustStorePassword", certificate.password())
        .property("javax.net.ssl.keyStore", certificate.keystore())
        .property("javax.net.ssl.keyStorePassword", certificate.password());
  }

  /** What has come of a command. */
  private record Done(int exitCode, List<String> lines) {
    String text() {
      return String.join("\n", lines);
    }
  }

  private Done run(String... command) throws Exception {
    List<String> arguments = new ArrayList<>(Arrays.asList(command));
    arguments.addAll(List.of("--gateway", gateway.uri().toString(), "--way", "websocket"));
    try (ChildJvm jvm =
        withKeys(ChildJvm.named("command" + commands++, directory))
            .jvmOptions(hosts.outsideOption(), "-Xmx64m")
            .jar(BuiltArtefacts.javaagent())
            .arguments(arguments.toArray(String[]::new))
            .start()) {
      int exitCode = jvm.awaitExit(SOON);
      return new Done(exitCode, jvm.output());
    }
  }

  @Test
  void lsTellsWhatIsBound() throws Exception {
    Done names = run("ls", objects);
    assertThat(names.lines())
        .containsExactly("Catalogue", "Everything", "Hello", "PerformanceTester", "Showcase");
    assertThat(names.exitCode()).isZero();

    Done described = run("ls", "-l", objects + "/Hello");
    assertThat(described.lines())
        .singleElement()
        .asString()
        .matches("Hello +" + InsideHosts.INSIDE + ":\\d+ +io\\.rmigate\\.sample\\.Hello");
    assertThat(described.exitCode()).isZero();
  }

  @Test
  void callExecutesAMethodAndTellsWhatItReturns() throws Exception {
    Done called =
        run("call", objects + "/Hello", "hello", "Ann", "--interfaces", interfaces.toString());
    assertThat(called.lines()).singleElement().asString().contains("Ann");
    assertThat(called.exitCode()).isZero();

    Done unknown = run("call", objects + "/Hello", "howdy", "--interfaces", interfaces.toString());
    assertThat(unknown.lines())
        .containsExactly("rmigate call: there is no method howdy; there are hello");
    assertThat(unknown.exitCode()).isEqualTo(2);
  }

  @Test
  void jmxReadsAnAttributeOverTls() throws Exception {
    Done read = run("jmx", management, RUNTIME, "SpecName", "--sockets", InsideHosts.INSIDE + ":*");
    assertThat(read.lines()).containsExactly("Java Virtual Machine Specification");
    assertThat(read.exitCode()).isZero();
    assertThat(gateway.metric("rmigate_raw_connections_total")).isPositive();
  }

  @Test
  void theDoctorFollowsAStubWithAFactoryOfItsOwn() throws Exception {
    Done examined =
        run("doctor", management, "--json", "--idle", "0s", "--sockets", InsideHosts.INSIDE + ":*");
    JsonNode report = json(examined);
    assertThat(report.path("stub").path("factory").asText()).isEqualTo(FACTORY);
    assertThat(levels(report, "stub.factory")).containsExactly("note");
    JsonNode visit = byWebSocket(report);
    assertThat(visit.path("registry").path("answers").asBoolean()).as(examined.text()).isTrue();
    assertThat(visit.path("object").path("answers").asBoolean()).as(examined.text()).isTrue();
    assertThat(examined.exitCode()).isZero();
  }

  @Test
  void theDoctorSaysWhichSocketsToCarryForSuchAStub() throws Exception {
    Done examined = run("doctor", management, "--json", "--idle", "0s");
    JsonNode report = json(examined);
    assertThat(levels(report, "stub.factory")).containsExactly("warning");
    assertThat(byWebSocket(report).path("object").path("obstacle").asText())
        .isEqualTo("needs-sockets");
    assertThat(report.path("recommended").path("lines").toString())
        .contains("sockets=" + InsideHosts.INSIDE + ":");
    assertThat(examined.exitCode()).isEqualTo(2);
  }

  /** What is going on is told beside it. */
  private static JsonNode json(Done done) throws Exception {
    String text =
        done.lines().stream()
            .dropWhile(line -> !line.startsWith("{"))
            .collect(Collectors.joining("\n"));
    return new ObjectMapper().readTree(text);
  }

  private static JsonNode byWebSocket(JsonNode report) {
    return StreamSupport.stream(report.path("visits").spliterator(), false)
        .filter(visit -> visit.path("way").asText().equals("websocket"))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> levels(JsonNode report, String code) {
    return StreamSupport.stream(report.path("findings").spliterator(), false)
        .filter(finding -> finding.path("code").asText().equals(code))
        .map(finding -> finding.path("level").asText())
        .toList();
  }
}
