package io.rmigate.gateway.container.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.client.program.doctor.DoctorCommand;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.RefusingPort;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor advises where it is easy to advise wrongly: real servers, real gateways. */
class DoctorAdviceTest {
  /** In no jar that a gateway here has. */
  interface Bell extends Remote {}

  private static final class SilentBell implements Bell {}

  private static final Pattern NUMBER = Pattern.compile("\\[refusal ([0-9A-Z]{6})]");

  @TempDir static Path certificates;
  @TempDir Path directory;

  private static final Bell BELL = new SilentBell();
  private static Registry registry;
  private static int registryPort;
  private static int objectPort;

  @BeforeAll
  static void bind() throws Exception {
    registryPort = LoopbackPort.free();
    objectPort = LoopbackPort.free();
    registry = LocateRegistry.createRegistry(registryPort);
    registry.bind("bell", UnicastRemoteObject.exportObject(BELL, objectPort));
  }

  @AfterAll
  static void unbind() throws Exception {
    UnicastRemoteObject.unexportObject(BELL, true);
    UnicastRemoteObject.unexportObject(registry, true);
  }

  private RunningGateway gateway(String entry, String... more) throws Exception {
    return RunningGateway.start(
        directory,
        "insecure: true\nstate: state\nlogins:\n  anonymous: true\ntargets:\n"
            + "  - principals: [\"*\"]\n    allow: [\""
            + entry
            + "\"]\n"
            + String.join("\n", more)
            + "\n");
  }

  private RunningGateway gateway() throws Exception {
    return gateway("127.0.0.1:*");
  }

  /** What has come of it. */
  private record Report(int exitCode, String text, JsonNode json) {
    List<String> codes() {
      return all("code");
    }

    List<String> all(String field) {
      return StreamSupport.stream(json.path("findings").spliterator(), false)
          .map(finding -> finding.path(field).asText())
          .toList();
    }

    JsonNode finding(String code) {
      return StreamSupport.stream(json.path("findings").spliterator(), false)
          .filter(finding -> finding.path("code").asText().equals(code))
          .findFirst()
          .orElseThrow(() -> new AssertionError(code + " is not in " + text));
    }

    String lines() {
      return json.path("recommended").path("lines").toString();
    }
  }

  private static Report doctor(Object gateway, String target, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of(target, "--gateway", gateway.toString(), "--json", "--idle", "0s"));
    arguments.addAll(List.of("--proxy", "none"));
    arguments.addAll(List.of(more));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code =
        DoctorCommand.run(
            arguments,
            Map.of("client", "test"),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    String text = out.toString(StandardCharsets.UTF_8);
    return new Report(code, text, new ObjectMapper().readTree(text));
  }

  private static String rmi(int port) {
    return "rmi://127.0.0.1:" + port + "/bell";
  }

  private static void assertExplained(JsonNode finding) {
    Matcher number = NUMBER.matcher(finding.path("seen").asText());
    assertThat(number.find()).as("a number in %s", finding).isTrue();
    assertThat(finding.path("do").asText())
        .contains("policy explain", "--refusal " + number.group(1));
  }

  @Test
  void aJarOfInterfacesThatTheGatewayLacksIsNamed() throws Exception {
    try (RunningGateway gateway = gateway()) {
      Report report = doctor(gateway.uri(), rmi(registryPort));
      JsonNode finding = report.finding("gateway.interfaces");
      assertExplained(finding);
      assertThat(finding.path("means").asText()).contains(Bell.class.getName());
      assertThat(report.lines()).contains("interfaces: DIRECTORY").doesNotContain("way=direct");
      assertThat(report.codes()).doesNotContain("registry.throws", "gateway.policy");
    }
  }

