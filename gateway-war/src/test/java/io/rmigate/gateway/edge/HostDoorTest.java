package io.rmigate.gateway.edge;

import static io.rmigate.gateway.login.UserLines.user;
import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.GatewayBootstrap;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditLines;
import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.Handshake;
import io.rmigate.gateway.testing.LogLines;
import io.rmigate.gateway.testing.RawRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For which hosts a stand-alone gateway answers, asked byte by byte. */
class HostDoorTest {
  private static final String YAML =
      """
      listen: 127.0.0.1:0
      insecure: true
      state: state
      hosts: [gw.example]
      logins:
        basic:
          users-file: users
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      services:
        trusted-proxies: [127.0.0.1]
      audit:
        path: audit.jsonl
      """;

  private static final int MISDIRECTED = 421;
  private static final String ALICE = "Authorization: " + basic("alice", "wonder");

  @TempDir Path directory;
  private RunningGateway gateway;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(directory.resolve("users"), user("alice", "wonder"));
    gateway = RunningGateway.start(directory, YAML.replace("listen: 127.0.0.1:0\n", ""));
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private int status(String method, String path, String host, String... headers)
      throws IOException {
    return RawRequest.status(gateway.uri(), method, path, host, headers);
  }

  private int services(String host, String... headers) throws IOException {
    return status(
        "GET",
        "/services",
        host,
        headers.length == 0 ? ALICE : ALICE + "\r\n" + String.join("\r\n", headers));
  }

  /** A page of evil.example whose name leads here afterwards: one origin to the browser. */
  @Test
  void aPageWhoseNameLeadsHereReachesNothing() throws Exception {
    try (LogLines log = new LogLines(DoorAudit.class)) {
      String origin = "Origin: http://evil.example";
      for (String path : List.of("/services/app/rec", "/tunnel", "/admin/drain", "/", "/x")) {
        assertThat(status("POST", path, "evil.example", origin, ALICE))
            .as(path)
            .isEqualTo(MISDIRECTED);
      }
      for (String path : List.of("/services", "/admin", "/metrics", "/x.jsp")) {
        assertThat(status("GET", path, "evil.example:8443", ALICE)).as(path).isEqualTo(MISDIRECTED);
      }
      assertThat(Handshake.askFor(gateway.uri(), "evil.example", ALICE, origin).get(0))
          .startsWith("HTTP/1.1 421");

      assertThat(log.warnings())
          .hasSize(10)
          .allMatch(line -> line.contains("for the host evil.example"))
          .allMatch(line -> line.contains("add it to hosts"));
    }
    assertThat(gateway.bootstrap().metrics().refused()).containsEntry("host", 10L);
    gateway.close(); // its audit is complete then
    Path audit = directory.resolve("audit.jsonl");
    assertThat(AuditLines.of(AuditEvent.LOGIN, audit)).as("no login was checked").isEmpty();
    assertThat(AuditLines.of(AuditEvent.DOOR, audit))
        .hasSize(10)
        .allSatisfy(
            line -> {
              assertThat(line.get("rule").asText()).isEqualTo("host");
              assertThat(line.get("status").asInt()).isEqualTo(MISDIRECTED);
              assertThat(line.has("principal")).isFalse();
            });
  }

  @Test
  void clientsReachItByItsNamesAndByAddresses() throws Exception {
    for (String host :
        List.of("127.0.0.1", "localhost:1", "[::1]:443", "gw.example", "GW.EXAMPLE:8")) {
      assertThat(services(host)).as(host).isEqualTo(200);
      assertThat(Handshake.askFor(gateway.uri(), host, ALICE).get(0))
          .as(host)
          .startsWith("HTTP/1.1 101");
      assertThat(Handshake.askFor(gateway.uri(), host, ALICE, "Origin: http://" + host).get(0))
          .as("a page of " + host)
          .startsWith("HTTP/1.1 403");
    }
  }

