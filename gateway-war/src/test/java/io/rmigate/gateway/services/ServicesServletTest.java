package io.rmigate.gateway.services;

import static io.restassured.RestAssured.given;
import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.RecordedAudit;
import io.rmigate.gateway.testing.HostileJson;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.hamcrest.Matcher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What web-service clients see over HTTP; the calls reach a real RMI server. */
class ServicesServletTest {
  private static final Pattern CONTENT_LENGTH =
      Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");

  private static final int GUESSES = Integer.getInteger("rmigate.floods.ids", 30);
  private static final int HANDLE_CHARACTERS = 22;

  private static final String PROBLEM = "application/problem+json";

  /** One for each client: the common pool has as many as there are processors. */
  private static final Executor THREADS = task -> new Thread(task, "client").start();

  private static ServicesBed bed;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    bed = ServicesBed.start(directory);
  }

  @AfterAll
  static void stop() throws Exception {
    bed.close();
  }

  @AfterEach
  void asBefore() throws Exception {
    bed.bridge.open();
    bed.load("");
    bed.later(Duration.ofDays(30));
    bed.services.handles().expire();
    assertThat(bed.bridge.held()).isZero();
    assertThat(bed.services.services().calls()).isEmpty();
    assertThat(bed.services.bodies().taken()).isZero();
  }

  // ---- calls

  @Test
  void aCallIsAnsweredInJson() {
    bed.json(
            "{\"z\": true, \"b\": 1, \"s\": 2, \"c\": \"c\", \"i\": 3, \"j\": 4, \"f\": 1.5, \"d\":"
                + " 2.5, \"text\": \"ž\"}")
        .post("/everything/describe")
        .then()
        .statusCode(200)
        .contentType(ContentType.JSON)
        .header("Cache-Control", "no-store")
        .header("X-Content-Type-Options", "nosniff")
        .body(equalTo("\"true 1 2 c 3 4 1.5 2.5 ž\""));
    await()
        .until(
            () ->
                bed.counted.contains(
                    new ServicesBed.Counted("everything", "Everything.describe", 200)));
  }

  /** Missing arguments are refused, not passed to the object as nulls. */
  @Test
  void anEmptyObjectNeverEndsInAFailureOfTheObject() {
    for (String path : List.of("everything", "open/shop")) {
      List<Map<String, Object>> operations =
          bed.alice().accept("application/json").get("/" + path).path("operations");
      assertThat(operations).hasSizeGreaterThan(1);
      for (Map<String, Object> operation : operations) {
        String name = (String) operation.get("name");
        int before = bed.bridge.calls();
        Response answer = bed.json("{}").post("/" + path + "/" + name);
        if (((List<?>) operation.get("parameters")).isEmpty()) {
          answer.then().statusCode(200);
        } else {
          problem(answer, 400, "bad-argument").body("detail", containsString("is missing"));
          assertThat(bed.bridge.calls()).as(name).isEqualTo(before);
        }
      }
    }
  }

  @Test
  void bytesGoAsTheyAre() {
    byte[] bytes = new byte[100_000];
    new Random(1).nextBytes(bytes);
    CRC32 crc = new CRC32();
    crc.update(bytes);

    bed.alice()
        .contentType("application/octet-stream")
        .body(bytes)
        .post("/everything/checksum")
        .then()
        .statusCode(200)
        .body(equalTo(Long.toString(crc.getValue())));
    assertThat(
            bed.json("{\"length\": 100000, \"seed\": 1}")
                .accept("application/octet-stream")
                .post("/everything/produce")
                .asByteArray())
        .isEqualTo(bytes);
  }

  @Test
  void configuredNamesAndMethodsAreWhatClientsHave() {
    bed.json("{\"article\": \"none\"}").post("/open/shop/lookUp").then().statusCode(200);
    problem(bed.json("{\"number\": \"none\"}").post("/open/shop/find"), 404, "not-found");
    problem(bed.alice().post("/open/shop/products"), 404, "not-found");
  }

  @Test
  void aDeclaredExceptionIsAProblemOfItsOwn() {
    bed.json("{\"message\": \"as declared\"}")
        .post("/everything/failChecked")
        .then()
        .statusCode(422)
        .contentType(PROBLEM)
        .body("type", equalTo("urn:rmigate:exception:io.rmigate.sample.CheckedFailure"))
        .body("detail", containsString("as declared"))
        .body("exception.code", equalTo(42));
  }

  @Test
  void whatIsNotDeclaredStaysInside() {
    problem(
            bed.json("{\"message\": \"secret of the server\"}").post("/everything/failUnchecked"),
            500,
            "failed")
        .body("executed", equalTo("yes"))
        .body(not(containsString("secret")))
        .body(not(containsString("IllegalState")));
  }

  // ---- refusals

  private static ValidatableResponse problem(Response response, int status, String type) {
    return response
        .then()
        .statusCode(status)
        .contentType(PROBLEM)
        .header("Cache-Control", "no-store")
        .body("type", equalTo("urn:rmigate:problem:" + type))
        .body("status", equalTo(status));
  }

  @Test
  void whoHasNotLoggedInIsAskedToWhateverIsThere() {
    for (String path : List.of("", "/everything", "/everything/echoInt", "/nothing")) {
      problem(given().baseUri(bed.root()).get(path), 401, "not-logged-in")
          .header("WWW-Authenticate", startsWith("Basic"));
    }
  }

  @Test
  void whatIsNotForSomebodyDoesNotExist() {
    int before = bed.bridge.calls();
    for (String path :
        List.of(
            "/everything", "/everything/openapi.json", "/nothing", "/open", "/open/shop/x/y/z/u")) {
      problem(bed.bob().get(path), 404, "not-found");
    }
    problem(
        bed.bob()
            .contentType("application/json")
            .body("{\"value\":1}".getBytes(StandardCharsets.US_ASCII))
            .post("/everything/echoInt"),
        404,
        "not-found");
    bed.bob()
        .accept("application/json")
        .get("")
        .then()
        .body("services.path", equalTo(List.of("open/shop")));
    assertThat(bed.bridge.calls()).isEqualTo(before);
  }

  @Test
  void methodsThatAreNotAllowedAreNamed() {
    problem(bed.alice().get("/everything/echoInt"), 405, "method").header("Allow", "POST");
    problem(bed.alice().put("/everything"), 405, "method").header("Allow", "GET, HEAD, POST");
    problem(bed.alice().post(""), 405, "method").header("Allow", "GET, HEAD");
    problem(bed.alice().post("/everything/openapi.json"), 405, "method")
        .header("Allow", "GET, HEAD");
    problem(bed.alice().get("/everything/noSuch"), 404, "not-found");
  }

  @Test
  void onlyJsonIsJson() {
    problem(
        bed.alice().contentType("text/plain").body("{}").post("/everything/echoInt"),
        415,
        "media-type");
    problem(
        bed.alice().contentType("application/json").body("{}").post("/everything"),
        415,
        "media-type");
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static RequestSpecification coded(String contentType, String coding, byte[] body) {
    return bed.alice().contentType(contentType).header("Content-Encoding", coding).body(body);
  }

  @Test
  void whatIsWrongWithACompressedBodyIsSaidInItsNotation() throws Exception {
    int before = bed.bridge.calls();
    String text = "{\"value\":\"%s\"}";
    byte[] whole = gzip(text.formatted("x".repeat(1000)).getBytes(StandardCharsets.UTF_8));
    byte[] damaged = Arrays.copyOf(whole, whole.length - 9);
    byte[] swollen = gzip(text.formatted("x".repeat(8_000_000)).getBytes(StandardCharsets.UTF_8));
    String envelope =
        "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><t:echoString"
            + " xmlns:t='urn:rmigate:contract:io.rmigate.sample.Everything'><value>%s</value>"
            + "</t:echoString></e:Body></e:Envelope>";
    byte[] swollenXml =
        gzip(envelope.formatted("x".repeat(8_000_000)).getBytes(StandardCharsets.UTF_8));
    byte[] wholeXml = gzip(envelope.formatted("x").getBytes(StandardCharsets.UTF_8));
    byte[] damagedXml = Arrays.copyOf(wholeXml, wholeXml.length - 9);
    String json = "application/json";

    problem(coded(json, "gzip", damaged).post("/everything/echoString"), 400, "bad-argument")
        .body("detail", containsString("not in gzip"));
    problem(coded(json, "gzip", swollen).post("/everything/echoString"), 413, "too-large");
    problem(coded(json, "br", whole).post("/everything/echoString"), 415, "media-type")
        .header("Accept-Encoding", "gzip");
    coded("text/xml; charset=utf-8", "gzip", damagedXml)
        .post("/everything")
        .then()
        .statusCode(500)
        .body(containsString("The request is not in gzip, as it is said to be."));
    coded("text/xml; charset=utf-8", "gzip", swollenXml)
        .post("/everything")
        .then()
        .statusCode(500)
        .body(containsString("too-large"));
    assertThat(bed.bridge.calls()).isEqualTo(before);
    coded(json, "gzip", whole).post("/everything/echoString").then().statusCode(200);
  }

  @Test
  void pagesOfOtherSitesCannotUseALogin() {
    problem(
        bed.json("{\"value\":1}")
            .header("Origin", "https://evil.example")
            .post("/everything/echoInt"),
        403,
        "forbidden");
    bed.json("{\"value\":1}")
        .header("Origin", bed.root().replace("/rmigate/services", ""))
        .post("/everything/echoInt")
        .then()
        .statusCode(200);
  }

  @Test
  void bodiesAreBoundedEachAndTogether() throws Exception {
    bed.load("services:\n  max-body: 2KiB\n  max-bodies: 2KiB\n");
    problem(
        bed.json("{\"value\":\"" + "x".repeat(3000) + "\"}").post("/everything/echoString"),
        503,
        "busy");
    bed.load("services:\n  max-body: 2KiB\n  max-bodies: 1MiB\n");
    problem(
        bed.json("{\"value\":\"" + "x".repeat(3000) + "\"}").post("/everything/echoString"),
        413,
        "too-large");
  }

  @Test
  void whatIsTooMuchByALimitReachesNobodyAndMayBeRepeated() {
    int calls = bed.bridge.calls();
    int before = bed.audit.of(AuditEvent.SERVICE, AuditOutcome.REFUSED).size();
    bed.bridge.tooMuch(Optional.of("limit-rate"));
    problem(bed.json("{\"value\":7}").post("/everything/echoInt"), 429, "too-many")
        .header("Retry-After", "1")
        .body("executed", equalTo("no"));
    assertThat(bed.bridge.calls()).isEqualTo(calls);
    assertThat(bed.refused).contains("limit-rate");
    await()
        .until(() -> bed.audit.of(AuditEvent.SERVICE, AuditOutcome.REFUSED).size() == before + 1);
    AuditEntry last = bed.audit.of(AuditEvent.SERVICE, AuditOutcome.REFUSED).get(before);
    assertThat(RecordedAudit.text(last, AuditField.RULE)).isEqualTo("limit-rate");
    bed.alice().get("").then().statusCode(200); // is no call

    bed.bridge.tooMuch(Optional.empty());
    bed.json("{\"value\":7}").post("/everything/echoInt").then().statusCode(200);
  }

  @Test
  void whoIsLockedOutReachesNothing() {
    int calls = bed.bridge.calls();
    bed.bridge.lockOut(true);
    try {
      problem(bed.json("{\"value\":7}").post("/everything/echoInt"), 403, "forbidden");
      problem(bed.alice().get("/everything"), 403, "forbidden");
      problem(bed.alice().get(""), 403, "forbidden");
    } finally {
      bed.bridge.lockOut(false);
    }
    assertThat(bed.bridge.calls()).isEqualTo(calls);
    assertThat(bed.refused).contains("locked-out");
    bed.json("{\"value\":7}").post("/everything/echoInt").then().statusCode(200);
  }

  @Test
  void whatIsLookedForAndNotThereCountsAsARefusal() {
    problem(bed.alice().get("/nothing/of/that/name"), 404, "not-found");
    problem(bed.bob().post("/everything/echoInt"), 404, "not-found");
    assertThat(bed.bridge.refused())
        .contains("alice service nothing/of/that/name", "bob service everything/echoInt");
  }

  /** Whose images are asked for with the login that the browser of its visitor has. */
  @Test
  void partsOfPagesOfOtherSitesFindNothingAndAreNotHeldAgainstTheVisitor() {
    for (String site : List.of("cross-site", "same-site")) {
      problem(
          bed.alice()
              .header("Sec-Fetch-Site", site)
              .header("Sec-Fetch-Dest", "image")
              .get("/no-such-image"),
          403,
          "forbidden");
    }
    assertThat(bed.bridge.refused()).noneMatch(each -> each.contains("no-such-image"));

    bed.alice()
        .header("Sec-Fetch-Site", "cross-site")
        .header("Sec-Fetch-Dest", "document") // a link
        .get("/everything")
        .then()
        .statusCode(200);
    bed.alice()
        .header("Sec-Fetch-Site", "same-origin")
        .header("Sec-Fetch-Dest", "empty")
        .get("/everything")
        .then()
        .statusCode(200);
  }

  @Test
  void callsAndAnswersCountWithTheirBytesUntilTheyAreAnswered() {
    long before = bed.bridge.carried();
    String body = "{\"value\":\"" + "x".repeat(1000) + "\"}";
    Response answer = bed.json(body).post("/everything/echoString");
    int bytes = answer.then().statusCode(200).extract().asByteArray().length;
    await().until(() -> bed.bridge.begun() == 0);
    await().until(() -> bed.bridge.carried() == before + body.length() + bytes);
    bed.json("{\"value\":").post("/everything/echoString").then().statusCode(400);
    await().until(() -> bed.bridge.begun() == 0);
  }

  @Test
  void requestsInProgressAreBounded() throws Exception {
    bed.load("services:\n  max-calls-per-principal: 2\n  max-calls: 3\n");
    bed.bridge.shut();
    List<CompletableFuture<Response>> waiting = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      waiting.add(
          CompletableFuture.supplyAsync(
              () -> bed.json("{\"value\":7}").post("/everything/echoInt"), THREADS));
    }
    await()
        .until(
            () ->
                bed.services.services().calls().stream()
                        .filter(c -> c.operation().equals("echoInt"))
                        .count()
                    == 2);
    problem(bed.json("{\"value\":7}").post("/everything/echoInt"), 429, "too-many")
        .header("Retry-After", "1");
    problem(bed.alice().get(""), 429, "too-many");
    assertThat(bed.services.waitingCalls())
        .extracting(ServicesView.CallView::principal, ServicesView.CallView::operation)
        .containsExactly(tuple("alice", "echoInt"), tuple("alice", "echoInt"));
    waiting.add(CompletableFuture.supplyAsync(ServicesServletTest::newBasketOfBob, THREADS));
    await().until(() -> bed.services.services().calls().size() == 3);
    bed.load("services:\n  max-calls-per-principal: 9\n  max-calls: 3\n");
    problem(bed.json("{\"value\":7}").post("/everything/echoInt"), 503, "busy")
        .header("Retry-After", "1");

    bed.bridge.open();
    for (CompletableFuture<Response> answer : waiting) {
      assertThat(answer.get().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void hostileBodiesGetAProblemAndReachNobody() {
    int before = bed.bridge.calls();
    HostileJson.bodies()
        .forEach(
            (attack, body) -> {
              Response answer =
                  bed.alice()
                      .contentType("application/json")
                      .body(body)
                      .post("/everything/executeSlowly");
              assertThat(answer.statusCode()).as(attack).isEqualTo(400);
              problem(answer, 400, "bad-argument").body("executed", equalTo("no"));
            });
    for (String base64 : List.of("A", "AAA", "AA=A", "A===", "@@@@", "_-8=")) {
      problem(
          bed.json("{\"bytes\": \"" + base64 + "\"}").post("/everything/checksum"),
          400,
          "bad-argument");
    }
    assertThat(bed.bridge.calls()).isEqualTo(before);
  }

  /** Far more than sockets and the container hold: it is all sent before the answer is read. */
  @Test
  void whoSendsALongBadBodyToItsEndIsToldWhatIsBadAndStaysConnected() throws Exception {
    String body = "[" + " ".repeat(9 << 20) + "]";
    URI root = URI.create(bed.root());
    try (Socket client = new Socket(root.getHost(), root.getPort())) {
      for (int i = 0; i < 3; i++) {
        client.getOutputStream().write(post("executeSlowly", "application/json", body));
        assertThat(answer(client.getInputStream())).startsWith("HTTP/1.1 400 ");
      }
      String head = "Content-Encoding: gzip\r\nContent-Length: ";
      for (int i = 0; i < 3; i++) {
        byte[] notInGzip = post("executeSlowly", "application/json", body);
        client
            .getOutputStream()
            .write(
                new String(notInGzip, StandardCharsets.US_ASCII)
                    .replace("Content-Length: ", head)
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(answer(client.getInputStream())).startsWith("HTTP/1.1 400 ");
      }
    }
  }

  /** A request of alice's, as it goes over a connection. */
  private static byte[] post(String operation, String accepted, String json) {
    return """
        POST /rmigate/services/everything/%s HTTP/1.1
        Host: localhost
        Authorization: %s
        Accept: %s
        Content-Type: application/json
        Content-Length: %d

        %s"""
        .formatted(operation, basic("alice", "wonder"), accepted, json.length(), json)
        .replace("\n", "\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The next one of a connection, which says how long it is. */
  private static String answer(InputStream connection) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int next; !head.toString().endsWith("\r\n\r\n"); head.append((char) next)) {
      next = connection.read();
      assertThat(next).as(() -> "after " + head).isNotNegative();
    }
    String length =
        CONTENT_LENGTH
            .matcher(head)
            .results()
            .map(found -> found.group(1))
            .findFirst()
            .orElseThrow();
    byte[] body = connection.readNBytes(Integer.parseInt(length));
    return head + new String(body, StandardCharsets.UTF_8);
  }

  /** No time passes but what the clock is told. */
  @Test
  void whoTakesAnAnswerTooSlowlyIsCutOff() throws Exception {
    int length = 24 << 20;
    try (Socket slow = new Socket()) {
      slow.setReceiveBufferSize(4096);
      URI root = URI.create(bed.root());
      slow.connect(new InetSocketAddress(root.getHost(), root.getPort()));
      String body = "{\"length\": " + length + ", \"seed\": 1}";
      slow.getOutputStream().write(post("produce", "application/octet-stream", body));
      InputStream answer = slow.getInputStream();
      assertThat(new String(answer.readNBytes(15), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 200 OK");

      long read = 0;
      byte[] piece = new byte[64 << 10];
      try {
        for (int got = 0; got >= 0; got = answer.read(piece)) {
          read += got;
          bed.later(Duration.ofDays(1)); // the container waits for the reader nearly all the time
        }
      } catch (IOException reset) {
        // As good as an end.
      }

      assertThat(read).isLessThan(length);
    }
    await()
        .untilAsserted(
            () ->
                assertThat(bed.counted)
                    .contains(new ServicesBed.Counted("everything", "Everything.produce", 0)));
    await().until(() -> bed.services.services().calls().isEmpty());
  }

  // ---- catalogue

  @Test
  void whatDescribesAnObjectIsWrittenOnce() throws Exception {
    int before = bed.described.get();
    String first = bed.alice().get("/everything?wsdl").then().statusCode(200).extract().asString();
    assertThat(bed.alice().get("/everything?wsdl").asString()).isEqualTo(first);
    assertThat(bed.described.get()).isEqualTo(before + 1);

    String linked = bed.alice().get("/everything?wsdl&linked").asString();
    String shop = bed.alice().get("/open/shop?wsdl").asString();
    assertThat(List.of(first, linked, shop)).doesNotHaveDuplicates();
    bed.load("services:\n  url: https://other.example/gate\n");
    assertThat(bed.alice().get("/everything?wsdl").asString())
        .contains("https://other.example/gate/services/everything");
    assertThat(bed.described.get()).isEqualTo(before + 4);
    bed.alice().accept("text/html").get("/everything").then().statusCode(200);
    long kept = bed.services.documents().count();
    for (int i = 0; i < 3; i++) {
      bed.alice()
          .accept("text/html")
          .get("/everything")
          .then()
          .contentType("text/html;charset=utf-8");
      bed.alice().get("/everything?wsdl=no" + i).then().statusCode(404);
    }
    assertThat(bed.services.documents().count()).isEqualTo(kept);
  }

  @Test
  void theCatalogueIsReadableByPeople() {
    Response page = bed.alice().accept("text/html,application/xhtml+xml,*/*").get("/everything");
    page.then()
        .statusCode(200)
        .contentType("text/html;charset=utf-8")
        .header("Content-Security-Policy", startsWith("default-src 'none'; style-src 'sha256-"))
        .body(containsString("curl -u alice -H &#39;Content-Type: application/json&#39;"))
        .body(containsString("Python"))
        .body(containsString("PHP"))
        .body(containsString("C#"))
        .body(containsString("Methods and properties that web services do not offer"))
        .body(linked("/everything/openapi.json"), linked("/everything?wsdl"))
        .body(linked("/everything/openapi.json?version=3.0"));
    bed.alice()
        .accept("text/html")
        .get("")
        .then()
        .body(containsString("open/shop"))
        .body(linked("/everything/openapi.json"), linked("/everything?wsdl"))
        .body(linked("/open/shop/openapi.json"), linked("/open/shop?wsdl"));
  }

  @Test
  void eachOperationHasAFormAndThePageNoOtherScript() throws Exception {
    Response answer = bed.alice().accept("text/html").get("/everything");
    String page = answer.asString();
    String[] parts = page.split("</?script[^>]*>", -1);
    assertThat(parts).hasSize(3);
    String digest =
        Base64.getEncoder()
            .encodeToString(
                MessageDigest.getInstance("SHA-256")
                    .digest(parts[1].getBytes(StandardCharsets.UTF_8)));
    assertThat(answer.header("Content-Security-Policy"))
        .contains("; script-src 'sha256-" + digest + "'; connect-src 'self'; ")
        .startsWith("default-src 'none'; ")
        .doesNotContain("unsafe");
    List<String> operations =
        bed.alice().accept("application/json").get("/everything").path("operations.name");
    assertThat(operations)
        .hasSizeGreaterThan(20)
        .allMatch(name -> page.contains("<form hidden data-operation=\"" + name + "\">"));
    assertThat(page)
        .contains("<form hidden data-operation=\"increment\">", "name=\"href\"")
        .contains(">{\n  &quot;value&quot; : 1\n}</textarea>")
        .doesNotContain(" onsubmit", " onclick");

    Response list = bed.alice().accept("text/html").get("");
    assertThat(list.asString()).doesNotContain("<script", "<form");
    assertThat(list.header("Content-Security-Policy")).doesNotContain("script-src", "connect-src");
  }

  private static Matcher<String> linked(String place) {
    return containsString("<a href=\"" + bed.root() + place + "\">");
  }

  @Test
  void theCatalogueIsReadableByPrograms() {
    bed.alice()
        .accept("application/json")
        .get("/everything")
        .then()
        .statusCode(200)
        .contentType(ContentType.JSON)
        .body("href", equalTo(bed.root() + "/everything"))
        .body("openapi", equalTo(bed.root() + "/everything/openapi.json"))
        .body("openapi30", equalTo(bed.root() + "/everything/openapi.json?version=3.0"))
        .body("wsdl", equalTo(bed.root() + "/everything?wsdl"))
        .body("operations.name", hasItems("echoInt", "newCounter"))
        .body("references.name", hasItem("Counter"))
        .body("refusals.what", hasItem("Everything.echo(Object)"));
    bed.alice()
        .accept("application/json")
        .get("")
        .then()
        .statusCode(200)
        .body(
            "services.openapi",
            contains(
                bed.root() + "/everything/openapi.json", bed.root() + "/open/shop/openapi.json"))
        .body(
            "services.wsdl",
            contains(bed.root() + "/everything?wsdl", bed.root() + "/open/shop?wsdl"));
  }

  @Test
  void theOpenApiDocumentIsOne() {
    String document =
        bed.alice().get("/open/shop/openapi.json").then().statusCode(200).extract().asString();
    SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(document);
    assertThat(parsed.getMessages()).isEmpty();
    assertThat(parsed.getOpenAPI().getOpenapi()).isEqualTo("3.1.0");
    assertThat(parsed.getOpenAPI().getServers().get(0).getUrl())
        .isEqualTo(bed.root() + "/open/shop");
    assertThat(parsed.getOpenAPI().getPaths())
        .containsOnlyKeys("/lookUp", "/newBasket", "/Basket/{handle}/add");
  }

  @Test
  void theVersionOfOpenApiIsAskedForByTheQuery() {
    String place = "/open/shop/openapi.json";
    for (String query : List.of("?version=3.0", "?x=1&version=3.0&version=4")) {
      String document = bed.alice().urlEncodingEnabled(false).get(place + query).asString();
      SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(document);
      assertThat(parsed.getMessages()).isEmpty();
      assertThat(parsed.getOpenAPI().getOpenapi()).isEqualTo("3.0.3");
      assertThat(parsed.getOpenAPI().getPaths())
          .containsOnlyKeys("/lookUp", "/newBasket", "/Basket/{handle}/add");
    }
    String recent = bed.alice().get(place).asString();
    assertThat(recent).contains("\"3.1.0\"");
    assertThat(bed.alice().get(place + "?version=3.1").asString()).isEqualTo(recent);
    for (String unknown : List.of("", "2.0", "3", "3.2")) {
      problem(bed.alice().get(place + "?version=" + unknown), 404, "not-found")
          .body("detail", containsString("3.0 and 3.1"));
    }
  }

  @Test
  void onlyTrustedProxiesSayHowTheyAreReached() throws Exception {
    String address = "services[0].href";
    Supplier<ValidatableResponse> asked =
        () ->
            bed.alice()
                .accept("application/json")
                .header("X-Forwarded-Proto", "https")
                .header("X-Forwarded-Host", "evil.example, gw.example")
                .header("X-Forwarded-Prefix", "/outer")
                .get("")
                .then();
    asked.get().body(address, equalTo(bed.root() + "/everything"));
    bed.load("services:\n  trusted-proxies: [10.0.0.0/8, 127.0.0.1]\n");
    asked.get().body(address, equalTo("https://gw.example/outer/services/everything"));
    bed.alice()
        .accept("application/json")
        .header(
            "Forwarded", "for=1.2.3.4;host=x, for=\"[::1]\";proto=https;host=\"gw.example:8443\"")
        .get("")
        .then()
        .body(address, equalTo("https://gw.example:8443/rmigate/services/everything"));
    bed.alice()
        .accept("application/json")
        .header("Host", "gw.example")
        .header("X-Forwarded-Proto", "https")
        .get("")
        .then()
        .body(address, equalTo("https://gw.example/rmigate/services/everything"));
    bed.alice()
        .accept("application/json")
        .header("Forwarded", "for=1.2.3.4;proto=https")
        .header("X-Forwarded-Host", "evil.example")
        .header("Host", "gw.example:444")
        .get("")
        .then()
        .body(address, equalTo("https://gw.example:444/rmigate/services/everything"));
    bed.load("services:\n  url: https://other.example/gate/\n");
    asked.get().body(address, equalTo("https://other.example/gate/services/everything"));
  }

  // ---- handles

  private static String newCounter() {
    return bed.json("{\"start\": 5}")
        .post("/everything/newCounter")
        .then()
        .statusCode(200)
        .body("interface", equalTo("Counter"))
        .extract()
        .path("href");
  }

  private static Response newBasketOfBob() {
    return bed.bob()
        .contentType("application/json")
        .body("{}".getBytes(StandardCharsets.UTF_8))
        .post("/open/shop/newBasket");
  }

  @Test
  void aReferenceIsUsedPassedBackRenewedAndReleased() {
    String href = newCounter();
    assertThat(href)
        .startsWith(bed.root() + "/everything/Counter/")
        .matches(".*/[A-Za-z0-9_-]{22}");
    bed.json("{}").post(href + "/increment").then().statusCode(200).body(equalTo("6"));
    bed.json("{\"counter\": \"" + href + "\"}")
        .post("/everything/incrementFor")
        .then()
        .body(equalTo("7"));
    bed.json("{\"counter\": {\"href\": \"" + href + "\"}}")
        .post("/everything/incrementFor")
        .then()
        .body(equalTo("8"));

    String expires =
        bed.alice()
            .get(href)
            .then()
            .statusCode(200)
            .body("href", equalTo(href))
            .extract()
            .path("expires");
    bed.later(Duration.ofMinutes(5));
    String later =
        bed.alice().put(href + "/lease").then().statusCode(200).extract().path("expires");
    assertThat(later).isGreaterThan(expires);
    problem(bed.alice().post(href + "/lease"), 405, "method").header("Allow", "PUT");

    assertThat(bed.bridge.held()).isEqualTo(1);
    bed.alice().delete(href).then().statusCode(204);
    assertThat(bed.bridge.held()).isZero();
    problem(bed.json("{}").post(href + "/increment"), 404, "not-found");
    problem(bed.alice().delete(href), 404, "not-found");
    problem(
        bed.json("{\"counter\": \"" + href + "\"}").post("/everything/incrementFor"),
        400,
        "bad-argument");
  }

  @Test
  void aHandleEndsWithItsTime() {
    String href = newCounter();
    bed.later(Duration.ofMinutes(9));
    bed.alice().put(href + "/lease").then().statusCode(200);
    bed.later(Duration.ofMinutes(9));
    bed.json("{}").post(href + "/increment").then().statusCode(200);
    bed.later(Duration.ofMinutes(2));
    problem(bed.json("{}").post(href + "/increment"), 404, "not-found");
    bed.services.handles().expire();
    assertThat(bed.bridge.held()).isZero();
  }

  @Test
  void aHandleIsItsOwnersOnly() throws Exception {
    String href =
        bed.json("{}").post("/open/shop/newBasket").then().statusCode(200).extract().path("href");
    problem(bed.bob().get(href), 404, "not-found");
    problem(bed.bob().delete(href), 404, "not-found");
    problem(bed.bob().put(href + "/lease"), 404, "not-found");
    problem(bed.bob().post(href + "/add"), 404, "not-found");
    bed.alice().get(href).then().statusCode(200);
    assertThat(bed.services.services().handles())
        .extracting(ServicesView.HandleView::principal)
        .containsExactly("alice");
    assertThat(bed.services.services().toString())
        .doesNotContain(href.substring(href.length() - HANDLE_CHARACTERS));
  }

  @Test
  void noGuessedHandleLeadsToAnObject() throws Exception {
    bed.loadEverythingFor("'*'");
    String href = newCounter();
    String place = href.substring(0, href.length() - HANDLE_CHARACTERS);
    Random random = new Random(7);
    byte[] guess = new byte[16];
    for (int i = 0; i < GUESSES; i++) {
      random.nextBytes(guess);
      String id = Base64.getUrlEncoder().withoutPadding().encodeToString(guess);
      problem(bed.bob().get(place + id), 404, "not-found");
    }
    bed.alice().get(href).then().statusCode(200);
  }

  @Test
  void aHandleIsItsOwnersOnlyAsAnArgumentToo() throws Exception {
    bed.loadEverythingFor("'*'");
    String href = newCounter();
    byte[] argument = ("{\"counter\": \"" + href + "\"}").getBytes(StandardCharsets.UTF_8);
    int before = bed.bridge.calls();

    problem(
            bed.bob()
                .contentType("application/json")
                .body(argument)
                .post("/everything/incrementFor"),
            400,
            "bad-argument")
        .body("executed", equalTo("no"));

    assertThat(bed.bridge.calls()).isEqualTo(before);
    bed.alice()
        .contentType("application/json")
        .body(argument)
        .post("/everything/incrementFor")
        .then()
        .statusCode(200)
        .body(equalTo("6"));
  }

  @Test
  void handlesAreOfTheirPlaceOnly() {
    String href = newCounter();
    String id = href.substring(href.length() - HANDLE_CHARACTERS);
    problem(bed.alice().get("/everything/Basket/" + id), 404, "not-found");
    problem(bed.alice().get("/open/shop/Counter/" + id), 404, "not-found");
    problem(bed.alice().get("/everything/Counter/" + "A".repeat(22)), 404, "not-found");
  }

  @Test
  void handlesAreCounted() throws Exception {
    bed.load("services:\n  max-handles-per-principal: 2\n  max-handles: 3\n");
    newCounter();
    newCounter();
    problem(bed.json("{\"start\": 5}").post("/everything/newCounter"), 500, "too-many-references")
        .body("executed", equalTo("yes"));
    assertThat(bed.bridge.held()).isEqualTo(2);
    newBasketOfBob().then().statusCode(200);
    problem(newBasketOfBob(), 500, "too-many-references");
    assertThat(bed.services.services().handles()).hasSize(3);
  }

  @Test
  void handlesEndWithTheirEntryAndOutliveItsClasses() throws Exception {
    String href = newCounter();
    bed.restoreJar();
    Files.setLastModifiedTime(bed.jars.resolve("sample.jar"), FileTime.fromMillis(1_000));
    bed.load("");
    bed.json("{\"counter\": \"" + href + "\"}")
        .post("/everything/incrementFor")
        .then()
        .body(equalTo("6"));
    bed.services.load(List.of(), ServiceSettings.DEFAULTS);
    assertThat(bed.bridge.held()).isZero();
  }

  @Test
  void aWallClockThatIsSetEndsNoHandle() {
    String href = newCounter();
    bed.clock.advance(Duration.ofDays(1));
    bed.services.handles().expire();
    bed.json("{}").post(href + "/increment").then().statusCode(200);
  }

  @Test
  void aHandleEndsWithTheRightToIt() throws Exception {
    newCounter();
    bed.loadEverythingFor("bob");
    assertThat(bed.bridge.held()).isZero();
    bed.load("");
    newCounter();
    bed.loadAsEverything("Other");
    assertThat(bed.bridge.held()).isZero();
  }

  // ---- reload

  @Test
  void damagedJarsLeaveInPlaceWhatWasThere() throws Exception {
    Path jar = bed.jars.resolve("sample.jar");
    Files.write(jar, new byte[100]);
    bed.load("services:\n  call-timeout: 5s\n");
    assertThat(bed.services.services().published())
        .allSatisfy(entry -> assertThat(entry.state()).isEqualTo("stale"));
    bed.json("{\"value\":1}").post("/everything/echoInt").then().statusCode(200);
    bed.restoreJar();
    bed.load("");
    assertThat(bed.services.services().published())
        .hasSize(2)
        .allSatisfy(entry -> assertThat(entry.state()).isEqualTo("published"));
  }

  @Test
  void missingJarsConcernTheirOwnEntryOnly() throws Exception {
    bed.loadShopFrom("nowhere");

    assertThat(bed.services.services().published())
        .extracting(ServicesView.EntryView::path, ServicesView.EntryView::state)
        .containsExactly(tuple("everything", "published"), tuple("open/shop", "stale"));
    assertThat(bed.services.services().published().get(1).reason()).contains("nowhere");
    bed.json("{}").post("/open/shop/newBasket").then().statusCode(200);
    bed.json("{\"value\":1}").post("/everything/echoInt").then().statusCode(200);
  }

  @Test
  void staleClassesAreOfTheObjectForWhichTheyWereLoaded() throws Exception {
    Files.write(bed.jars.resolve("sample.jar"), new byte[100]);
    int before = bed.bridge.calls();

    bed.loadAsEverything("Other");

    problem(bed.json("{\"value\":1}").post("/everything/echoInt"), 503, "busy");
    assertThat(bed.bridge.calls()).isEqualTo(before);
    assertThat(bed.services.services().published())
        .extracting(ServicesView.EntryView::state)
        .containsExactly("failed", "stale");
    bed.restoreJar();
  }
}
