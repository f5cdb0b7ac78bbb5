package io.rmigate.client.program.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfigException;
import io.rmigate.protocol.jrmp.EndpointId;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a sidecar can be told, and what it says to what it cannot be. */
class SidecarOptionsTest {
  private static final String GATEWAY = "https://gw.example/rmigate";

  @TempDir Path directory;

  private static SidecarOptions parse(String... arguments) {
    return SidecarOptions.parse(List.of(arguments), new Properties(), Map.of());
  }

  @Test
  void gatewayIsEnough() {
    SidecarOptions options = parse("--gateway", GATEWAY);
    assertThat(options.config().gateways()).containsExactly(URI.create(GATEWAY));
    assertThat(options.listen().get().getPort()).isEqualTo(1080);
    assertThat(options.listen().get().getAddress().isLoopbackAddress()).isTrue();
    assertThat(options.forwards()).isEmpty();
    assertThat(options.lease()).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void forwardsTakeThePlaceOfSocks() {
    SidecarOptions options =
        parse(
            "--gateway=" + GATEWAY,
            "--forward",
            "1099=inside.example:1099",
            "--forward=127.0.0.1:2099=[fd00::1]:1099");
    assertThat(options.listen()).isEmpty();
    assertThat(options.forwards()).hasSize(2);
    assertThat(options.forwards().get(0).target())
        .isEqualTo(new EndpointId("inside.example", 1099));
    assertThat(options.forwards().get(0).listen().getAddress().isLoopbackAddress()).isTrue();
    assertThat(options.forwards().get(1).listen().getPort()).isEqualTo(2099);
    assertThat(options.forwards().get(1).target()).isEqualTo(new EndpointId("fd00::1", 1099));
  }

  @Test
  void reversesLeadToThisMachineUnlessTheySayOtherwise() {
    SidecarOptions options =
        parse(
            "--gateway=" + GATEWAY,
            "--reverse",
            "4000",
            "--reverse=4001=14001",
            "--reverse",
            "4002=appliance.example:4002");
    assertThat(options.reverses())
        .containsExactly(
            new ReversePort(4000, new EndpointId("127.0.0.1", 4000)),
            new ReversePort(4001, new EndpointId("127.0.0.1", 14001)),
            new ReversePort(4002, new EndpointId("appliance.example", 4002)));
    assertThat(options.listen()).isPresent();
  }

  @ParameterizedTest
  @CsvSource({"0", "4000=0", "70000", "4000=x", "gw.inner:4000", "4000=70000", "4000|4000", "''"})
  void aReverseIsAPortOnce(String text) {
    assertThatThrownBy(() -> parse("--gateway", GATEWAY, "--reverse", text))
        .isInstanceOf(ClientConfigException.class)
        .hasMessageContaining("--reverse");
  }

  @Test
  void theSidecarNeedsAWayOverTheLink() {
    assertThatThrownBy(() -> parse("--gateway", GATEWAY, "--way", "direct|connect"))
        .isInstanceOf(ClientConfigException.class)
        .hasMessageContaining("way: 'direct|connect' does not use the gateway");
  }

  @Test
  void optionsCountMoreThanTheFileAndTheFileMoreThanTheEnvironment() throws Exception {
    Path file = directory.resolve("sidecar.conf");
    Files.writeString(
        file,
        """
        gateway = https://file.example/rmigate
        grace = 10s
        lease = 30s
        forward = 1=a:1|2=b:2
        """);
    SidecarOptions options =
        SidecarOptions.parse(
            List.of("--config", file.toString(), "--lease", "5s"),
            new Properties(),
            Map.of(
                "RMIGATE_GRACE", "20s", "RMIGATE_TUNNEL", "env.example:*", "RMIGATE_GATEWAY", "x"));
    assertThat(options.config().gatewayList()).isEqualTo("https://file.example/rmigate");
    assertThat(options.config().grace()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options.config().tunnels("env.example", 1)).isTrue();
    assertThat(options.config().tunnels("other.example", 1)).isFalse();
    assertThat(options.lease()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.forwards()).hasSize(2);
  }

  @Test
  void otherMachinesAreLetInOnlyWithAFlagAndAGuard() throws Exception {
    Path password = Files.writeString(directory.resolve("password"), "secret\n");
    assertThatThrownBy(() -> parse("--gateway", GATEWAY, "--listen", "0.0.0.0:1080"))
        .hasMessageContaining("--allow-remote");
    assertThatThrownBy(
            () -> parse("--gateway", GATEWAY, "--listen", "0.0.0.0:1080", "--allow-remote"))
        .hasMessageContaining("--clients");
    assertThat(
            parse(
                    "--gateway",
                    GATEWAY,
                    "--listen",
                    "0.0.0.0:1080",
                    "--allow-remote",
                    "--socks-user",
                    "ann",
                    "--socks-password-file",
                    password.toString())
                .login()
                .get()
                .user())
        .isEqualTo("ann");
    assertThat(
            parse(
                    "--gateway",
                    GATEWAY,
                    "--listen",
                    "0.0.0.0:1080",
                    "--allow-remote",
                    "--clients",
                    "192.0.2.1|192.0.2.2")
                .clients())
        .containsExactlyInAnyOrder(
            InetAddress.getAllByName("192.0.2.1")[0], InetAddress.getAllByName("192.0.2.2")[0]);
    assertThatThrownBy(
            () ->
                parse(
                    "--gateway",
                    GATEWAY,
                    "--forward",
                    "0.0.0.0:1=a:1",
                    "--allow-remote",
                    "--socks-user",
                    "ann",
                    "--socks-password-file",
                    password.toString()))
        .hasMessageContaining("--clients"); // a forward asks no client for a password
  }

  @ParameterizedTest
  @CsvSource({
    "--listen x, no gateway", // what is missing is said first
    "--gateway, has no value",
    "gateway, expected an option",
    "--gatway x, did you mean gateway?",
    "--what x, unknown",
    "--gateway https://a/b --gateway https://a/c, is given twice",
    "--gateway ftp://a/b, option --gateway",
    "--gateway https://a/b --listen 1080, is not HOST:PORT",
    "--gateway https://a/b --listen 127.0.0.1:99999, is not a port",
    "--gateway https://a/b --forward 1099, is not [HOST:]PORT=HOST:PORT",
    "--gateway https://a/b --forward 1099=a:0, names no server",
    "--gateway https://a/b --lease 0s, is not 1s to 1h",
    "--gateway https://a/b --socks-user ann, must be given together",
    "--gateway https://a/b --config /nowhere, cannot be read"
  })
  void whatCannotBeUsedIsSaidInALine(String line, String said) {
    String arguments = line.equals("--listen x") ? "--listen 127.0.0.1:1" : line;
    assertThatThrownBy(() -> parse(arguments.split(" ")))
        .isInstanceOf(ClientConfigException.class)
        .hasMessageContaining(said)
        .extracting(failure -> failure.getMessage().lines().count())
        .isEqualTo(1L);
  }

  @Test
  void helpNamesEveryOptionOfItsOwn() {
    for (String name :
        List.of(
            "--listen",
            "--forward",
            "--socks-user",
            "--socks-password-file",
            "--allow-remote",
            "--clients",
            "--lease",
            "--config")) {
      assertThat(SidecarOptions.HELP).contains(name);
    }
  }
}
