package io.rmigate.gateway.edge;

import static io.rmigate.gateway.login.UserLines.user;
import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.gateway.GatewayBootstrap;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.LogLines;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the gateway answers besides the tunnel, asked over real HTTP. */
class EdgeTest {
  private static final String YAML =
      """
      insecure: true
      logins:
        anonymous: true
        basic:
          users-file: users
      admin:
        principals: [root]
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      """;

  private static final String USERS = user("root", "toor") + user("alice", "wonder");

  @TempDir Path directory;
  private RunningGateway gateway;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(directory.resolve("users"), USERS);
    gateway = RunningGateway.start(directory, YAML);
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  @Test
  void healthIsOpenToEverybody() throws Exception {
    assertThat(gateway.get("/health/live").body()).isEqualTo("{\"status\":\"live\"}\n");
    assertThat(gateway.get("/health/ready").body())
        .isEqualTo("{\"status\":\"ready\",\"classRules\":\"enforce\"}\n");
    assertThat(gateway.get("/health").statusCode()).isEqualTo(200);
    assertThat(gateway.get("/health/else").statusCode()).isEqualTo(404);
  }

  @Test
  void aRefusedReloadShowsUntilOneIsTaken() throws Exception {
    String fine = "{\"status\":\"ready\",\"classRules\":\"enforce\"}\n";
    Path file = directory.resolve("rmigate.yaml");
    String taken = Files.readString(file);
    assertThat(refusedReloads()).isEqualTo("rmigate_configuration_refused 0.0");

    Files.writeString(file, taken + "no-such-key: 1\n");
    gateway.bootstrap().watcher().reloadIfChanged(); // or it has been, by itself

    for (String path : List.of("/health", "/health/ready")) {
      assertThat(gateway.get(path).statusCode()).isEqualTo(200); // what is in force works
      assertThat(gateway.get(path).body())
          .isEqualTo(fine.replace("}", ",\"configuration\":\"refused\"}"));
    }
    assertThat(refusedReloads()).isEqualTo("rmigate_configuration_refused 1.0");

    Files.writeString(file, taken + "drain: 7s\n");
    gateway.bootstrap().watcher().reloadIfChanged();

    assertThat(gateway.get("/health").body()).isEqualTo(fine);
    assertThat(refusedReloads()).isEqualTo("rmigate_configuration_refused 0.0");
  }

  private String refusedReloads() throws Exception {
    return gateway
        .get("/metrics", "Authorization", basic("root", "toor"))
        .body()
        .lines()
        .filter(line -> line.startsWith("rmigate_configuration_refused"))
        .findFirst()
        .orElse("");
  }

  @Test
  void rulesThatAreOffAreLoud() throws Exception {
    Path other = Files.createDirectory(directory.resolve("off"));
    Files.writeString(other.resolve("users"), USERS);
    String off = YAML + "    class-mode: off\nclasses:\n  mode: off\n";
    try (LogLines log = new LogLines(GatewayBootstrap.class);
        RunningGateway loud = RunningGateway.start(other, off)) {
      assertThat(loud.get("/health/ready").body())
          .isEqualTo("{\"status\":\"ready\",\"classRules\":\"off\"}\n");
      assertThat(log.warnings())
          .anyMatch(line -> line.startsWith("class rules: OFF by classes.mode"))
          .anyMatch(line -> line.startsWith("class rules: OFF for [*] at [rmi.example:*]"));
    }
  }

  @Test
  void rulesThatOnlyLearnAreLoudForAllAndForAnEntry() throws Exception {
    Path entry = Files.createDirectory(directory.resolve("entry"));
    Path all = Files.createDirectory(directory.resolve("all"));
    Files.writeString(entry.resolve("users"), USERS);
    Files.writeString(all.resolve("users"), USERS);
    String enforced =
        "  - principals: [alice]\n    allow: [\"b.example:*\"]\n    class-mode: enforce\n";
    try (LogLines log = new LogLines(GatewayBootstrap.class);
        RunningGateway learning =
            RunningGateway.start(entry, YAML + "    class-mode: learn\n" + enforced)) {
      assertThat(learning.get("/health/ready").body()).contains("\"classRules\":\"learn\"");
      assertThat(log.warnings())
          .filteredOn(line -> line.startsWith("class rules: "))
          .singleElement()
          .asString()
          .startsWith("class rules: LEARN for [*] at [rmi.example:*]");
    }
    try (LogLines log = new LogLines(GatewayBootstrap.class);
        RunningGateway learning =
            RunningGateway.start(all, YAML + enforced + "classes:\n  mode: learn\n")) {
      assertThat(learning.get("/health/ready").body()).contains("\"classRules\":\"learn\"");
      assertThat(log.warnings())
          .filteredOn(line -> line.startsWith("class rules: "))
          .singleElement()
          .asString()
          .startsWith("class rules: LEARN by classes.mode");
    }
  }

