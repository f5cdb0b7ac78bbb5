package io.rmigate.gateway.edge;

import static io.rmigate.gateway.login.UserLines.user;
import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditLines;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.Handshake;
import io.rmigate.gateway.testing.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who gets through the door of the tunnel, and who he is taken for, asked byte by byte. */
class TunnelDoorTest {
  private static final String YAML =
      """
      insecure: true
      state: state
      logins:
        basic:
          users-file: users
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      audit:
        path: audit.jsonl
      """;

  private static final String SWITCHING = "HTTP/1.1 101";

  @TempDir Path directory;

  @BeforeEach
  void users() throws IOException {
    Files.writeString(directory.resolve("users"), user("alice", "wonder"));
  }

  /** The first line of the answer to a handshake with some headers more. */
  private static String upgrade(RunningGateway gateway, String query, String... headers)
      throws IOException {
    return Handshake.ask(gateway.uri(), query, headers).get(0);
  }

  private static String alice() {
    return "Authorization: " + basic("alice", "wonder");
  }

  private List<JsonNode> logins() throws IOException {
    return AuditLines.of(AuditEvent.LOGIN, directory.resolve("audit.jsonl"));
  }

  /** THREATS T40, F10: a request with an Origin comes from a web page. */
  @Test
  void anyOriginIsRefusedWhateverTheLogin() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, YAML)) {
      assertThat(upgrade(gateway, "", alice())).startsWith(SWITCHING);
      for (String origin :
          List.of(
              "https://evil.example",
              "http://gw.example",
              "https://gw.example",
              "https://gw.example:443",
              "https://gw.example:8443",
              "https://gw.example.evil.example",
              "https://evil.example/gw.example",
              "http://127.0.0.1:" + gateway.uri().getPort(),
              "https://GW.EXAMPLE",
              "null",
              "file://",
              "")) {
        assertThat(upgrade(gateway, "", alice(), "Origin: " + origin))
            .as(origin)
            .startsWith("HTTP/1.1 403");
      }
    }
    assertThat(logins()).as("no password was checked").hasSize(1);
    assertThat(AuditLines.of(AuditEvent.DOOR, directory.resolve("audit.jsonl")))
        .hasSize(12)
        .allSatisfy(line -> assertThat(line.get("rule").asText()).isEqualTo("web-page"));
  }

  private static boolean isLetIn(RunningGateway gateway, AtomicInteger shutOut) throws IOException {
    String answer = upgrade(gateway, "", alice());
    if (answer.startsWith("HTTP/1.1 503")) {
      shutOut.incrementAndGet();
    }
    return answer.startsWith(SWITCHING);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whoIsShutOutByAFullAuditIsALineOfItAsSoonAsItCanBeWritten() throws Exception {
    Path audit = directory.resolve("audit.jsonl");
    Files.createSymbolicLink(audit, Path.of("/dev/full"));
    AtomicInteger shutOut = new AtomicInteger();
    try (RunningGateway gateway = RunningGateway.start(directory, YAML + "  when-full: refuse\n")) {
      await().until(() -> !isLetIn(gateway, shutOut));
      Files.delete(audit); // there is room again
      await().until(() -> isLetIn(gateway, shutOut));
    }
    assertThat(AuditLines.of(AuditEvent.DOOR, audit))
        .hasSize(shutOut.get())
        .allSatisfy(
            line -> {
              assertThat(line.get("rule").asText()).isEqualTo("audit-full");
              assertThat(line.get("status").asInt()).isEqualTo(503);
              assertThat(line.get("door").asText()).isEqualTo("/tunnel");
              assertThat(line.has("principal")).isFalse();
            });
  }

  @Test
  void anOriginThatIsListedOpensTheTunnelWithALoginAndNoOtherDoes() throws Exception {
    try (RunningGateway gateway =
        RunningGateway.start(
            directory, YAML + "origins: ['https://Console.example:443', 'http://127.0.0.1:9']\n")) {
      assertThat(upgrade(gateway, "", "Origin: https://console.example"))
          .startsWith("HTTP/1.1 401");
      for (String listed : List.of("https://console.example", "http://127.0.0.1:9")) {
        assertThat(upgrade(gateway, "", alice(), "Origin: " + listed))
            .as(listed)
            .startsWith(SWITCHING);
      }
      for (String other :
          List.of(
              "http://console.example",
              "https://console.example:8443",
              "https://console.example.evil.example",
              "https://evil.example/console.example",
              "http://127.0.0.1",
              "null",
              "https://console.example\r\nOrigin: https://evil.example",
              "")) {
        assertThat(upgrade(gateway, "", alice(), "Origin: " + other))
            .as(other)
            .startsWith("HTTP/1.1 403");
      }
    }
  }

  /** THREATS T40: PROTOCOL.md, section 3. A few bytes would be frames without end. */
  @Test
  void noExtensionIsAgreedOn() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, YAML)) {
      List<String> head = Handshake.ask(gateway.uri(), "", alice(), Handshake.DEFLATE);

      assertThat(head.get(0)).startsWith(SWITCHING);
      assertThat(head).noneMatch(line -> line.toLowerCase(Locale.ROOT).contains("extensions"));
    }
  }

  private static Arguments bad(String replaced, String by, int status) {
    return Arguments.of(replaced, by, status);
  }

  /** RFC 6455, sections 4.2.1 and 4.4. */
  static Stream<Arguments> badUpgrades() {
    String version = "Sec-WebSocket-Version: 13\r\n";
    String key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    String name = "Sec-WebSocket-Key: ";
    return Stream.of(
        bad(version, "Sec-WebSocket-Version: 12\r\n", 426),
        bad(version, "Sec-WebSocket-Version: 14\r\n", 426),
        bad(version, "Sec-WebSocket-Version: 13, 8\r\n", 426),
        bad(version, "Sec-WebSocket-Version: 99999999999999999999\r\n", 426),
        bad(version, "Sec-WebSocket-Version: x\r\n", 426),
        bad(version, version + version, 426),
        bad(version, "", 426),
        bad("Upgrade: websocket\r\n", "Upgrade: h2c\r\n", 426),
        bad("Upgrade: websocket\r\n", "", 426),
        bad("Connection: Upgrade\r\n", "Connection: keep-alive\r\n", 400), // by Jetty itself
        bad("HTTP/1.1", "HTTP/1.0", 426),
        bad(key, "", 400),
        bad(key, key + key, 400),
        bad(key, name + "\r\n", 400),
        bad(key, name + "dGhlIHNhbXBsZSBub25j\r\n", 400), // 15 bytes
        bad(key, name + "dGhlIHNhbXBsZSBub25jZWU=\r\n", 400), // 17 bytes
        bad(key, name + "dGhlIHNhbXBsZSBub25jZWVl\r\n", 400), // 18 bytes
        bad(key, name + "dGhlIHNhbXBsZSBub25jZQ\r\n", 400), // no padding
        bad(key, name + "dGhlIHNhbXBsZSBub25j!Q==\r\n", 400),
        bad("rmigate.1", "rmigate.2", 400));
  }

  @ParameterizedTest
  @MethodSource("badUpgrades")
  void badUpgradesAreTheCallersFault(String replaced, String by, int status) throws Exception {
    try (LogLines log = new LogLines("ROOT");
        RunningGateway gateway = RunningGateway.start(directory, YAML)) {
      String good = Handshake.request(gateway.uri(), "", alice());
      assertThat(good).contains(replaced);

      List<String> head = Handshake.send(gateway.uri(), good.replace(replaced, by));

      assertThat(head.get(0)).startsWith("HTTP/1.1 " + status);
      assertThat(head.contains("Sec-WebSocket-Version: 13")).isEqualTo(status == 426);
      assertThat(log.warnings()).noneMatch(line -> line.contains("/tunnel"));
      assertThat(Handshake.send(gateway.uri(), good).get(0)).startsWith(SWITCHING);
    }
  }

  @Test
  void aTokenInTheAddressIsNoLogin() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, YAML)) {
      assertThat(upgrade(gateway, "?access_token=secret-token", alice()))
          .startsWith("HTTP/1.1 401");
      assertThat(upgrade(gateway, "?trace=1", alice())).startsWith(SWITCHING);
    }
    assertThat(Files.readString(directory.resolve("audit.jsonl"))).doesNotContain("secret-token");
    assertThat(logins().get(0).get("reason").asText()).contains("a token in the URL");
  }

  @Test
  void nobodyIsBelievedWhoSaysThatHeIsAProxy() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, YAML)) {
      assertThat(
              upgrade(
                  gateway,
                  "",
                  alice(),
                  "X-Forwarded-For: 203.0.113.9",
                  "Forwarded: for=203.0.113.9",
                  "X-Real-IP: 203.0.113.9"))
          .startsWith(SWITCHING);
    }
    assertThat(logins())
        .singleElement()
        .matches(line -> line.get("peer").asText().startsWith("127.0.0.1:"))
        .matches(line -> !line.has("via"));
  }

  @Test
  void theAddressIsWhatATrustedProxySaysLast() throws Exception {
    try (RunningGateway gateway =
        RunningGateway.start(directory, YAML + "services:\n  trusted-proxies: [127.0.0.1]\n")) {
      assertThat(upgrade(gateway, "", alice(), "X-Forwarded-For: 198.51.100.1, 203.0.113.9"))
          .startsWith(SWITCHING);
      assertThat(upgrade(gateway, "", alice(), "Forwarded: for=\"[2001:db8::7]:4711\";proto=https"))
          .startsWith(SWITCHING);
      assertThat(upgrade(gateway, "", alice(), "Forwarded: for=_hidden")).startsWith(SWITCHING);
      assertThat(upgrade(gateway, "", alice(), "X-Forwarded-For: evil.example"))
          .startsWith(SWITCHING);
    }
    assertThat(logins())
        .extracting(line -> line.get("peer").asText().replaceAll("^127.0.0.1:.*", "here"))
        .containsExactly("203.0.113.9:0", "2001:db8:0:0:0:0:0:7:4711", "here");
    assertThat(logins().get(0).get("via").asText()).isEqualTo("127.0.0.1");
    assertThat(logins().get(2).has("via")).isFalse();
  }

  /** THREATS T42: a proxy that knows the one passes the other on as the client has sent it. */
  @Test
  void nobodyIsBelievedWhereBothHeadersOfATrustedProxyDisagree() throws Exception {
    try (RunningGateway gateway =
        RunningGateway.start(directory, YAML + "services:\n  trusted-proxies: [127.0.0.1]\n")) {
      for (String forwarded : List.of("for=198.51.100.1", "for=_hidden", "proto=https", "")) {
        assertThat(
                upgrade(
                    gateway,
                    "",
                    "Authorization: " + basic("alice", "guess"),
                    "Forwarded: " + forwarded,
                    "X-Forwarded-For: 203.0.113.9"))
            .startsWith("HTTP/1.1 401");
      }
      assertThat(
              upgrade(
                  gateway,
                  "",
                  alice(),
                  "Forwarded: for=\"203.0.113.9:4711\"",
                  "X-Forwarded-For: 203.0.113.9"))
          .startsWith(SWITCHING);
    }
    assertThat(logins())
        .extracting(line -> line.get("peer").asText().replaceAll("^127.0.0.1:.*", "here"))
        .containsExactly("here", "here", "here", "here", "203.0.113.9:4711");
  }

  @Test
  void whoGuessesBehindAProxyLocksNobodyElse() throws Exception {
    try (RunningGateway gateway =
        RunningGateway.start(directory, YAML + "services:\n  trusted-proxies: [127.0.0.1]\n")) {
      for (int i = 0; i < 10; i++) {
        assertThat(
                upgrade(
                    gateway,
                    "",
                    "Authorization: " + basic("alice", "guess" + i),
                    "X-Forwarded-For: 198.51.100.1"))
            .startsWith("HTTP/1.1 401");
      }
      assertThat(upgrade(gateway, "", alice(), "X-Forwarded-For: 198.51.100.1"))
          .startsWith("HTTP/1.1 401");
      assertThat(upgrade(gateway, "", alice(), "X-Forwarded-For: 203.0.113.9"))
          .startsWith(SWITCHING);
    }
    assertThat(logins())
        .extracting(line -> line.get("outcome").asText())
        .containsOnlyOnce("locked", "accepted")
        .hasSize(12);
  }
}