  /** Names of one's own: of a hosts file, of a container's network, of a proxy. */
  @Test
  void agentsReachTheTunnelByAnyName() throws Exception {
    for (String host : List.of("elsewhere.example", "rmi_gateway:8443")) {
      assertThat(Handshake.askFor(gateway.uri(), host, ALICE).get(0))
          .as(host)
          .startsWith("HTTP/1.1 101");
      assertThat(services(host)).as(host).isEqualTo(MISDIRECTED);
    }
    assertThat(status("GET", "/tunnel", "elsewhere.example", ALICE, "Sec-Fetch-Site: same-origin"))
        .isEqualTo(MISDIRECTED);
  }

  @Test
  void healthIsToldUnderEveryName() throws Exception {
    for (String path : List.of("/health", "/health/ready", "/health/live")) {
      assertThat(status("GET", path, "evil.example")).as(path).isEqualTo(200);
    }
    assertThat(status("GET", "/healthy", "evil.example")).isEqualTo(MISDIRECTED);
    assertThat(gateway.get("/health").body()).doesNotContain("hosts");
  }

  /** What such a proxy says is in answers, and compared with Origin. */
  @Test
  void theHostThatATrustedProxyPassesOnIsJudgedToo() throws Exception {
    for (String header :
        List.of(
            "X-Forwarded-Host: gw.example",
            "X-Forwarded-Host: evil.example, gw.example:8443",
            "Forwarded: for=203.0.113.9;host=gw.example",
            "Forwarded: for=203.0.113.9;host=\"gw.example:443\"",
            "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Host: gw.example")) {
      assertThat(services("127.0.0.1:8080", header)).as(header).isEqualTo(200);
    }
    for (String header :
        List.of(
            "X-Forwarded-Host: evil.example",
            "X-Forwarded-Host: gw.example, evil.example:8443",
            "Forwarded: for=203.0.113.9;host=evil.example",
            "Forwarded: for=203.0.113.9;host=\"evil.example:443\"",
            "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Host: evil.example")) {
      assertThat(services("127.0.0.1:8080", header)).as(header).isEqualTo(MISDIRECTED);
    }
    assertThat(services("evil.example", "X-Forwarded-Host: gw.example"))
        .as("passed on as it came")
        .isEqualTo(MISDIRECTED);
  }

  @Test
  void theHostThatAnybodyElseClaimsToPassOnDoesNotCount() throws Exception {
    reconfigure(YAML.replace("[127.0.0.1]\naudit", "[192.0.2.1]\naudit"));

    assertThat(services("gw.example", "X-Forwarded-Host: evil.example")).isEqualTo(200);
    assertThat(services("evil.example", "X-Forwarded-Host: gw.example")).isEqualTo(MISDIRECTED);
    assertThat(services("evil.example", "Forwarded: host=gw.example")).isEqualTo(MISDIRECTED);
  }

  @Test
  void otherNamesCountAsSoonAsTheyAreConfigured() throws Exception {
    reconfigure(YAML.replace("gw.example", "'*.next.example'"));

    assertThat(services("gw.example")).isEqualTo(MISDIRECTED);
    assertThat(services("a.next.example")).isEqualTo(200);
  }

  @Test
  void thatEveryNameIsAcceptedIsSaidOnceInTheLogAndInHealth() throws Exception {
    try (LogLines log = new LogLines(GatewayBootstrap.class)) {
      reconfigure(YAML.replace("[gw.example]", "['*']"));
      reconfigure(YAML.replace("[gw.example]", "['*', gw.example]"));

      assertThat(log.warnings()).filteredOn(line -> line.startsWith("hosts: ")).hasSize(1);
    }
    assertThat(services("evil.example")).isEqualTo(200);
    assertThat(gateway.get("/health").body())
        .isEqualTo("{\"status\":\"ready\",\"classRules\":\"enforce\",\"hosts\":\"any\"}\n");
  }

  private void reconfigure(String yaml) throws Exception {
    Files.writeString(directory.resolve("rmigate.yaml"), yaml);
    assertThat(gateway.bootstrap().watcher().reloadIfChanged()).isTrue();
  }
}
