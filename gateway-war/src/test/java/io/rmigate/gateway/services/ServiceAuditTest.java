package io.rmigate.gateway.services;

import static io.rmigate.gateway.audit.RecordedAudit.text;
import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.bridge.CallRefusal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.standalone.Explained;
import io.rmigate.soap.call.CallFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.NoSuchObjectException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the audit says of a request of a web-service client is what became of it. */
class ServiceAuditTest {
  private static final String WHY = "why it failed";
  private static final String BODY = "{\"value\":7}";

  private static ServicesBed bed;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    bed = ServicesBed.start(directory);
  }

  @AfterAll
  static void stop() {
    bed.close();
  }

  @AfterEach
  void asBefore() throws Exception {
    bed.bridge.failing(Optional.empty());
    bed.bridge.tooMuch(Optional.empty());
    bed.audit.full(false);
    bed.load("");
  }

  /** Its only line. */
  private static AuditEntry lineOf(Supplier<Response> request, int status) {
    int before = bed.audit.of(AuditEvent.SERVICE).size();
    request.get().then().statusCode(status);
    await().until(() -> bed.audit.of(AuditEvent.SERVICE).size() == before + 1);
    AuditEntry line = bed.audit.of(AuditEvent.SERVICE).get(before);
    assertThat(text(line, AuditField.STATUS)).isEqualTo("" + status);
    return line;
  }

  private static AuditEntry lineOfJson(String operation, String body, int status) {
    return lineOf(() -> bed.json(body).post("/everything/" + operation), status);
  }

  private static RequestSpecification envelope(String element) {
    return bed.alice()
        .contentType("text/xml; charset=utf-8")
        .header("SOAPAction", "\"\"")
        .body(
            ("<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body><t:%s"
                    + " xmlns:t=\"urn:rmigate:contract:io.rmigate.sample.Everything\">"
                    + "<value>7</value></t:%s></e:Body></e:Envelope>")
                .formatted(element, element)
                .getBytes(StandardCharsets.UTF_8));
  }

  /**
   * What a line says.
   *
   * @param reason empty: any of the gateway's own, which has nothing of the request in it
   */
  private static void assertLine(
      AuditEntry line, String verdict, AuditOutcome outcome, String rule, String reason) {
    assertThat(text(line, AuditField.VERDICT)).isEqualTo(verdict);
    assertThat(line.outcome()).isEqualTo(outcome);
    assertThat(text(line, AuditField.RULE)).isEqualTo(rule);
    if (verdict.equals("refused") && reason.isEmpty()) {
      assertThat(text(line, AuditField.REASON)).isNotEmpty().doesNotContain("xxx", "value");
    } else {
      assertThat(text(line, AuditField.REASON)).isEqualTo(reason);
    }
  }

  private static final String KINDS =
      """
      THROWN         | 500 | allowed | THREW         |                  |
      NOT_PERMITTED  | 404 | refused | REFUSED       | target           | why it failed
      NOT_SENDABLE   | 500 | refused | REFUSED       | bad-request      | why it failed
      UNREACHABLE    | 502 | allowed | NOT_CONNECTED |                  | why it failed
      LOST           | 502 | allowed | SERVER_CLOSED |                  | why it failed
      TIMED_OUT      | 504 | allowed | TIMED_OUT     |                  | why it failed
      ANSWER_REFUSED | 500 | refused | REFUSED       | unreadable       | reply: unreadable
      TOO_MANY       | 429 | refused | REFUSED       | service-too-many | why it failed
      """;

  @ParameterizedTest
  @CsvSource(delimiter = '|', emptyValue = "", textBlock = KINDS)
  void aCallThatFailsIsNotOneThatTheServerHasAnswered(
      CallFailure.Kind kind,
      int status,
      String verdict,
      AuditOutcome outcome,
      String rule,
      String reason) {
    bed.bridge.failing(
        Optional.of(new CallFailure(kind, WHY, new IllegalStateException("of the server"))));

    AuditEntry json = lineOfJson("echoInt", BODY, status);
    AuditEntry soap = lineOf(() -> envelope("echoInt").post("/everything"), 500);

    for (AuditEntry line : new AuditEntry[] {json, soap}) {
      assertLine(
          line,
          verdict,
          outcome,
          Optional.ofNullable(rule).orElse(""),
          Optional.ofNullable(reason).orElse(""));
      assertThat(text(line, AuditField.METHOD)).isEqualTo("echoInt");
    }
  }

  private static String xml(Response response, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(response.asString());
    return matcher.find() ? matcher.group(1) : "";
  }

  /** One number is in the answer, in the line of the log and in the audit; no failure has one. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', emptyValue = "", textBlock = KINDS)
  void whatIsRefusedHasANumber(
      CallFailure.Kind kind,
      int status,
      String verdict,
      AuditOutcome outcome,
      String rule,
      String reason,
      @TempDir Path directory)
      throws Exception {
    bed.bridge.failing(
        Optional.of(new CallFailure(kind, WHY, new IllegalStateException("of the server"))));
    int before = bed.audit.of(AuditEvent.SERVICE).size();
    bed.bridge.lines.clear();
    Response json = bed.json(BODY).post("/everything/echoInt");
    Response soap = envelope("echoInt").post("/everything");
    await().until(() -> bed.audit.of(AuditEvent.SERVICE).size() == before + 2);
    String ofJson = Optional.ofNullable(json.path("refusal")).map(Object::toString).orElse("");
    String ofSoap = xml(soap, "<p:refusal>([^<]*)</p:refusal>");
    assertThat(xml(soap, "\\[refusal ([^]]*)\\]</faultstring>")).isEqualTo(ofSoap);
    assertThat(bed.audit.of(AuditEvent.SERVICE).subList(before, before + 2))
        .extracting(line -> text(line, AuditField.REFUSAL))
        .containsExactly(ofJson, ofSoap);
    if (!verdict.equals("refused")) {
      assertThat(ofJson + ofSoap).isEmpty();
      assertThat(bed.bridge.lines).isEmpty();
      return;
    }
    assertThat(Refusal.isNumber(ofJson)).isTrue();
    assertThat(ofSoap).isNotEqualTo(ofJson);
    assertThat(bed.bridge.lines)
        .satisfiesExactly(line -> assertIsLine(line, ofJson), line -> assertIsLine(line, ofSoap));
    assertThat(Explained.of(ofSoap, write(directory)))
        .contains("what     service io.rmigate.sample.Everything echoInt \"Everything\" at ")
        .contains("who      alice (basic) from 127.0.0.1:")
        .contains(" (rule " + rule + ")");
  }

  private static void assertIsLine(String line, String number) {
    assertThat(line)
        .contains(": service everything io.rmigate.sample.Everything echoInt of principal alice")
        .contains(" refused: ", "; refusal " + number + ", from 127.0.0.1:");
  }

  private static Path write(Path directory) throws IOException {
    return Files.writeString(directory.resolve("audit.jsonl"), bed.audit.lines());
  }

  /** None of these reaches an object. */
  @Test
  void aRequestThatIsRefusedHasANumberToo() {
    assertIsNumbered(bed.json("{").post("/everything/echoInt"), 400);
    assertIsNumbered(bed.alice().get("/nothing"), 404);
    assertIsNumbered(bed.alice().delete("/everything"), 405);
    assertIsNumbered(
        bed.alice().contentType("image/png").body(new byte[1]).post("/everything"), 415);
    bed.bridge.tooMuch(Optional.of("limit-per-second"));
    assertIsNumbered(bed.json(BODY).post("/everything/echoInt"), 429);
  }

  private static void assertIsNumbered(Response response, int status) {
    response.then().statusCode(status);
    String number = response.path("refusal");
    assertThat(bed.bridge.lines).anyMatch(line -> line.contains("; refusal " + number + ", from "));
    await()
        .until(
            () ->
                bed.audit.of(AuditEvent.SERVICE).stream()
                    .anyMatch(line -> text(line, AuditField.REFUSAL).equals(number)));
  }

  @ParameterizedTest
  @EnumSource(CallFailure.Kind.class)
  void everyKindOfFailureIsTried(CallFailure.Kind kind) {
    Set<String> tried =
        Stream.of(KINDS.split("\n")).map(row -> row.split(" ", 2)[0]).collect(Collectors.toSet());

    assertThat(tried).contains(kind.name());
  }

  @Test
  void aServerThatHasNoSuchObjectHasSaidSo() {
    bed.bridge.failing(
        Optional.of(
            new CallFailure(
                CallFailure.Kind.UNREACHABLE, WHY, new NoSuchObjectException("of the server"))));

    assertLine(lineOfJson("echoInt", BODY, 502), "allowed", AuditOutcome.THREW, "", WHY);
  }

  @Test
  void anAnswerThatIsShownIsAReturn() {
    assertLine(lineOfJson("echoInt", BODY, 200), "allowed", AuditOutcome.RETURNED, "", "");
  }

  @Test
  void whatIsRefusedBeforeTheCallIsARefusalWithItsRule() throws Exception {
    assertLine(
        lineOfJson("echoInt", "{\"value\":", 400),
        "refused",
        AuditOutcome.REFUSED,
        "bad-request",
        "");
    assertLine(
        lineOf(() -> envelope("noSuchOperation").post("/everything"), 500),
        "refused",
        AuditOutcome.REFUSED,
        "bad-request",
        "");
    bed.load("services:\n  max-body: 2KiB\n  max-bodies: 2KiB\n");
    assertLine(
        lineOfJson("echoString", "{\"value\":\"" + "x".repeat(3000) + "\"}", 503),
        "refused",
        AuditOutcome.REFUSED,
        "service-busy",
        "");
  }

  @Test
  void whatIsShutOutByAFullAuditIsALineWithoutAName() {
    int services = bed.audit.of(AuditEvent.SERVICE).size();
    bed.audit.full(true);

    bed.json(BODY).post("/everything/echoInt").then().statusCode(503);

    assertThat(bed.audit.of(AuditEvent.SERVICE)).hasSize(services);
    assertThat(bed.audit.of(AuditEvent.DOOR))
        .singleElement()
        .satisfies(
            line -> {
              assertLine(line, "refused", AuditOutcome.REFUSED, "audit-full", "");
              assertThat(text(line, AuditField.STATUS)).isEqualTo("503");
              assertThat(text(line, AuditField.DOOR)).isEqualTo("/services");
              assertThat(text(line, AuditField.PEER)).startsWith("127.0.0.1:");
              assertThat(text(line, AuditField.PRINCIPAL)).isEmpty();
            });
  }

  @Test
  void whatAFrontRefusesHasTheRuleOfItsStatus() throws Exception {
    assertLine(
        lineOf(
            () -> bed.alice().contentType("text/plain").body(BODY).post("/everything/echoInt"),
            415),
        "refused",
        AuditOutcome.REFUSED,
        "service-media-type",
        "");
    bed.load("services:\n  max-body: 2KiB\n  max-bodies: 1MiB\n");
    assertLine(
        lineOfJson("echoString", "{\"value\":\"" + "x".repeat(3000) + "\"}", 413),
        "refused",
        AuditOutcome.REFUSED,
        "service-too-large",
        "");
    assertThat(ServiceAudit.rule(500, true)).isEqualTo("service-internal");
    assertThat(ServiceAudit.rule(500, false)).isEqualTo("bad-request"); // a SOAP fault
  }

  @ParameterizedTest
  @CsvSource({"inside:1099, inside:1099, ''", "inside:1099, inside:4711, inside:4711"})
  void anEndpointThatIsTheTargetIsNotSaidTwice(String target, String endpoint, String said) {
    AuditEntry entry = AuditEntry.of(AuditEvent.SERVICE);

    new CallEnd(
            AuditOutcome.REFUSED,
            WHY,
            Optional.of(new CallRefusal("target", WHY, "", endpoint, "")))
        .tell(entry, target, true, Refusal.of(WHY));

    assertThat(text(entry, AuditField.ENDPOINT)).isEqualTo(said);
  }

  @Test
  void aReferenceThatCannotBeHeldIsAReplyThatIsRefused() throws Exception {
    bed.load("services:\n  max-handles-per-principal: 1\n  max-handles: 1\n");
    lineOfJson("newCounter", "{\"start\": 5}", 200);

    AuditEntry line = lineOfJson("newCounter", "{\"start\": 5}", 500);

    assertThat(line.outcome()).isEqualTo(AuditOutcome.REFUSED);
    assertThat(text(line, AuditField.VERDICT)).isEqualTo("refused");
    assertThat(text(line, AuditField.RULE)).isEqualTo("service-too-many-references");
    assertThat(text(line, AuditField.REASON)).startsWith("reply: ");
  }

  @Test
  void bytesAreCountedHoweverTheyCome() throws Exception {
    byte[] body = ("{\"value\":\"" + "x".repeat(20_000) + "\"}").getBytes(StandardCharsets.UTF_8);
    int before = bed.audit.of(AuditEvent.SERVICE).size();

    HttpResponse<byte[]> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(bed.root() + "/everything/echoString"))
                    .header("Authorization", basic("alice", "wonder"))
                    .header("Content-Type", "application/json")
                    .POST( // in chunks
                        HttpRequest.BodyPublishers.ofInputStream(
                            () -> new ByteArrayInputStream(body)))
                    .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    await().until(() -> bed.audit.of(AuditEvent.SERVICE).size() == before + 1);

    AuditEntry line = bed.audit.of(AuditEvent.SERVICE).get(before);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(text(line, AuditField.REQUEST_BYTES)).isEqualTo("" + body.length);
    assertThat(text(line, AuditField.ANSWER_BYTES)).isEqualTo("" + answer.body().length);
  }

  /** What is looked at only has no method, and is no call. */
  @Test
  void aMethodHasItsHashOnceItIsCalled() {
    assertThat(text(lineOfJson("echoInt", BODY, 200), AuditField.METHOD_HASH)).isNotEmpty();
    assertThat(text(lineOfJson("echoInt", "{", 400), AuditField.METHOD_HASH)).isEmpty();
    assertThat(text(lineOf(() -> bed.alice().get("/everything"), 200), AuditField.METHOD_HASH))
        .isEmpty();
  }
}
