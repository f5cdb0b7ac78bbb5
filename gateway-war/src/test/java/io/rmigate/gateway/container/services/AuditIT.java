package io.rmigate.gateway.container.services;

import static io.restassured.RestAssured.given;
import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;

import com.fasterxml.jackson.databind.JsonNode;
import io.restassured.specification.RequestSpecification;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditLines;
import io.rmigate.gateway.login.UserLines;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.SampleServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Calls over the link, in SOAP and in JSON, each once in the audit of a gateway that is stopped.
 */
@ExtendWith(LeftoverCheck.class)
class AuditIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String PASSWORD = "an audited password";
  private static final String ARGUMENT = "an-audited-argument";
  private static final String NAMESPACE = "urn:rmigate:contract:io.rmigate.sample.Everything";

  private SampleInside inside;
  private OpenGateway gateway;

  private RequestSpecification alice(String password) {
    return given()
        .baseUri(gateway.uri() + "/services/everything")
        .header("Authorization", basic("alice", password));
  }

  private void callByJson(int times) {
    for (int i = 0; i < times; i++) {
      alice(PASSWORD)
          .contentType("application/json")
          .body("{\"callId\": \"" + ARGUMENT + "\"}")
          .post("/execute")
          .then()
          .statusCode(200);
    }
  }

  private void callBySoap(int times) {
    for (int i = 0; i < times; i++) {
      alice(PASSWORD)
          .contentType("text/xml; charset=utf-8")
          .header("SOAPAction", "\"\"")
          .body(
              """
              <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>\
              <t:execute xmlns:t="%s"><callId>%s</callId></t:execute></e:Body></e:Envelope>\
              """
                  .formatted(NAMESPACE, ARGUMENT))
          .post("")
          .then()
          .statusCode(200)
          .body(containsString("executeResponse"));
    }
  }

  private void callOverTheLink(int times) throws Exception {
    try (ChildJvm client =
        ChildJvm.named("client", inside.directory())
            .jvmOptions(
                inside.hosts().outsideOption(),
                // By one way: of two that race the slower one would be a line, too.
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + gateway.uri()
                    + ",tunnel=*:*,way=websocket")
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(AuditedClient.class))
            .main(AuditedClient.class.getName())
            .arguments(
                InsideHosts.INSIDE,
                Integer.toString(inside.port()),
                ARGUMENT,
                Integer.toString(times))
            .start()) {
      client.awaitLine(Pattern.compile("^bind refused$"), SOON);
      assertThat(client.awaitExit(SOON)).isZero();
    }
  }

  private static List<JsonNode> with(List<JsonNode> lines, String field, String value) {
    return lines.stream().filter(line -> line.path(field).asText().equals(value)).toList();
  }

  @Test
  void everyCallIsOneLineAndSoIsEveryRefusal() throws Exception {
    try (SampleInside sample = SampleInside.start(AuditIT.class)) {
      inside = sample;
      Path home = Files.createDirectories(inside.directory().resolve("gateway"));
      Path users = Files.writeString(home.resolve("users"), UserLines.user("alice", PASSWORD));
      gateway =
          OpenGateway.start(
              home,
              inside.hosts(),
              List.of("-Xmx192m"),
              users,
              OpenGateway.targets(InsideHosts.INSIDE + ":*"),
              "audit:\n  path: audit/audit.jsonl",
              "publish:",
              inside.published("everything", "Everything"));
      try {
        callOverTheLink(25);
        callByJson(7);
        callBySoap(5);
        alice("wrong").post("/execute").then().statusCode(401);
        alice(PASSWORD).get("/nobody").then().statusCode(404);
        gateway.get("/admin/sessions");
      } finally {
        gateway.close();
      }
      Path audit = home.resolve("audit/audit.jsonl");
      assertLines(audit);
      assertThat(Files.readString(audit))
          .doesNotContain(PASSWORD, ARGUMENT, "wrong\"", "pbkdf2", "Basic ");
      assertVerified(audit);
    }
  }

  private static void assertLines(Path audit) throws Exception {
    List<JsonNode> calls =
        AuditLines.of(AuditEvent.CALL, audit).stream()
            .filter(line -> line.path("interface").asText().contains("Everything"))
            .toList();
    assertThat(calls).hasSize(25);
    assertThat(with(calls, "outcome", "returned")).hasSize(25);
    assertThat(calls).allMatch(line -> line.get("principal").asText().equals("anonymous"));
    List<JsonNode> registry = AuditLines.of(AuditEvent.REGISTRY, audit);
    assertThat(with(registry, "method", "lookup")).isNotEmpty();
    assertThat(with(registry, "method", "rebind"))
        .singleElement()
        .matches(line -> line.get("verdict").asText().equals("refused"))
        .matches(line -> line.get("rule").asText().equals("registry-operation"))
        .matches(line -> line.get("name").asText().equals("evil"));
    List<JsonNode> services = AuditLines.of(AuditEvent.SERVICE, audit);
    assertThat(with(services, "method", "execute")).hasSize(12);
    assertThat(with(services, "outcome", "returned"))
        .hasSize(12)
        .allMatch(line -> line.get("principal").asText().equals("alice"))
        .allMatch(line -> line.get("interface").asText().equals("io.rmigate.sample.Everything"));
    assertThat(with(services, "verdict", "refused")).hasSize(1);
    List<JsonNode> logins = AuditLines.of(AuditEvent.LOGIN, audit);
    assertThat(with(logins, "outcome", "refused"))
        .singleElement()
        .matches(line -> line.get("principal").asText().equals("alice"));
    List<JsonNode> sessions = AuditLines.of(AuditEvent.SESSION, audit);
    assertThat(sessions).hasSize(2);
    assertThat(with(sessions, "outcome", "opened")).hasSize(1);
    assertThat(AuditLines.of(AuditEvent.ADMIN, audit)).hasSize(1);
    assertThat(AuditLines.of(AuditEvent.AUDIT, audit))
        .extracting(line -> line.get("outcome").asText())
        .containsExactly("started", "stopped");
  }

  private void assertVerified(Path audit) throws Exception {
    try (ChildJvm verifier =
        ChildJvm.named("verify", inside.directory())
            .temporary(inside.directory().resolve("tmp-verify"))
            .jar(BuiltArtefacts.war())
            .arguments("audit", "verify", audit.toString())
            .start()) {
      assertThat(verifier.awaitExit(SOON)).isZero();
      verifier.awaitLine(Pattern.compile("^OK: \\d+ lines, numbers 1 to \\d+$"), SOON);
    }
  }
}
