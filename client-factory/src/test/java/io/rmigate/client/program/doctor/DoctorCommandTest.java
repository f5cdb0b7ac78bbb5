package io.rmigate.client.program.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.config.ConfigKey;
import io.rmigate.testing.RefusingPort;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against the JDK's own servers on this machine; real networks are the matter of gateway-war. */
class DoctorCommandTest {
  interface Bell extends Remote {}

  private static final class SilentBell implements Bell {}

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private RefusingPort refusing;

  @BeforeEach
  void refuse() throws Exception {
    refusing = new RefusingPort();
  }

  @AfterEach
  void refuseNoMore() throws Exception {
    refusing.close();
  }

  @Test
  void plainRmiThatWorksNeedsNothing() throws Exception {
    Bell bell = new SilentBell();
    try (ListeningRegistry registry = ListeningRegistry.start()) {
      registry.bind("bell", UnicastRemoteObject.exportObject(bell, 0));

      int code = doctor("rmi://127.0.0.1:" + registry.port() + "/bell", "--proxy", "none");

      assertThat(text(out)).contains("Plain RMI works from here. There is nothing to configure.");
      assertThat(text(out)).contains("interfaces  " + Bell.class.getName());
      assertThat(text(out)).contains("=> yes     -        -          -     way=direct");
      assertThat(code).isZero();
    } finally {
      UnicastRemoteObject.unexportObject(bell, true);
    }
  }

  @Test
  void aRegistryThatIsReachedSaysNothingOfItsObjects() throws Exception {
    try (ListeningRegistry registry = ListeningRegistry.start()) {
      int code = doctor("rmi://127.0.0.1:" + registry.port(), "--proxy", "none");

      assertThat(text(out))
          .contains("Plain RMI reaches the registry from here.")
          .doesNotContain("There is nothing to configure");
      assertThat(code).isZero();
    }
  }

  @Test
  void nameThatIsNotBoundIsToldWithThoseThatAre() throws Exception {
    Bell bell = new SilentBell();
    try (ListeningRegistry registry = ListeningRegistry.start()) {
      registry.bind("bell", UnicastRemoteObject.exportObject(bell, 0));

      int code = doctor("rmi://127.0.0.1:" + registry.port() + "/gong", "--proxy", "none");

      assertThat(text(out))
          .contains("registry.not-bound")
          .contains("Names that are bound there: bell.");
      assertThat(code).isEqualTo(Diagnosis.WITH_WARNINGS);
    } finally {
      UnicastRemoteObject.unexportObject(bell, true);
    }
  }

  @Test
  void nobodyThereIsNoWay() throws Exception {
    int port = refusing.number();

    int code = doctor("rmi://127.0.0.1:" + port + "/bell", "--proxy", "none");

    assertThat(text(out)).contains("direct.refused").contains("no way leads there");
    assertThat(text(err)).contains("direct     no");
    assertThat(code).isEqualTo(Diagnosis.NO_WAY);
  }

  @Test
  void gatewayThatIsNotThereIsAProblemForBothItsWays() throws Exception {
    int port = refusing.number();

    int code = doctor("--gateway", "http://127.0.0.1:" + port + "/r", "--proxy", "none", "--json");

    assertThat(text(out))
        .contains("\"code\": \"gateway.refused\"")
        .contains("\"obstacle\": \"refused\"")
        .contains("\"exitCode\": 2");
    assertThat(code).isEqualTo(Diagnosis.NO_WAY);
  }

  @Test
  void whatIsNotUnderstoodHasACodeOfItsOwn() throws Exception {
    assertThat(doctor("rmi://a/b", "rmi://c/d")).isEqualTo(64);
    assertThat(doctor("--gatway", "x")).isEqualTo(64);
    assertThat(text(err)).contains("did you mean gateway?");
  }

  @Test
  void helpNamesOptionsExitCodesAndKeys() throws Exception {
    assertThat(doctor("--help")).isZero();
    assertThat(text(out)).contains("--idle").contains("64 ").contains(ConfigKey.PROXY.key());
  }

  @Test
  void passwordWithinTheUrlOfAProxyIsNeverPrinted() throws Exception {
    int port = refusing.number();
    doctor(
        "rmi://127.0.0.1:" + port + "/bell",
        "--gateway",
        "http://127.0.0.1:" + port + "/r",
        "--proxy",
        "http://ann:hunter2@127.0.0.1:" + port);

    assertThat(text(out) + text(err)).doesNotContain("hunter2");
  }

  private int doctor(String... arguments) throws Exception {
    return DoctorCommand.run(
        List.of(arguments),
        Map.of("client", "test"),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
