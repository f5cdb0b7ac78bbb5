package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
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
    assertThat(err.toString()).contains("exclude each other");
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
  void withoutAnythingItSaysWhatToDo() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("--config FILE", "--anonymous");
  }

  @Test
  void versionAndHelpArePrinted() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("rmigate ").contains("Java ");
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("hash-password");
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
    assertThat(err.toString()).contains("no colon");
  }
}
