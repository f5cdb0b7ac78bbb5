package io.rmigate.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.config.GatewayConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostNamesTest {
  private static final String LEAST =
      """
      insecure: true
      listen: Listening.example:0
      admin:
        listen: localhost:0
      logins:
        anonymous: true
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      """;

  private static final String NAMED =
      LEAST
          + """
          hosts: [Gw.example, "*.tenants.example"]
          services:
            url: https://services.example:8443/rmigate
          callbacks:
            address: 127.0.0.1
            host: callbacks.example
            from: [127.0.0.1]
            allow:
              - principals: ["*"]
          """;

  private static final Set<String> CERTIFICATE = Set.of("cert.example", "*.wild.example");

  @TempDir Path directory;

  private GatewayConfig config(String yaml) throws Exception {
    return GatewayConfig.load(Files.writeString(directory.resolve("rmigate.yaml"), yaml), Map.of());
  }

  private static HostNames standalone(GatewayConfig config, Set<String> ofCertificates) {
    return HostNames.ofStandalone(config.hostNames(), config.listeningHosts(), ofCertificates);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "203.0.113.9:8443",
        "[::1]",
        "[2001:db8::1]:443",
        "2001:db8::1", // as containers give it
        "localhost",
        "LOCALHOST:8080",
        "localhost.",
        "gw.example",
        "GW.Example.:8443",
        "gw.example:",
        "a.tenants.example",
        "a.b.tenants.example:1",
        "services.example",
        "callbacks.example",
        "listening.example",
        "cert.example",
        "any.wild.example:8443"
      })
  void requestsForItsNamesAndForAddressesAreAccepted(String authority) throws Exception {
    HostNames names = standalone(config(NAMED), CERTIFICATE);

    assertThat(names.accepts(authority)).isTrue();
    assertThat(names.isAny()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":80",
        ".",
        "evil.example",
        "evil.example:8443",
        "gw.example.evil.example",
        "evil.gw.example",
        "evil-gw.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil.localhost.example",
        "tenants.example",
        "wild.example",
        "a.b.wild.example",
        "*.wild.example.evil.example",
        "rmi.example", // a target
        "2130706433",
        "0x7f.1",
        "gw.example:80:80",
        "gw.example@evil.example",
        "gw.example/",
        "gw.example, evil.example",
        "[gw.example]",
        "[::1].evil.example",
        "gw.example:x"
      })
  void requestsForOtherNamesAreNot(String authority) throws Exception {
    HostNames names = standalone(config(NAMED), CERTIFICATE);

    assertThat(names.accepts(authority)).isFalse();
  }

  @Test
  void aStandaloneGatewayWithoutNamesAcceptsAddressesAndLocalhost() throws Exception {
    String nameless = LEAST.replace("Listening.example", "0.0.0.0");
    HostNames names = standalone(config(nameless), Set.of());

    assertThat(names.isAny()).isFalse();
    assertThat(names.accepts("127.0.0.1:8080")).isTrue();
    assertThat(names.accepts("localhost:8080")).isTrue();
    assertThat(names.accepts("gw.example")).isFalse();
  }

  @Test
  void anApplicationAcceptsEveryNameUntilItKnowsOne() throws Exception {
    HostNames nameless = HostNames.ofApplication(config(LEAST).hostNames());
    assertThat(nameless.isAny()).as("listen means nothing there").isTrue();
    assertThat(nameless.accepts("evil.example")).isTrue();

    String address = LEAST + "services: {url: 'https://203.0.113.9/rmigate'}\n";
    assertThat(HostNames.ofApplication(config(address).hostNames()).isAny()).isTrue();

    HostNames named = HostNames.ofApplication(config(LEAST + "hosts: [gw.example]\n").hostNames());
    assertThat(named.isAny()).isFalse();
    assertThat(named.accepts("gw.example:8443")).isTrue();
    assertThat(named.accepts("localhost")).isTrue();
    assertThat(named.accepts("203.0.113.9")).isTrue();
    assertThat(named.accepts("evil.example")).isFalse();
    assertThat(named.accepts("listening.example")).isFalse();
  }

  @Test
  void aStarStandsForEveryName() throws Exception {
    HostNames names = standalone(config(LEAST + "hosts: ['*']\n"), Set.of());

    assertThat(names.isAny()).isTrue();
    assertThat(names.accepts("evil.example")).isTrue();
  }
}
