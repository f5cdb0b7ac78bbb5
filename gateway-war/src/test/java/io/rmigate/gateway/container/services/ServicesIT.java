package io.rmigate.gateway.container.services;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.rmigate.gateway.testing.HostileJson;
import io.rmigate.gateway.testing.HostileSoap;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A web-service client, a gateway and an RMI server, each in a JVM of its own. */
@ExtendWith(LeftoverCheck.class)
class ServicesIT {
  private static final Duration SOON = Patience.PATIENCE;

  /** No handle expires while a test uses it. */
  private static final String LIFETIME = "10m";

  private static final String SHORT_LIFETIME = "1s";

  private static final int MEBIBYTE = 1 << 20;

  /** One for each request: the common pool has as many as there are processors. */
  private static final Executor THREADS = task -> new Thread(task, "client").start();

  private static SampleInside inside;
  private static OpenGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    inside = SampleInside.start(ServicesIT.class);
    gateway =
        OpenGateway.start(inside.directory().resolve("gateway"), inside.hosts(), settings(""));
  }

  /**
   * What the gateway is told.
   *
   * @param services a line of that section, or nothing
   * @param others what is published but for everything
   */
  private static String[] settings(String services, String... others) {
    return settingsWith(LIFETIME, services, others);
  }

  private static String[] settingsWith(String lifetime, String services, String... others) {
    return new String[] {
      OpenGateway.targets(InsideHosts.INSIDE + ":*"),
      "services:\n  handle-lifetime: " + lifetime,
      services,
      "publish:",
      inside.published("everything", "Everything") + String.join("", others)
    };
  }

  @AfterAll
  static void stop() {
    if (gateway != null) {
      gateway.close();
    }
    inside.close();
  }

  private static RequestSpecification at(String place) {
    return given().baseUri(gateway.uri() + "/services/everything" + place);
  }

  private static RequestSpecification atHandle(String href) {
    return given().baseUri(href).contentType("application/json");
  }

  private static Response post(String operation, String json) {
    return at("")
        .contentType("application/json")
        .body(json.getBytes(StandardCharsets.UTF_8))
        .post("/" + operation);
  }

  private static String asked(String operation, String json) {
    return post(operation, json).then().statusCode(200).extract().asString();
  }

  private static String executions(String id) {
    return asked("executions", "{\"callId\": \"" + id + "\"}");
  }

  @Test
  void eachCallIsExecutedOnce() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(asked("execute", "{\"callId\": \"once" + i + "\"}")).isEqualTo("1");
    }
    assertThat(executions("once7")).isEqualTo("1");
    await()
        .atMost(SOON)
        .until(
            () -> gateway.get("/metrics"),
            metrics ->
                metrics.contains(
                    "rmigate_services_calls_seconds_count{operation=\"Everything.execute\","));
    assertThat(gateway.admin("services").get("published").get(0).get("state").asText())
        .isEqualTo("published");
  }

  @Test
  void hostileBodiesReachNoServer() {
    HostileJson.bodies()
        .forEach(
            (attack, body) ->
                at("")
                    .contentType("application/json")
                    .body(body)
                    .post("/executeSlowly")
                    .then()
                    .statusCode(400)
                    .contentType("application/problem+json")
                    .body("executed", equalTo("no")));
    assertThat(executions(HostileJson.ID)).isEqualTo("0");
  }

  @Test
  void hostileEnvelopesReachNoServer() throws Exception {
    Path zero = Files.writeString(inside.directory().resolve("zero"), "0");
    try (ServerSocket trap = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      trap.setSoTimeout(1);
      URI nowhere = URI.create("http://127.0.0.1:" + trap.getLocalPort() + "/0");
      Map<String, HostileSoap.Envelope> envelopes = HostileSoap.envelopes(zero.toUri(), nowhere);
      for (Map.Entry<String, HostileSoap.Envelope> attack : envelopes.entrySet()) {
        assertThat(answerTo(attack.getValue()))
            .as(attack.getKey())
            .startsWith("HTTP/1.1 500 ")
            .containsPattern("(?i)\r\nContent-Type: text/xml; ?charset=utf-8\r\n")
            .contains(
                "<p:type>" + attack.getValue().problem() + "</p:type><p:executed>no</p:executed>")
            .doesNotContain("Exception")
            .doesNotContainPattern("\\b[a-z]\\w*(?:\\.[a-z]\\w*)+\\.[A-Z]");
      }
      assertThatThrownBy(trap::accept)
          .as("a connection to the trap")
          .isInstanceOf(SocketTimeoutException.class);
    }
    assertThat(executions(HostileSoap.ID)).isEqualTo("0");
    assertThat(answerTo(HostileSoap.harmless("harmless"))).startsWith("HTTP/1.1 200 ");
    assertThat(executions("harmless")).isEqualTo("1");
    assertThat(gateway.jvm().output()).noneMatch(line -> line.contains("OutOfMemoryError"));
  }

  /** Head and body. What the gateway no longer reads cannot be sent: that is not a failure here. */
  private static String answerTo(HostileSoap.Envelope envelope) throws Exception {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    CompletableFuture<Void> sent;
    try (Socket socket = new Socket(gateway.uri().getHost(), gateway.port())) {
      socket.setSoTimeout((int) SOON.toMillis());
      sent = CompletableFuture.runAsync(() -> send(envelope, socket), THREADS);
      InputStream in = socket.getInputStream();
      try {
        for (int b = in.read(); b >= 0; b = in.read()) {
          answer.write(b);
        }
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException reset) {
        // As good as an end.
      }
    }
    sent.get();
    return answer.toString(StandardCharsets.UTF_8);
  }

  private static void send(HostileSoap.Envelope envelope, Socket socket) {
    String head =
        """
        POST %s/services/everything HTTP/1.1
        Host: %s
        Connection: close
        Content-Type: %s
        Content-Length: %d
        SOAPAction: %s

        """
            .formatted(
                gateway.uri().getPath(),
                gateway.uri().getAuthority(),
                envelope.contentType(),
                envelope.length(),
                envelope.action());
    try {
      OutputStream out = socket.getOutputStream();
      out.write(head.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
      envelope.writeTo(out);
    } catch (IOException refused) {
      // The answer says why.
    }
  }

  private static String slowly(String id) {
    return "{\"callId\": \"" + id + "\", \"millis\": 5000}";
  }

  private static boolean isWaiting(JsonNode call) {
    return call.get("state").asText().equals("WEB_SERVICE")
        && call.get("method").asText().equals("executeSlowly")
        && call.get("target").asText().equals("/services/everything")
        && call.get("principal").asText().equals("anonymous");
  }

  @Test
  void aCallEndsAtItsDeadline() throws Exception {
    CompletableFuture<Response> before =
        CompletableFuture.supplyAsync(() -> post("executeSlowly", slowly("patient")), THREADS);
    await()
        .atMost(SOON)
        .until(
            () -> {
              JsonNode calls = gateway.admin("calls");
              return calls.size() == 1 && isWaiting(calls.get(0));
            });
    gateway.reconfigure(settings("  call-timeout: 500ms", inside.published("shop", "Catalogue")));
    try {
      await()
          .atMost(SOON)
          .until(() -> given().get(gateway.uri() + "/services/shop").statusCode() == 200);
      post("executeSlowly", slowly("late by JSON"))
          .then()
          .statusCode(504)
          .contentType("application/problem+json")
          .body("type", equalTo("urn:rmigate:problem:timed-out"))
          .body("executed", equalTo("unknown"));
      at("")
          .contentType("text/xml; charset=utf-8")
          .body(
              """
              <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>\
              <t:executeSlowly xmlns:t="urn:rmigate:contract:io.rmigate.sample.Everything">\
              <callId>late by SOAP</callId><millis>5000</millis></t:executeSlowly>\
              </e:Body></e:Envelope>"""
                  .getBytes(StandardCharsets.UTF_8))
          .post("")
          .then()
          .statusCode(500)
          .contentType(startsWith("text/xml"))
          .body(containsString(":Server</faultcode>"))
          .body(containsString("<p:type>timed-out</p:type><p:executed>unknown</p:executed>"));
    } finally {
      gateway.reconfigure(settings(""));
      await()
          .atMost(SOON)
          .until(() -> given().get(gateway.uri() + "/services/shop").statusCode() == 404);
    }
    before.get().then().statusCode(200).body(equalTo("1"));
    for (String id : new String[] {"patient", "late by JSON", "late by SOAP"}) {
      assertThat(executions(id)).as(id).isEqualTo("1");
    }
    await().atMost(SOON).until(() -> gateway.admin("calls").isEmpty());
  }

  @Test
  void fiftyMebibytesPassThroughASmallHeap() {
    byte[] bytes = new byte[50 * MEBIBYTE];
    new Random(1).nextBytes(bytes);
    CRC32 crc = new CRC32();
    crc.update(bytes);

    at("")
        .contentType("application/octet-stream")
        .body(bytes)
        .post("/checksum")
        .then()
        .statusCode(200)
        .body(equalTo(Long.toString(crc.getValue())));
  }

  @Test
  void theServerForgetsWhatAReleasedHandleHeld() throws Exception {
    int before = unreferencedCounters();
    String first = post("newCounter", "{\"start\": 1}").path("href");
    String second = post("newCounter", "{\"start\": 10}").path("href");
    atHandle(first).post("/increment").then().statusCode(200).body(equalTo("2"));
    assertThat(gateway.metric("rmigate_services_handles")).isGreaterThanOrEqualTo(2);
    theAdministratorSeesWhoseTheyAre(first, second);

    given().delete(first).then().statusCode(204);
    given().delete(second).then().statusCode(204);
    // At least: the server may lose counters of earlier tests only now.
    await().atMost(SOON).until(() -> unreferencedCounters() >= before + 2);
    atHandle(second).post("/increment").then().statusCode(404);
    assertThat(gateway.admin("services").get("handles")).isEmpty();
  }

  @Test
  void theServerForgetsWhatAnExpiredHandleHeld() throws Exception {
    int before = unreferencedCounters();
    try (OpenGateway expiring =
        OpenGateway.start(
            inside.directory().resolve("expiring"),
            inside.hosts(),
            settingsWith(SHORT_LIFETIME, ""))) {
      String counter =
          given()
              .contentType("application/json")
              .body("{\"start\": 10}")
              .post(expiring.uri() + "/services/everything/newCounter")
              .path("href");
      await().atMost(SOON).until(() -> unreferencedCounters() > before);
      atHandle(counter).post("/increment").then().statusCode(404);
      assertThat(expiring.admin("services").get("handles")).isEmpty();
    }
  }

  private static int unreferencedCounters() {
    return Integer.parseInt(asked("unreferencedCounters", "{}"));
  }

  /** But cannot use them. */
  private static void theAdministratorSeesWhoseTheyAre(String... hrefs) throws IOException {
    assertThat(gateway.admin("services").get("handles"))
        .hasSize(hrefs.length)
        .allSatisfy(
            handle -> {
              assertThat(handle.get("principal").asText()).isEqualTo("anonymous");
              assertThat(handle.get("path").asText()).isEqualTo("everything");
              assertThat(handle.get("interfaceName").asText())
                  .isEqualTo("io.rmigate.sample.Counter");
            });
    for (String href : hrefs) {
      assertThat(gateway.get("/admin/services"))
          .doesNotContain(href.substring(href.lastIndexOf('/') + 1));
    }
  }

  @Test
  void aHandleStandsForItsObject() {
    String counter = post("newCounter", "{\"start\": 10}").path("href");
    assertThat(asked("incrementFor", "{\"counter\": \"" + counter + "\"}")).isEqualTo("11");
    atHandle(counter).post("/increment").then().statusCode(200).body(equalTo("12"));
    given().put(counter + "/lease").then().statusCode(200);
    given().delete(counter).then().statusCode(204);
    atHandle(counter).post("/increment").then().statusCode(404);
  }

  @Test
  void whatIsPublishedChangesWithTheConfiguration() throws Exception {
    Path file = inside.directory().resolve("gateway").resolve("rmigate.yaml");
    String before = Files.readString(file);
    Files.writeString(file, before + inside.published("shop", "Catalogue"));
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                given()
                    .accept("application/json")
                    .get(gateway.uri() + "/services")
                    .then()
                    .body("services.path", hasItem("shop")));
    given()
        .post(gateway.uri() + "/services/shop/newBasket")
        .then()
        .statusCode(415); // it sends a form
    Files.writeString(file, before);
    await()
        .atMost(SOON)
        .until(() -> given().get(gateway.uri() + "/services/shop").statusCode() == 404);
  }

  @Test
  void thePageHasExamples() {
    at("").accept("text/html").get("").then().statusCode(200).body(containsString("curl -u alice"));
  }
}
