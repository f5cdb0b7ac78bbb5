package io.rmigate.gateway.container.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.InterfacesOfTests;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.NetworkNamespace;
import io.rmigate.gateway.testing.ThreeNetworks;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.KeytoolCommand;
import io.rmigate.testing.Patience;
import io.rmigate.testing.Tier;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The doctor's report in six networks, beside what it is expected to be: files in {@code
 * client-factory/doctor}. Times, ports and the breaks of lines may differ. {@code
 * -Drmigate.test.golden=write} writes the files anew.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class SixNetworksIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final Path GOLDEN = Path.of("..", "client-factory", "doctor");

  /** What stands in the golden files in the place of ports that are chosen at random. */
  private static final Map<String, String> PORTS = new LinkedHashMap<>();

  private static Path directory;
  private static ThreeNetworks networks;
  private static DevelopmentCertificate certificate;
  private static ChildJvm server;
  private static ChildJvm gateway;
  private static ChildJvm boxes;
  private static String registryPort;
  private static String gatewayPort;
  private static List<String> boxPorts;
  private static Path knowing;
  private static Path ignorant;

  @BeforeAll
  static void startEverything() throws Exception {
    Optional<String> obstacle = NetworkNamespace.obstacle();
    if (obstacle.isPresent()) {
      abort(obstacle.get());
    }
    directory =
        BuiltArtefacts.workDirectory(SixNetworksIT.class).resolve(Long.toString(System.nanoTime()));
    Files.createDirectories(directory);
    networks = ThreeNetworks.routed();
    certificate = DevelopmentCertificate.create(directory, "dns:gw.example");
    String rmi = ThreeNetworks.SERVER + " rmi.inside.example\n";
    String border = "127.0.0.1 localhost\n" + ThreeNetworks.BORDER + " gw.example proxy.example\n";
    knowing = Files.writeString(directory.resolve("hosts-knowing"), border + rmi);
    ignorant = Files.writeString(directory.resolve("hosts-ignorant"), border);
    server =
        ChildJvm.named("server", directory)
            .inside(networks.inside())
            .jvmOptions("-Xmx128m", "-Djdk.net.hosts.file=" + knowing)
            .property("java.rmi.server.hostname", "rmi.inside.example")
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .main(SampleServer.class.getName())
            .start();
    gateway =
        ChildJvm.named("gateway", directory)
            .inside(networks.border())
            .jvmOptions("-Xmx192m", "-Djdk.net.hosts.file=" + knowing)
            .jar(BuiltArtefacts.war())
            .arguments("--config", configuration().toString())
            .start();
    registryPort = server.awaitLine(Pattern.compile("^sample ready (\\d+)$"), SOON).group(1);
    gatewayPort =
        gateway.awaitLine(Pattern.compile("^rmigate ready \\S+:(\\d+)/rmigate"), SOON).group(1);
    startBoxes();
    PORTS.put(registryPort, "1099");
    PORTS.put(gatewayPort, "8443");
    PORTS.put(boxPorts.get(0), "3128");
    PORTS.put(boxPorts.get(1), "443");
    PORTS.put(boxPorts.get(2), "8080");
  }

  private static void startBoxes() throws Exception {
    boxes =
        ChildJvm.named("boxes", directory)
            .inside(networks.border())
            .jvmOptions("-Xmx64m")
            .classPath(BuiltArtefacts.codeSource(Boxes.class))
            .main(Boxes.class.getName())
            .arguments(
                ThreeNetworks.BORDER,
                gatewayPort,
                certificate.passwordFile().toString(),
                certificate.keystore().toString(),
                forged().toString())
            .start();
    Matcher ready = boxes.awaitLine(Pattern.compile("^boxes ready (\\d+) (\\d+) (\\d+)$"), SOON);
    boxPorts = List.of(ready.group(1), ready.group(2), ready.group(3));
  }

  private static Path configuration() throws IOException {
    return Files.writeString(
        directory.resolve("rmigate.yaml"),
        """
        listen: %s:0
        path: /rmigate
        tls:
          keystore: '%s'
          password-file: '%s'
        state: '%s'
        logins:
          anonymous: true
        classes:
          interfaces: '%s'
        targets:
          - principals: ['*']
            allow: ['rmi.inside.example:*']
        """
            .formatted(
                ThreeNetworks.BORDER,
                certificate.keystore(),
                certificate.passwordFile(),
                directory.resolve("state"),
                InterfacesOfTests.directory()));
  }

  /** A certificate for the gateway's name by an authority that no client trusts. */
  private static Path forged() throws Exception {
    Path authority = directory.resolve("authority.p12");
    Path forged = directory.resolve("forged.p12");
    Path request = directory.resolve("forged.csr");
    Path chain = directory.resolve("forged.pem");
    Path root = directory.resolve("authority.pem");
    String issuer = "CN=Example Corp Web Inspection CA,O=Example Corp";
    String[] key = {"-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "30"};
    keytool(authority, with(key, "-alias", "ca", "-dname", issuer, "-ext", "bc:c"));
    keytool(forged, with(key, "-alias", "key", "-dname", "CN=gw.example"));
    keytool(forged, "-certreq", "-alias", "key", "-file", request.toString());
    keytool(authority, "-exportcert", "-rfc", "-alias", "ca", "-file", root.toString());
    keytool(
        authority,
        "-gencert",
        "-rfc",
        "-alias",
        "ca",
        "-ext",
        "san=dns:gw.example",
        "-infile",
        request.toString(),
        "-outfile",
        chain.toString());
    keytool(forged, "-importcert", "-noprompt", "-alias", "ca", "-file", root.toString());
    keytool(forged, "-importcert", "-noprompt", "-alias", "key", "-file", chain.toString());
    return forged;
  }

  private static String[] with(String[] some, String... more) {
    List<String> all = new ArrayList<>(Arrays.asList(some));
    all.addAll(Arrays.asList(more));
    return all.toArray(String[]::new);
  }

  private static void keytool(Path store, String... arguments) throws Exception {
    KeytoolCommand.run(store, certificate.password(), arguments);
  }

  @AfterAll
  static void stopEverything() throws Exception {
    for (ChildJvm jvm : new ChildJvm[] {boxes, gateway, server}) {
      if (jvm != null) {
        jvm.close();
      }
    }
    if (networks != null) {
      networks.close();
    }
  }

  @Test
  void openNetwork() throws Exception {
    report("1-open-network", 0, knowing, gatewayPort);
  }

  @Test
  void firewallThatRejects() throws Exception {
    try (Closeable firewall = networks.firewall("prohibit")) {
      assertThat(firewall).isNotNull();
      report("2-firewall-that-rejects", 0, knowing, gatewayPort);
    }
  }

  @Test
  void firewallThatDrops() throws Exception {
    try (Closeable firewall = networks.firewall("blackhole")) {
      assertThat(firewall).isNotNull();
      report("3-firewall-that-drops", 0, knowing, gatewayPort);
    }
  }

  @Test
  void httpProxyThatWantsALogin() throws Exception {
    report(
        "4-http-proxy-that-wants-a-login",
        2,
        ignorant,
        gatewayPort,
        "--proxy",
        "proxy.example:" + boxPorts.get(0));
  }

  @Test
  void upgradeThatIsRefused() throws Exception {
    report("5-upgrade-that-is-refused", 0, ignorant, boxPorts.get(1));
  }

  @Test
  void tlsThatIsOpenedOnTheWay() throws Exception {
    report(
        "6-tls-that-is-opened-on-the-way",
        2,
        ignorant,
        gatewayPort,
        "--proxy",
        "proxy.example:" + boxPorts.get(2));
  }

  @Test
  void theSameForScripts() throws Exception {
    try (ChildJvm doctor =
        doctor("json", knowing, arguments(gatewayPort, "--json", "--idle", "0s")).start()) {
      assertThat(doctor.awaitExit(SOON)).isZero();
      JsonNode report =
          new ObjectMapper()
              .readTree(
                  doctor.output().stream()
                      .dropWhile(line -> !line.equals("{"))
                      .collect(Collectors.joining("\n")));
      assertThat(report.at("/exitCode").asInt(-1)).isZero();
      assertThat(report.at("/ways/0/works").asText()).isEqualTo("yes");
      assertThat(report.at("/stub/interfaces/0").asText()).isEqualTo("io.rmigate.sample.Hello");
      assertThat(report.at("/recommended/way").asText()).isEqualTo("direct");
      assertThat(report.at("/recommended/configured").asText()).isEqualTo("websocket");
    }
  }

  private static void report(
      String name, int exitCode, Path hosts, String port, String... furtherOptions)
      throws Exception {
    List<String> further = new ArrayList<>(List.of("--idle", "1s"));
    further.addAll(List.of(furtherOptions));
    List<String> arguments = arguments(port, further.toArray(String[]::new));
    try (ChildJvm doctor = doctor(name, hosts, arguments).start()) {
      int code = doctor.awaitExit(SOON);
      String text = withFamiliarPorts(doctor.output());
      Path golden = GOLDEN.resolve(name + ".txt");
      if ("write".equals(System.getProperty("rmigate.test.golden"))) {
        Files.createDirectories(GOLDEN);
        Files.writeString(golden, text);
      }
      assertThat(comparable(text)).as(name).isEqualTo(comparable(Files.readString(golden)));
      assertThat(code).as("exit code").isEqualTo(exitCode);
    }
  }

  private static List<String> arguments(String port, String... further) throws IOException {
    Files.copy(
        certificate.truststore(),
        directory.resolve("gateway-ca.p12"),
        StandardCopyOption.REPLACE_EXISTING);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "doctor",
                "rmi://rmi.inside.example:" + registryPort + "/Hello",
                "--gateway",
                "https://gw.example:" + port + "/rmigate",
                "--truststore",
                "gateway-ca.p12",
                "--truststore-password-file",
                "password",
                "--step",
                "20s"));
    arguments.addAll(List.of(further));
    return arguments;
  }

  private static ChildJvm.Builder doctor(String name, Path hosts, List<String> arguments) {
    return ChildJvm.named(name, directory)
        .inside(networks.outside())
        .jvmOptions("-Xmx64m", "-Djdk.net.hosts.file=" + hosts)
        .jar(BuiltArtefacts.javaagent())
        .arguments(arguments.toArray(String[]::new));
  }

  /** The report without what was said on the way to it. */
  private static String withFamiliarPorts(List<String> output) {
    String text =
        output.stream()
            .dropWhile(line -> !line.startsWith("target "))
            .collect(Collectors.joining("\n", "", "\n"));
    assertThat(text).as(String.join("\n", output)).startsWith("target ");
    for (Map.Entry<String, String> port : PORTS.entrySet()) {
      text = text.replaceAll(":" + port.getKey() + "\\b", ":" + port.getValue());
    }
    return text;
  }

  /** What depends on time, chance, the JDK and the length of numbers is left out. */
  private static String comparable(String text) {
    return text.replaceAll("\\s+", " ")
        .replaceAll("\\b\\d+ ms\\b", "N ms")
        .replaceAll("\\b[\\d.]+ s\\b", "N s")
        .replaceAll("key sha256/[^ :]+", "key sha256/…")
        .replaceAll("(leads to \\S+:)\\d+", "$1PORT")
        .replaceAll("object [0-9a-f:, ]+ factory", "object ID factory");
  }
}
