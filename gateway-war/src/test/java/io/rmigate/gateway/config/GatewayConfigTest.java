package io.rmigate.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.session.EndpointMapping;
import io.rmigate.gateway.session.SessionSettings;
import io.rmigate.gateway.session.TargetGrant;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.RegistryOperation;
import io.rmigate.protocol.tunnel.RegistryName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayConfigTest {
  private static final String SMALL =
      """
      logins:
        anonymous: true
      targets:
        - principals: [alice, bob]
          allow: ["rmi*.example:1099-1110", "[fe80::1]:*"]
      """;

  @TempDir Path directory;

  private GatewayConfig load(String yaml, Map<String, String> environment)
      throws ConfigException, IOException {
    return GatewayConfig.load(
        Files.writeString(directory.resolve("rmigate.yaml"), yaml), environment);
  }

  @Test
  void compressionIsAutoUnlessItSaysOtherwise() throws Exception {
    assertThat(load(SMALL, Map.of()).compression()).isEqualTo(CompressionPolicy.DEFAULT);
    assertThat(load(SMALL, Map.of("RMIGATE_GATEWAY_COMPRESSION_MODE", "off")).compression().mode())
        .isEqualTo(Compression.OFF);
    String yaml =
        SMALL
            + """
            compression:
              mode: on
              for:
                - principals: [alice]
                  mode: off
                - principals: [alice, bob]
                  mode: "auto"
            """;
    assertThat(load(yaml, Map.of()).compression())
        .isEqualTo(
            new CompressionPolicy(
                Compression.ON,
                List.of(
                    new CompressionPolicy.ForSome(Set.of("alice"), Compression.OFF),
                    new CompressionPolicy.ForSome(Set.of("alice", "bob"), Compression.AUTO))));
  }

  @Test
  void defaultsAreThoseOfTheSettings() throws Exception {
    GatewayConfig config = load(SMALL, Map.of());

    assertThat(config.session()).isEqualTo(SessionSettings.DEFAULTS);
    assertThat(config.relay()).isEqualTo(RelaySettings.DEFAULTS);
    assertThat(config.mapping()).hasToString(EndpointMapping.DEFAULT.toString());
    assertThat(config.listen()).hasToString("0.0.0.0:8443");
    assertThat(config.path()).isEqualTo("/rmigate");
    assertThat(config.insecure()).isFalse();
    assertThat(config.metricsOpen()).isFalse();
    assertThat(config.adminPrincipals()).isEmpty();
    assertThat(config.state()).isEqualTo(directory.resolve(".rmigate"));
    assertThat(config.drain()).isEqualTo(Duration.ofSeconds(20));
    assertThat(config.targets())
        .containsExactly(
            new TargetGrant(
                Set.of("alice", "bob"),
                List.of("rmi*.example:1099-1110", "[fe80::1]:*"),
                Set.of(RegistryOperation.LOOKUP, RegistryOperation.LIST)));
  }

  @Test
  void hostsOfStubsAreMapped() throws Exception {
    GatewayConfig config =
        load(
            SMALL
                + """
                map-loopback: false
                map:
                  - host: 172.17.*
                  - host: "*.docker.internal"
                    to: rmi.example
                  - host: "[fd00::1]"
                    to: fd00::2
                """,
            Map.of());

    assertThat(config.mapping())
        .hasToString(
            "no loopback, 172.17.*, *.docker.internal to rmi.example, [fd00::1] to fd00::2");
  }

  @Test
  void lookupsAndPreloadedNamesAreRead() throws Exception {
    GatewayConfig config =
        load(
            SMALL
                + """
                lookups:
                  poll: 2s
                  uncached: ["tmp*"]
                preload:
                  - principals: [alice]
                    names: ["rmi.example:1099/a/b", "[fe80::1]:1/x"]
                """,
            Map.of());

    assertThat(config.lookups())
        .isEqualTo(
            new LookupSettings(
                true,
                NamePatterns.of(List.of("tmp*")),
                Duration.ofSeconds(2),
                List.of(
                    new LookupSettings.Preload(
                        Set.of("alice"),
                        List.of(
                            new RegistryName(new EndpointId("rmi.example", 1099), "a/b"),
                            new RegistryName(new EndpointId("fe80::1", 1), "x"))))));
  }

  @Test
  void everyScalarHasItsVariable() throws Exception {
    GatewayConfig config =
        load(
            SMALL,
            Map.of(
                "RMIGATE_GATEWAY_SESSION_HEARTBEAT", "5s",
                "RMIGATE_GATEWAY_SESSION_STREAM_CREDIT", "64KiB",
                "RMIGATE_GATEWAY_PATH", "/",
                "RMIGATE_GATEWAY_LISTEN", "[::1]:0",
                "RMIGATE_GATEWAY_ADMIN_PRINCIPALS", "root, carol",
                "RMIGATE_GATEWAY_SERVICE_HOST", "10.0.0.1",
                "UNRELATED", "x"));

    assertThat(config.session().heartbeat()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.session().streamCredit()).isEqualTo(65536);
    assertThat(config.path()).isEmpty();
    assertThat(config.listen()).isEqualTo(new GatewayConfig.Listen("::1", 0));
    assertThat(config.adminPrincipals()).containsExactlyInAnyOrder("root", "carol");
  }

  @Test
  void aVariableMayBringASectionThatTheFileDoesNotHave() throws Exception {
    Path users = Files.writeString(directory.resolve("users"), "");
    GatewayConfig config = load(SMALL, Map.of("RMIGATE_GATEWAY_LOGINS_BASIC_USERS_FILE", "users"));

    assertThat(config.logins().usersFile()).contains(users);
    assertThat(config.referredFiles()).containsExactly(users);
  }

  @Test
  void quickFlagsMakeAConfiguration() throws Exception {
    GatewayConfig config =
        GatewayConfig.quick(
            new QuickFlags(
                Optional.of("127.0.0.1:0"),
                List.of("inside.example:*"),
                Optional.empty(),
                Optional.empty(),
                true,
                true,
                Optional.of(directory)));

    assertThat(config.source()).isEmpty();
    assertThat(config.insecure()).isTrue();
    assertThat(config.logins().anonymous()).isTrue();
    assertThat(config.state()).isEqualTo(directory);
    assertThat(config.targets()).hasSize(1);
  }

  @Test
  void quickFlagsThatOpenNothingAreRefusedWithAdvice() {
    QuickFlags nothing =
        new QuickFlags(
            Optional.of("127.0.0.1:0"),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            false,
            false,
            Optional.empty());

    assertThatThrownBy(() -> GatewayConfig.quick(nothing))
        .hasMessageContaining("add --anonymous")
        .hasMessageContaining("add --allow HOST:PORT")
        .hasMessageContaining("--insecure");
  }

  @Test
  void theFileIsFoundByPropertyThenVariableThenParameter() throws Exception {
    Map<String, String> environment = Map.of("RMIGATE_CONFIG", "variable");

    assertThat(ConfigLocation.find(Optional.of("property"), environment, Optional.of("parameter")))
        .isEqualTo(Path.of("property"));
    assertThat(ConfigLocation.find(Optional.empty(), environment, Optional.of("parameter")))
        .isEqualTo(Path.of("variable"));
    assertThat(ConfigLocation.find(Optional.of(" "), Map.of(), Optional.of("parameter")))
        .isEqualTo(Path.of("parameter"));
    assertThatThrownBy(() -> ConfigLocation.find(Optional.empty(), Map.of(), Optional.empty()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("-Drmigate.config=")
        .hasMessageContaining("RMIGATE_CONFIG");
  }
}