  @Test
  void readinessFlipsFirstWhenDraining() throws Exception {
    gateway.bootstrap().drain(Duration.ofMillis(1));

    assertThat(gateway.get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(gateway.get("/health/ready").body())
        .isEqualTo("{\"status\":\"draining\",\"classRules\":\"enforce\"}\n");
    assertThat(gateway.get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void onlyAdminsDrainAndNoWebPageDoes() throws Exception {
    String root = basic("root", "toor");
    assertThat(gateway.get("/admin/drain", "Authorization", root).statusCode()).isEqualTo(405);
    assertThat(post("/admin/drain").statusCode()).isEqualTo(401);
    assertThat(post("/admin/drain", "Authorization", basic("alice", "wonder")).statusCode())
        .isEqualTo(403);
    assertThat(
            post("/admin/drain", "Authorization", root, "Origin", "https://else.example")
                .statusCode())
        .isEqualTo(403);
    assertThat(gateway.get("/health/ready").statusCode()).isEqualTo(200);

    HttpResponse<String> drained = post("/admin/drain", "Authorization", root);

    assertThat(drained.statusCode()).isEqualTo(200);
    assertThat(drained.body()).isEqualTo("{\"status\":\"drained\"}\n");
    assertThat(gateway.get("/health/ready").body())
        .isEqualTo("{\"status\":\"draining\",\"classRules\":\"enforce\"}\n");
    assertThat(post("/admin/drain", "Authorization", root).statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> post(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway.uri() + path))
            .POST(HttpRequest.BodyPublishers.noBody());
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void anAdministratorEndsALockout() throws Exception {
    Path other = Files.createDirectory(directory.resolve("strict"));
    Files.writeString(other.resolve("users"), USERS);
    String root = basic("root", "toor");
    String alice = basic("alice", "wonder");
    try (RunningGateway strict =
        RunningGateway.start(other, YAML + "lockout:\n  after: 2\naudit:\n  path: audit.jsonl\n")) {
      int tries = 0;
      while (strict.get("/services/a" + tries, "Authorization", alice).statusCode() != 403) {
        assertThat(++tries).isLessThan(1000);
      }
      JsonNode lockouts = json(strict.get("/admin/lockouts", "Authorization", root));
      assertThat(lockouts).hasSize(1);
      assertThat(lockouts.at("/0/principal").asText()).isEqualTo("alice");
      String path = "/admin/lockouts/" + lockouts.at("/0/id").asText();

      assertThat(strict.send("DELETE", path, "Authorization", alice).statusCode()).isEqualTo(403);
      assertThat(
              strict
                  .send("DELETE", path, "Authorization", root, "Origin", "https://else.example")
                  .statusCode())
          .isEqualTo(403);
      assertThat(strict.send("DELETE", path + "0", "Authorization", root).statusCode())
          .isEqualTo(404);
      assertThat(strict.get("/services/b", "Authorization", alice).statusCode()).isEqualTo(403);

      HttpResponse<String> ended = strict.send("DELETE", path, "Authorization", root);

      assertThat(ended.statusCode()).isEqualTo(200);
      assertThat(json(ended).at("/ended").asText()).isEqualTo("lockout of alice");
      assertThat(strict.get("/services/b", "Authorization", alice).statusCode()).isEqualTo(404);
      assertThat(json(strict.get("/admin/lockouts", "Authorization", root))).isEmpty();
      assertThat(strict.send("DELETE", path, "Authorization", root).statusCode()).isEqualTo(404);
    }
    assertThat(
            Files.readAllLines(other.resolve("audit.jsonl")).stream()
                .filter(line -> line.contains("\"outcome\":\"ended\"")))
        .singleElement()
        .asString()
        .contains("\"event\":\"admin\"", "\"principal\":\"root\"", "\"method\":\"DELETE\"")
        .contains("\"reason\":\"lockout of alice\"");
  }

  @Test
  void whatCannotBeEndedIsNotDeleted() throws Exception {
    String root = basic("root", "toor");
    for (String path : List.of("/admin", "/admin/sessions", "/admin/targets/a", "/metrics")) {
      HttpResponse<String> answer = gateway.send("DELETE", path, "Authorization", root);
      assertThat(answer.statusCode()).as(path).isEqualTo(405);
    }
    for (String path : List.of("/admin/sessions/a", "/admin/leases/a", "/admin/leases/a/b:1")) {
      assertThat(gateway.send("DELETE", path).statusCode()).as(path).isEqualTo(401);
      HttpResponse<String> answer = gateway.send("DELETE", path, "Authorization", root);
      assertThat(answer.statusCode()).as(path).isEqualTo(404);
    }
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    return new ObjectMapper().readTree(answer.body());
  }

  @Test
  void onlyAdminsReadAdminAndMetrics() throws Exception {
    for (String path :
        List.of(
            "/admin",
            "/admin/",
            "/admin/sessions",
            "/admin/calls",
            "/admin/learned",
            "/admin/leases",
            "/admin/lockouts",
            "/admin/lookups",
            "/admin/callbacks",
            "/admin/services",
            "/admin/targets",
            "/metrics")) {
      assertThat(gateway.get(path).statusCode()).as("anonymous " + path).isEqualTo(401);
      assertThat(gateway.get(path, "Authorization", basic("root", "x")).statusCode())
          .as("wrong password " + path)
          .isEqualTo(401);
      assertThat(gateway.get(path, "Authorization", basic("alice", "wonder")).statusCode())
          .as("not an admin " + path)
          .isEqualTo(403);
      HttpResponse<String> allowed = gateway.get(path, "Authorization", basic("root", "toor"));
      assertThat(allowed.statusCode()).as("admin " + path).isEqualTo(200);
      assertThat(allowed.headers().firstValue("Cache-Control")).contains("no-store");
    }
  }

  @Test
  void theOverviewSaysVersionStateAndCounts() throws Exception {
    JsonNode overview =
        new ObjectMapper()
            .readTree(gateway.get("/admin", "Authorization", basic("root", "toor")).body());

    assertThat(overview.get("version").asText()).matches("\\d+\\.\\d+.*");
    assertThat(overview.get("state").asText()).isEqualTo("ready");
    assertThat(overview.get("sessions").asInt()).isZero();
    assertThat(overview.get("uptimeSeconds").isNumber()).isTrue();
  }

  @Test
  void metricsAreInPrometheusFormat() throws Exception {
    String metrics = gateway.get("/metrics", "Authorization", basic("root", "toor")).body();

    assertThat(metrics)
        .contains(
            "# TYPE rmigate_sessions gauge",
            "# TYPE rmigate_calls_total counter",
            "rmigate_link_received_bytes_total 0.0",
            "jvm_memory_used_bytes");
  }

  @Test
  void adminAndHealthOnlyAnswerGet() throws Exception {
    for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH")) {
      for (String path : List.of("/admin", "/metrics", "/health/live", "/")) {
        assertThat(gateway.send(method, path, "Authorization", basic("root", "toor")).statusCode())
            .as(method + " " + path)
            .isEqualTo(405);
      }
    }
    assertThat(gateway.send("HEAD", "/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void noFileOfTheWarIsServed() throws Exception {
    for (String path :
        List.of(
            "/",
            "/index.html",
            "/io/rmigate/launcher/Launcher.class",
            "/io/",
            "/META-INF/MANIFEST.MF",
            "/WEB-INF/web.xml",
            "/WEB-INF/classes/logback.xml",
            "/logback.xml",
            "/x.jsp",
            "/health/../WEB-INF/web.xml",
            "/%57EB-INF/web.xml")) {
      HttpResponse<String> answer = gateway.get(path);
      assertThat(answer.statusCode()).as(path).isIn(400, 404);
      assertThat(answer.body()).as(path).doesNotContain("<", "WEB-INF", "Jetty");
    }
  }

  @Test
  void everyAnswerIsHardenedAndNamesNoServer() throws Exception {
    for (String path : List.of("/", "/health", "/admin", "/metrics")) {
      HttpResponse<String> answer = gateway.get(path);
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
      assertThat(answer.headers().firstValue("Content-Security-Policy")).isPresent();
      assertThat(answer.headers().firstValue("Server")).isEmpty();
      assertThat(answer.headers().firstValue("X-Powered-By")).isEmpty();
    }
  }

  @Test
  void aReloadChangesWhoMayComeIn() throws Exception {
    Path file = directory.resolve("rmigate.yaml");
    String before = Files.readString(file);
    Files.writeString(file, before.replace("[root]", "[root, alice]"));
    assertThat(gateway.bootstrap().watcher().reloadIfChanged()).isTrue();
    assertThat(gateway.get("/admin", "Authorization", basic("alice", "wonder")).statusCode())
        .isEqualTo(200);

    Files.writeString(directory.resolve("users"), "root:broken line\n");
    assertThat(gateway.bootstrap().watcher().reloadIfChanged()).isFalse();
    assertThat(gateway.get("/admin", "Authorization", basic("alice", "wonder")).statusCode())
        .isEqualTo(200);

    Files.writeString(
        directory.resolve("users"), USERS.replaceAll("(?m)^alice:.*\n", "# no more\n\n"));
    assertThat(gateway.bootstrap().watcher().reloadIfChanged()).isTrue();
    assertThat(gateway.get("/admin", "Authorization", basic("alice", "wonder")).statusCode())
        .isEqualTo(401);
  }

  @Test
  void metricsCanBeOpenedAlone() throws Exception {
    Files.writeString(directory.resolve("rmigate.yaml"), "metrics: open\n" + YAML);
    gateway.bootstrap().watcher().reloadIfChanged();

    assertThat(gateway.get("/metrics").statusCode()).isEqualTo(200);
    assertThat(gateway.get("/admin").statusCode()).isEqualTo(401);
  }
}