  @Test
  void managementThatWasNotGrantedIsNamed() throws Exception {
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + registryPort + "/jmxrmi");
    JMXConnectorServer server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            url, null, ManagementFactory.getPlatformMBeanServer());
    server.start();
    try {
      try (RunningGateway gateway = gateway()) {
        Report report = doctor(gateway.uri(), url.toString());
        assertExplained(report.finding("gateway.jmx"));
        assertThat(report.lines()).contains("jmx: true").doesNotContain("way=direct");
      }
      try (RunningGateway gateway = gateway("127.0.0.1:*", "    jmx: true")) {
        Report report = doctor(gateway.uri(), url.toString());
        assertThat(report.codes()).doesNotContain("gateway.jmx", "gateway.interfaces");
        assertThat(report.exitCode()).as(report.text()).isZero();
      }
    } finally {
      server.stop();
    }
  }

  @Test
  void thePortOfAnObjectIsNoRegistry() throws Exception {
    try (RunningGateway gateway = gateway()) {
      Report report = doctor(gateway.uri(), rmi(objectPort));
      assertThat(report.codes()).containsOnlyOnce("registry.none");
      assertThat(report.codes()).doesNotContain("registry.unreachable");
      assertThat(report.finding("registry.none").path("do").asText()).contains("1099");
      assertThat(report.exitCode()).isEqualTo(2);
    }
  }

  @Test
  void aServerThatIsDownIsNotLookedForBehindAnotherName() throws Exception {
    try (RefusingPort down = new RefusingPort();
        RunningGateway gateway = gateway()) {
      Report report = doctor(gateway.uri(), rmi(down.number()));
      assertThat(report.finding("server.down").path("do").asText()).contains("Start the server");
      assertThat(report.codes()).doesNotContain("registry.unreachable");
      assertThat(report.all("do"))
          .noneMatch(advice -> advice.contains("Nothing to do as long as calls go through"));
      assertThat(report.lines()).doesNotContain("way=direct").doesNotContain("sockets=");
    }
  }

  @Test
  void aServerThatHasEndedBehindItsRegistryIsNamed() throws Exception {
    int port = LoopbackPort.free();
    Bell gone = new SilentBell();
    registry.rebind("gone", UnicastRemoteObject.exportObject(gone, port));
    UnicastRemoteObject.unexportObject(gone, true); // and with it the port
    try (RunningGateway gateway = gateway("127.0.0.1:*", "    class-mode: 'off'")) {
      Report report = doctor(gateway.uri(), "rmi://127.0.0.1:" + registryPort + "/gone");
      assertThat(report.finding("stub.down").path("do").asText()).contains("Restart the server");
      assertThat(report.exitCode()).isEqualTo(2);
    } finally {
      registry.unbind("gone");
    }
  }

  /** The stub brings a factory, and no program listens: no key of the client can help. */
  @Test
  void socketsAreNotAdvisedWhereTheGatewayReachesNobody() throws Exception {
    int port = LoopbackPort.free();
    Bell gone = new SilentBell();
    registry.rebind(
        "sealed",
        UnicastRemoteObject.exportObject(gone, port, new SslRMIClientSocketFactory(), null));
    UnicastRemoteObject.unexportObject(gone, true);
    String own = InetAddress.getLocalHost().getHostAddress();
    try (RunningGateway gateway =
        gateway(
            "127.0.0.1:*",
            "    class-mode: 'off'",
            "raw:",
            "  - principals: [\"*\"]",
            "    allow: [\"127.0.0.1:*\", \"" + own + ":*\"]")) {
      Report report = doctor(gateway.uri(), "rmi://127.0.0.1:" + registryPort + "/sealed");
      assertThat(report.codes()).contains("stub.factory", "stub.down");
      assertThat(report.all("do")).noneMatch(advice -> advice.contains("sockets="));
      assertThat(report.lines()).doesNotContain("sockets=").doesNotContain("way=direct");
    } finally {
      registry.unbind("sealed");
    }
  }

  @Test
  void aRefusalIsShownWithItsNumberAndItsReasonWhereThatIsTold() throws Exception {
    try (RunningGateway gateway = gateway("elsewhere.example:1")) {
      JsonNode finding =
          doctor(gateway.uri(), rmi(registryPort), "--way", "websocket").finding("gateway.policy");
      assertExplained(finding);
      assertThat(finding.path("seen").asText()).doesNotContain("to allow it add");
    }
    try (RunningGateway gateway = gateway("elsewhere.example:1", "    explain: true")) {
      Report report = doctor(gateway.uri(), rmi(registryPort), "--way", "websocket");
      assertExplained(report.finding("gateway.policy"));
      assertThat(report.finding("gateway.policy").path("seen").asText())
          .contains("to allow it add \"allow: ['127.0.0.1:" + registryPort + "']\"");
      assertThat(report.lines())
          .contains("allow: ['127.0.0.1:" + registryPort + "']")
          .doesNotContain("way=direct");
    }
  }

  @Test
  void aCertificateForAnotherNameIsToldFromOneOfAStranger() throws Exception {
    DevelopmentCertificate certificate =
        DevelopmentCertificate.create(certificates, "dns:gw.example,dns:other.example");
    Files.copy(certificate.keystore(), directory.resolve("gateway.p12"));
    Files.copy(certificate.passwordFile(), directory.resolve("password"));
    try (RunningGateway gateway =
        RunningGateway.start(
            directory,
            """
            state: state
            tls:
              keystore: gateway.p12
              password-file: password
            logins:
              anonymous: true
            targets:
              - principals: ["*"]
                allow: ["127.0.0.1:*"]
            """)) {
      Report report =
          doctor(
              gateway.uri(),
              rmi(registryPort),
              "--truststore",
              certificate.truststore().toString(),
              "--truststore-password-file",
              certificate.passwordFile().toString());
      JsonNode finding = report.finding("tls.name");
      assertThat(finding.path("seen").asText()).contains("it is for gw.example, other.example");
      assertThat(finding.path("do").asText()).contains("127.0.0.1");
      assertThat(report.codes()).doesNotContain("tls.fails", "tls.untrusted");
    }
  }
}
