package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.testing.LogLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands that end by themselves; serving is tested with the WAR. */
class StandaloneTest {
  private static final String GOOD =
      """
      insecure: true
      logins:
        anonymous: true
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      """;

  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine commandLine = Standalone.commandLine(() -> {});
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }

  private int check(String yaml) throws Exception {
    Path file = Files.writeString(directory.resolve("rmigate.yaml"), yaml);
    return run("--config", file.toString(), "--check");
  }

  @Test
  void checkSaysOk() throws Exception {
    assertThat(check(GOOD)).isZero();
    assertThat(out).hasToString("OK" + System.lineSeparator());
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void checkPrintsEveryError() throws Exception {
    assertThat(check(GOOD.replace("rmi.example:*", "rmi.example") + "pth: /\n")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.matches(".*rmigate\\.yaml:[67]: .*"));
  }

  private void assertCheck(String yaml, String problem) throws Exception {
    err.getBuffer().setLength(0);
    assertThat(check(yaml)).isEqualTo(2);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith(directory.resolve("rmigate.yaml") + problem);
  }

  @Test
  void aTabIsNamedWithItsLineAndRemedy() throws Exception {
    String remedy = "a tab cannot stand here; use blanks";
    assertCheck(GOOD.replace("  anonymous", "\tanonymous"), ":3: not YAML: " + remedy);
    assertCheck(GOOD.replace("    allow:", "\t  allow:"), ":6: not YAML: " + remedy);
    assertCheck(GOOD.replace("anonymous: ", "anonymous:\t"), ":3: not YAML: " + remedy);
  }

  @Test
  void anUnquotedStarIsNamedWithItsLineAndRemedy() throws Exception {
    String remedy = "a value that begins with * must stand in quotes, such as \"*\"";
    assertCheck(GOOD.replace("[\"*\"]", "[*]"), ":5: not YAML: " + remedy);
    assertCheck(GOOD.replace("[\"*\"]", "*"), ":5: not YAML: " + remedy);
    assertCheck(GOOD.replace("[\"*\"]", "\n    - *"), ":6: not YAML: " + remedy);
    assertCheck(GOOD.replace("[\"rmi.example:*\"]", "[*:1099]"), ":6: not YAML: " + remedy);
  }

  @Test
  void whatIsIndentedDifferentlyIsNamedByItsOwnLine() throws Exception {
    assertCheck(
        GOOD + "     registry: [lookup]\n",
        ":7: not YAML: while parsing a block mapping: expected <block end>, but found");
  }

  @Test
  void keysInPemAreNamedWithTheirLineAndRemedy() throws Exception {
    String pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    Path keys = Files.writeString(directory.resolve("gateway.pem"), pem);
    Files.writeString(directory.resolve("password"), "secret\n");
    String tls =
        "tls:\n  keystore: gateway.pem\n  password-file: password\n"
            + GOOD.replace("insecure: true\n", "");
    assertCheck(
        tls,
        ":2: tls.keystore: "
            + keys
            + " is PEM; make a PKCS12 file of it: openssl pkcs12 -export -in "
            + keys);
    Files.write(directory.resolve("gateway.p12"), new byte[] {1});
    assertCheck(
        tls.replace("gateway.pem", "gateway.p12")
            .replace("tls:\n", "tls:\n  client-auth: need\n  truststore: gateway.pem\n"),
        ":3: tls.truststore: " + keys + " is PEM; make a PKCS12 file of it: keytool -importcert");
  }

  /** Only a check: the address may come later, or the file be for another machine. */
  @Test
  void anAddressForCallbacksThatIsNotOfThisMachineIsNamedByTheCheck() throws Exception {
    String yaml =
        GOOD
            + """
              callbacks:
                address: 192.0.2.77
                from: ["127.0.0.1"]
                allow:
                  - principals: ["*"]
              """;
    assertCheck(
        yaml,
        ":8: callbacks.address: 192.0.2.77 is not an address of this machine, so the gateway cannot"
            + " listen there; use one of: ");
    assertThat(err.toString()).contains("127.0.0.1");
    assertThat(check(yaml.replace("192.0.2.77", "127.0.0.1"))).isZero();
    Path file = Files.writeString(directory.resolve("rmigate.yaml"), yaml);
    try (LogLines log = new LogLines("io.rmigate.gateway.config")) {
      assertThat(GatewayConfig.load(file, Map.of()).inside().callbacks()).isPresent();
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains(
              "rmigate.yaml:8: callbacks.address: 192.0.2.77 is not an address of this machine");
    }
  }

  @Test
  void checkLooksIntoTheFilesThatAreNamed() throws Exception {
    Files.writeString(directory.resolve("users"), "alice:secret\n");
    Files.writeString(directory.resolve("keys.json"), "[]");

    assertThat(check(GOOD.replace("anonymous: true", "basic: {users-file: users}"))).isEqualTo(2);
    assertThat(err.toString()).contains("users:1: logins.basic.users-file: is not name:hash");
    assertThat(
            check(
                GOOD.replace(
                    "anonymous: true", "bearer: {jwks: keys.json, issuer: i, audience: a}")))
        .isEqualTo(2);
    assertThat(err.toString()).contains("keys.json: logins.bearer.jwks: is not a JSON Web Key Set");
  }

  @Test
  void checkReadsTheJarsOfInterfacesAsAStartDoes() throws Exception {
    Path jars = Files.createDirectory(directory.resolve("lib"));
    String yaml = GOOD + "classes: {interfaces: lib}\n";
    assertThat(check(yaml)).isEqualTo(2);
    assertThat(err.toString())
        .contains("rmigate.yaml: classes.interfaces: no jar in ")
        .contains("has a remote interface with methods; 0 found");
    Files.writeString(jars.resolve("broken.jar"), "no zip");
    assertThat(check(yaml)).isEqualTo(2);
    assertThat(err.toString()).contains("broken.jar");
  }

  @Test
  void neitherTlsNorInsecureIsExplained() throws Exception {
    assertThat(check(GOOD.replace("insecure: true\n", ""))).isEqualTo(2);
    assertThat(err.toString()).contains("--tls-password-file", "--insecure");
    assertThat(run("--anonymous", "--allow", "a:1")).isEqualTo(2);
  }

  @Test
  void fileAndFlagsExcludeEachOther() throws Exception {
    Path file = Files.writeString(directory.resolve("rmigate.yaml"), GOOD);

    assertThat(run("--config", file.toString(), "--insecure")).isEqualTo(2);
    assertThat(err.toString()).contains("cannot be combined with");
  }

  @Test
  void whatIsWrongWithACommandIsSaidLast() {
    assertThat(run("--confg")).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly("Unknown option: '--confg'", "Possible solutions: --config");
    err.getBuffer().setLength(0);
    assertThat(run("audit", "verify")).isEqualTo(2);
    assertThat(err.toString()).startsWith("Usage: rmigate audit verify");
    assertThat(err.toString().lines().reduce((first, last) -> last))
        .hasValueSatisfying(last -> assertThat(last).startsWith("Missing required parameter"));
  }

  @Test
  void whatFlagsSayIsPrintedAsAFileThatIsRight() throws Exception {
    assertThat(
            run(
                "--print-config",
                "--anonymous",
                "--insecure",
                "--allow",
                "localhost:*",
                "--class-mode",
                "learn",
                "--classes",
                "com.acme.*",
                "--opaque",
                "com.acme.Old",
                "--jmx-read",
                "--raw",
                "tls.example:443",
                "--callbacks",
                "--listen",
                "127.0.0.1:0",
                "--explain"))
        .isZero();
    String printed = out.toString();
    assertThat(printed)
        .contains(
            "mode: learn",
            "com.acme.*",
            "- com.acme.Old",
            "jmx: read",
            "'tls.example:443'",
            "explain: true")
        .endsWith("explain: true\n");
    assertThat(check(printed)).isZero();
  }

  @Test
  void ofAFileNothingIsPrinted() throws Exception {
    Path file = Files.writeString(directory.resolve("rmigate.yaml"), GOOD);
    assertThat(run("--config", file.toString(), "--print-config")).isEqualTo(2);
    assertThat(err.toString()).contains("remove --config");
    assertThat(run("--print-config")).isEqualTo(2);
  }

  @Test
  void withoutAnythingItSaysWhatToDo() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("--config FILE", "--anonymous");
  }

  @Test
  void versionAndHelpArePrinted() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("rmigate ").contains("Java ");
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .contains(
            "hash-password",
            "--class-mode",
            "--classes",
            "--opaque",
            "--jmx",
            "--jmx-read",
            "--raw",
            "--callbacks",
            "--explain",
            "--print-config");
  }

  @Test
  void anAddressInUseIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();

      assertThat(run("--listen", address, "--insecure", "--anonymous", "--allow", "a:1"))
          .isEqualTo(1);
      assertThat(err.toString()).startsWith("rmigate: cannot listen on " + address + ": ");
    }
  }

  @Test
  void aNameThatCannotStandInAUsersFileIsRefused() {
    assertThat(run("hash-password", "a:b")).isEqualTo(2);
    assertThat(err.toString()).contains("contain a colon");
  }
}
