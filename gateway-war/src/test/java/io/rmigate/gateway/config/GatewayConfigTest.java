package io.rmigate.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.services.ServiceSettings;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.session.SessionSettings;
import io.rmigate.gateway.testing.LogLines;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.RegistryName;
import java.io.IOException;
import java.net.InetAddress;
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
  void anEmptyListOfRegistryOperationsGrantsNoneAndNoListWhatIsUsual() throws Exception {
    assertThat(load(SMALL + "    registry: []\n", Map.of()).policy().targets())
        .singleElement()
        .satisfies(grant -> assertThat(grant.registry()).isEmpty());
    assertThat(load(SMALL, Map.of()).policy().targets())
        .singleElement()
        .satisfies(grant -> assertThat(grant.registry()).isNotEmpty());
  }

  @Test
  void callbacksAreOffUnlessTheConfigurationSaysWhereAndForWhom() throws Exception {
    assertThat(load(SMALL, Map.of()).inside().callbacks()).isEmpty();
    String least =
        SMALL
            + """
            callbacks:
              address: 10.0.1.5
              from: ["10.0.1.*"]
              allow:
                - principals: ["*"]
            """;
    assertThat(load(least, Map.of()).inside().callbacks())
        .contains(
            new CallbackSettings(
                InetAddress.getByName("10.0.1.5"),
                "10.0.1.5",
                new CallbackSettings.ListenerPorts(PortRange.ANY, Duration.ofMinutes(15)),
                InnerPeers.of(List.of("10.0.1.*")),
                List.of(
                    new CallbackSettings.Allowance(
                        Set.of("*"), CallbackSettings.MAX_PORTS, List.of())),
                new CallbackSettings.ConnectionLimits(
                    CallbackSettings.MAX_CONNECTIONS, CallbackSettings.MAX_CONNECTIONS_IN_ALL),
                Duration.ofMinutes(10)));
    String all =
        SMALL
            + """
            callbacks:
              address: "[fd00::5]"
              host: gw.inner.example
              ports: 40000-40999
              from: [10.0.0.0/8, rmi.example]
              max-connections: 10
              max-connections-in-all: 20
              quarantine: 0s
              lease: 30s
              allow:
                - principals: [alice]
                  max-ports: 2
                  explicit: [1099, 5000-5010]
                - principals: [bob]
            """;
    CallbackSettings callbacks = load(all, Map.of()).inside().callbacks().orElseThrow();
    assertThat(callbacks.address()).isEqualTo(InetAddress.getByName("fd00::5"));
    assertThat(callbacks.host()).isEqualTo("gw.inner.example");
    assertThat(callbacks.ports().range()).isEqualTo(new PortRange(40_000, 40_999));
    assertThat(callbacks.from()).isEqualTo(InnerPeers.of(List.of("10.0.0.0/8", "rmi.example")));
    assertThat(callbacks.allow().get(0))
        .isEqualTo(
            new CallbackSettings.Allowance(
                Set.of("alice"), 2, List.of(new PortRange(1099, 1099), new PortRange(5000, 5010))));
    assertThat(callbacks.allow().get(1).explicit()).isEmpty();
    assertThat(callbacks.connections().ofSession()).isEqualTo(10);
    assertThat(callbacks.connections().inAll()).isEqualTo(20);
    assertThat(callbacks.ports().quarantine()).isZero();
    assertThat(callbacks.lease()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void compressionIsAutoUnlessItSaysOtherwise() throws Exception {
    assertThat(load(SMALL, Map.of()).tunnel().compression()).isEqualTo(CompressionPolicy.DEFAULT);
    assertThat(
            load(SMALL, Map.of("RMIGATE_GATEWAY_COMPRESSION_MODE", "off"))
                .tunnel()
                .compression()
                .mode())
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
    assertThat(load(yaml, Map.of()).tunnel().compression())
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

    assertThat(config.tunnel().session()).isEqualTo(SessionSettings.DEFAULTS);
    assertThat(config.inside().relay()).isEqualTo(RelaySettings.DEFAULTS);
    assertThat(config.inside().leases()).isEqualTo(LeaseSettings.DEFAULTS);
    assertThat(config.tunnel().lookups()).isEqualTo(LookupSettings.DEFAULTS);
    assertThat(config.tunnel().grants()).isEqualTo(GrantSettings.DEFAULTS);
    assertThat(config.webServices().services()).isEqualTo(ServiceSettings.DEFAULTS);
    assertThat(config.policy().restraints()).isEqualTo(Restraints.DEFAULTS);
    assertThat(config.tunnel().compression()).isEqualTo(CompressionPolicy.DEFAULT);
    assertThat(config.policy().classes()).isEqualTo(ClassSettings.DEFAULT);
    assertThat(config.policy().mapping()).hasToString(EndpointMapping.DEFAULT.toString());
    assertThat(config.server().listen()).hasToString("0.0.0.0:8443");
    assertThat(config.server().path()).isEqualTo("/rmigate");
    assertThat(config.server().insecure()).isFalse();
    assertThat(config.access().metricsOpen()).isFalse();
    assertThat(config.access().adminPrincipals()).isEmpty();
    assertThat(config.operation().state()).isEqualTo(directory.resolve(".rmigate"));
    assertThat(config.operation().drain()).isEqualTo(Duration.ofSeconds(20));
    assertThat(config.policy().targets())
        .containsExactly(
            new TargetGrant(
                Set.of("alice", "bob"),
                List.of("rmi*.example:1099-1110", "[fe80::1]:*"),
                Set.of(RegistryOperation.LOOKUP, RegistryOperation.LIST)));
  }

  @Test
  void withoutAWordClassRulesAreEnforced() throws Exception {
    assertThat(load(SMALL, Map.of()).policy().classes()).isEqualTo(ClassSettings.DEFAULT);
    assertThat(load(SMALL + "classes: {call-limit: 1MiB}", Map.of()).policy().classes().mode())
        .isEqualTo(ClassMode.ENFORCE);
    assertThat(load(SMALL + "classes: {mode: off}", Map.of()).policy().classes().mode())
        .isEqualTo(ClassMode.OFF);
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

    assertThat(config.policy().mapping())
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

    assertThat(config.tunnel().lookups())
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
  void variablesOverrideTheFileAndMayHoldLists() throws Exception {
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

    assertThat(config.tunnel().session().heartbeat()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.tunnel().session().limits().streamCredit()).isEqualTo(65536);
    assertThat(config.server().path()).isEmpty();
    assertThat(config.server().listen()).isEqualTo(new GatewayConfig.Listen("::1", 0));
    assertThat(config.access().adminPrincipals()).containsExactlyInAnyOrder("root", "carol");
  }

  @Test
  void aVariableMayBringASectionThatTheFileDoesNotHave() throws Exception {
    Path users = Files.writeString(directory.resolve("users"), "");
    GatewayConfig config = load(SMALL, Map.of("RMIGATE_GATEWAY_LOGINS_BASIC_USERS_FILE", "users"));

    assertThat(config.access().logins().usersFile()).contains(users);
    assertThat(config.referredFiles()).containsExactly(users);
  }

  @Test
  void quickFlagsMakeAConfiguration() throws Exception {
    GatewayConfig config =
        GatewayConfig.quick(
            new QuickFlags(
                new QuickFlags.Door(
                    Optional.of("127.0.0.1:0"), Optional.empty(), Optional.empty(), true, true),
                List.of("inside.example:*"),
                List.of(),
                Optional.empty(),
                Optional.of(directory),
                Optional.of("90s"),
                rules(false, Optional.empty(), true)));

    assertThat(config.policy().targets().get(0).explain()).isTrue();
    assertThat(config.source()).isEmpty();
    assertThat(config.server().insecure()).isTrue();
    assertThat(config.access().logins().anonymous()).isTrue();
    assertThat(config.operation().state()).isEqualTo(directory);
    assertThat(config.tunnel().session().grace()).isEqualTo(Duration.ofSeconds(90));
    assertThat(config.policy().targets()).hasSize(1);
    assertThat(config.policy().classes().mode()).isEqualTo(ClassMode.ENFORCE);
  }

  @Test
  void quickFlagsLearnAndNameInterfaces() throws Exception {
    GatewayConfig config = quick("127.0.0.1:0", true, Optional.of(directory));

    assertThat(config.policy().classes().mode()).isEqualTo(ClassMode.LEARN);
    assertThat(config.policy().classes().interfaces()).contains(directory);
  }

  @Test
  void quickFlagsListenForCallbacksOfThisMachineOnly() throws Exception {
    for (String listen : List.of("127.0.0.1:0", "localhost:8080", "[::1]:8080")) {
      CallbackSettings callbacks = quick(listen).inside().callbacks().orElseThrow();
      assertThat(callbacks.address().isLoopbackAddress()).isTrue();
      assertThat(callbacks.from()).isEqualTo(InnerPeers.of(List.of("127.*")));
    }
    for (String listen : List.of("0.0.0.0:0", "[::]:0", "10.0.1.5:8080", "gw.example:8080")) {
      assertThat(quick(listen).inside().callbacks()).isEmpty();
    }
  }

  private GatewayConfig quick(String listen) throws ConfigException {
    return quick(listen, false, Optional.empty());
  }

  private GatewayConfig quick(String listen, boolean learn, Optional<Path> interfaces)
      throws ConfigException {
    return GatewayConfig.quick(
        new QuickFlags(
            new QuickFlags.Door(
                Optional.of(listen), Optional.empty(), Optional.empty(), true, true),
            List.of("inside.example:*"),
            List.of(),
            Optional.empty(),
            Optional.of(directory),
            Optional.empty(),
            rules(learn, interfaces, false)));
  }

  private static QuickFlags.Rules rules(boolean learn, Optional<Path> interfaces, boolean explain) {
    return new QuickFlags.Rules(
        Optional.empty(),
        learn,
        interfaces,
        List.of(),
        List.of(),
        new QuickFlags.Jmx(false, false),
        explain);
  }

  @Test
  void graceShorterThanThreeHeartbeatsIsWarnedOf() throws Exception {
    try (LogLines log = new LogLines(ConfigReader.class)) {
      load(SMALL + "session: {heartbeat: 20s, grace: 60s}\n", Map.of());
      load(SMALL + "session: {heartbeat: 20s, grace: 0s}\n", Map.of());
      assertThat(log.all()).isEmpty();

      load(SMALL + "session: {heartbeat: 20s, grace: 59s}\n", Map.of());

      assertThat(log.all())
          .singleElement()
          .asString()
          .contains("session.grace is 59s, shorter than three heartbeats of 20s");
    }
  }

  @Test
  void quarantineThatALeaseOutlivesIsWarnedOf() throws Exception {
    String callbacks =
        SMALL
            + "callbacks: {address: 10.0.1.5, from: [10.0.1.5], allow: [{principals: [a]}],"
            + " lease: 10s, quarantine: ";
    try (LogLines log = new LogLines(CallbacksReader.class)) {
      load(callbacks + "11s}\n", Map.of());
      assertThat(log.all()).isEmpty();
      load(callbacks + "10s}\n", Map.of());
      assertThat(log.all())
          .singleElement()
          .asString()
          .contains("callbacks.quarantine is 10s, no longer than callbacks.lease of 10s");
    }
  }

  @Test
  void quickFlagsThatOpenNothingAreRefusedWithAdvice() {
    QuickFlags nothing =
        new QuickFlags(
            new QuickFlags.Door(
                Optional.of("127.0.0.1:0"), Optional.empty(), Optional.empty(), false, false),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            QuickFlags.Rules.NONE);

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
