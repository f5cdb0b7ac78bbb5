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
import io.rmigate.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * THREATS S4: what was done and what was refused, over the link, by callbacks, in SOAP and in JSON,
 * is each once in the audit of a gateway that is stopped, and nothing else is.
 */
@ExtendWith(LeftoverCheck.class)
class AuditIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final String PASSWORD = "an audited password";
  private static final String ARGUMENT = "an-audited-argument";
  private static final String NAMESPACE = "urn:rmigate:contract:io.rmigate.sample.Everything";

  private SampleInside inside;
  private OpenGateway gateway;

  private RequestSpecification user(String name, String password) {
    return given()
        .baseUri(gateway.uri() + "/services/everything")
        .header("Authorization", basic(name, password));
  }

  private RequestSpecification alice(String password) {
    return user("alice", password);
  }

  /** A kilobyte a second is what he has: he is in debt for a minute. */
  private void callBeyondALimit() {
    user("bob", PASSWORD)
        .contentType("application/json")
        .body("{\"value\": \"" + "x".repeat(60_000) + "\"}")
        .post("/echoString")
        .then()
        .statusCode(200);
    user("bob", PASSWORD)
        .contentType("application/json")
        .body("{\"callId\": \"" + ARGUMENT + "\"}")
        .post("/execute")
        .then()
        .statusCode(429);
  }

  /** One change that takes effect, and one that cannot. */
  private void reload(String... settings) throws Exception {
    gateway.reconfigure(with(settings, "session:\n  grace: 45s"));
    gateway.jvm().awaitLine(Pattern.compile(".*configuration reloaded.*"), SOON);
    gateway.reconfigure(with(settings, "no-such-setting: 1"));
    gateway.jvm().awaitLine(Pattern.compile(".*no-such-setting: unknown key.*"), SOON);
  }

  private static String[] with(String[] settings, String more) {
    String[] all = Arrays.copyOf(settings, settings.length + 1);
    all[settings.length] = more;
    return all;
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
      client.awaitLine(Pattern.compile("^over$"), SOON);
      assertThat(client.awaitExit(SOON)).isZero();
      assertThat(client.output())
          .contains("calls answered", "called back")
          .noneMatch(line -> line.endsWith("permitted"))
          .filteredOn(line -> line.endsWith("refused"))
          .hasSize(7);
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
      Path users =
          Files.writeString(
              home.resolve("users"),
              UserLines.user("alice", PASSWORD) + UserLines.user("bob", PASSWORD));
      String[] settings = {
        OpenGateway.targets(InsideHosts.INSIDE + ":*"),
        "    names: [Everything]",
        "    call-limit: 64KiB",
        "  - principals: [bob]",
        "    allow: ['" + InsideHosts.INSIDE + ":*']",
        "    limits:\n      bytes-per-second: 1KiB",
        "callbacks:\n  address: 127.0.0.1\n  from: ['127.*']\n  allow:\n    - principals: ['*']",
        "audit:\n  path: audit/audit.jsonl",
        "publish:",
        inside.published("everything", "Everything")
      };
      gateway = OpenGateway.start(home, inside.hosts(), List.of("-Xmx192m"), users, settings);
      try {
        callOverTheLink(25);
        callByJson(7);
        callBySoap(5);
        callBeyondALimit();
        alice("wrong").post("/execute").then().statusCode(401);
        alice(PASSWORD).get("/missing").then().statusCode(404);
        gateway.get("/admin/sessions");
        reload(settings);
      } finally {
        gateway.close();
      }
      Path audit = home.resolve("audit/audit.jsonl");
      assertLines(audit);
      assertThat(Files.readString(audit))
          .doesNotContain(PASSWORD, ARGUMENT, "wrong\"", "pbkdf2", "Basic ", "xxxx", "gadget");
      assertRefusals(AuditLines.in(audit));
      verify(audit, 0, "^OK: \\d+ lines, numbers 1 to \\d+$");
      Path missing = home.resolve("audit/none.jsonl");
      verify(missing, 2, ".*" + Pattern.quote(missing.toString()) + ".*");
    }
  }

  private static void assertLines(Path audit) throws Exception {
    List<JsonNode> calls =
        AuditLines.of(AuditEvent.CALL, audit).stream()
            .filter(line -> line.path("interface").asText().contains("Everything"))
            .toList();
    assertThat(with(calls, "outcome", "returned")).hasSize(25 + 1);
    assertThat(calls).allMatch(line -> line.get("principal").asText().equals("anonymous"));
    assertThat(AuditLines.of(AuditEvent.CALLBACK_CALL, audit))
        .singleElement()
        .matches(line -> line.get("outcome").asText().equals("returned"))
        .matches(line -> line.get("principal").asText().equals("anonymous"))
        .matches(line -> line.get("method").asText().contains("Counter.increment"));
    List<JsonNode> registry = AuditLines.of(AuditEvent.REGISTRY, audit);
    assertThat(with(registry, "method", "lookup")).isNotEmpty();
    assertThat(with(registry, "method", "rebind"))
        .singleElement()
        .matches(line -> line.get("verdict").asText().equals("refused"))
        .matches(line -> line.get("rule").asText().equals("registry-operation"))
        .matches(line -> line.get("name").asText().equals("evil"));
    List<JsonNode> services = AuditLines.of(AuditEvent.SERVICE, audit);
    assertThat(with(services, "method", "echoString"))
        .singleElement()
        .matches(line -> line.get("principal").asText().equals("bob"));
    assertThat(with(with(services, "outcome", "returned"), "method", "execute"))
        .hasSize(12)
        .allMatch(line -> line.get("principal").asText().equals("alice"))
        .allMatch(line -> line.get("interface").asText().equals("io.rmigate.sample.Everything"));
    List<JsonNode> logins = AuditLines.of(AuditEvent.LOGIN, audit);
    assertThat(with(logins, "outcome", "refused"))
        .singleElement()
        .matches(line -> line.get("principal").asText().equals("alice"));
    List<JsonNode> sessions = AuditLines.of(AuditEvent.SESSION, audit);
    assertThat(sessions).hasSize(2);
    assertThat(with(sessions, "outcome", "opened")).hasSize(1);
    assertThat(AuditLines.of(AuditEvent.ADMIN, audit)).hasSize(1);
    assertThat(AuditLines.of(AuditEvent.CONFIGURATION, audit))
        .extracting(line -> line.get("outcome").asText())
        .containsExactly("reloaded", "refused");
    assertThat(AuditLines.of(AuditEvent.AUDIT, audit))
        .extracting(line -> line.get("outcome").asText())
        .containsExactly("started", "stopped");
  }

  /** All of them: what was refused, by which rule, and what it was. */
  private static void assertRefusals(List<JsonNode> lines) {
    assertThat(with(lines, "verdict", "refused"))
        .extracting(
            line ->
                Stream.of("event", "rule", "class", "endpoint", "name")
                    .map(field -> line.path(field).asText())
                    .collect(Collectors.joining(" "))
                    .strip())
        .containsExactlyInAnyOrder(
            "call class io.rmigate.gateway.container.services.AuditedClient$Unlisted",
            "call reference  far.example:7",
            "call method",
            "call object",
            "call unreadable", // it is longer than call-limit
            "lease lease-target", // of the object that was never given
            "registry registry-name   Secret",
            "registry registry-operation   evil",
            "service limit-bytes",
            "service service-not-found",
            "login login");
    assertThat(with(lines, "rule", "method"))
        .singleElement()
        .matches(
            line ->
                line.get("methodHash")
                    .asText()
                    .equals("%016x".formatted(AuditedClient.UNKNOWN_HASH)));
  }

  private void verify(Path audit, int exit, String said) throws Exception {
    try (ChildJvm verifier =
        ChildJvm.named("verify" + exit, inside.directory())
            .temporary(inside.directory().resolve("tmp-verify" + exit))
            .jar(BuiltArtefacts.war())
            .arguments("audit", "verify", audit.toString())
            .start()) {
      assertThat(verifier.awaitExit(SOON)).isEqualTo(exit);
      verifier.awaitLine(Pattern.compile(said), SOON);
    }
  }
}
