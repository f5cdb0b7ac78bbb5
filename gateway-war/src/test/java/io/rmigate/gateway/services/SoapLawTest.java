package io.rmigate.gateway.services;

import static io.restassured.RestAssured.given;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import io.restassured.path.xml.XmlPath;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who may call what, and how much of it, is the same for SOAP as for JSON, of which {@link
 * ServicesServletTest} tells; and what is not a matter of the envelope is answered alike.
 */
class SoapLawTest {
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
    bed.bridge.open();
    bed.load("");
    bed.later(Duration.ofDays(30));
    bed.services.handles().expire();
    assertThat(bed.bridge.held()).isZero();
    assertThat(bed.services.services().calls()).isEmpty();
    assertThat(bed.services.bodies().taken()).isZero();
  }

  private static RequestSpecification envelope(
      RequestSpecification from, String contract, String operation, String content) {
    String envelope =
        """
        <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>\
        <t:%1$s xmlns:t="urn:rmigate:contract:io.rmigate.sample.%2$s">%3$s</t:%1$s>\
        </e:Body></e:Envelope>"""
            .formatted(operation, contract, content);
    return from.contentType("text/xml; charset=utf-8")
        .body(envelope.getBytes(StandardCharsets.UTF_8));
  }

  private static Response echoed(RequestSpecification from) {
    return envelope(from, "Everything", "echoInt", "<value>7</value>").post("/everything");
  }

  private static Response newCounter() {
    return envelope(bed.alice(), "Everything", "newCounter", "<start>5</start>")
        .post("/everything");
  }

  private static ValidatableResponse problem(Response response, int status, String type) {
    return response
        .then()
        .statusCode(status)
        .contentType("application/problem+json")
        .body("type", equalTo("urn:rmigate:problem:" + type))
        .body("executed", equalTo("no"));
  }

  @Test
  void whoHasNotLoggedInIsAskedTo() {
    int before = bed.bridge.calls();

    problem(echoed(given().baseUri(bed.root())), 401, "not-logged-in");
    problem(given().baseUri(bed.root()).get("/everything?wsdl"), 401, "not-logged-in");

    assertThat(bed.bridge.calls()).isEqualTo(before);
    assertThat(bed.refused).contains("service-not-logged-in");
  }

  @Test
  void whatIsNotForSomebodyDoesNotExist() {
    int before = bed.bridge.calls();

    problem(echoed(bed.bob()), 404, "not-found");
    problem(bed.bob().get("/everything?wsdl"), 404, "not-found");

    assertThat(bed.bridge.calls()).isEqualTo(before);
    echoed(bed.alice()).then().statusCode(200).body(containsString("<return>7</return>"));
  }

  @Test
  void whatIsNotPublishedOfAnObjectIsNoOperation() {
    int before = bed.bridge.calls();

    envelope(bed.bob(), "Catalogue", "products", "")
        .post("/open/shop")
        .then()
        .statusCode(500)
        .body(containsString("not-found"))
        .body(containsString("executed>no<"));
    bed.bob()
        .get("/open/shop?wsdl")
        .then()
        .statusCode(200)
        .body(containsString("\"lookUp\""))
        .body(not(containsString("products")));

    assertThat(bed.bridge.calls()).isEqualTo(before);
    envelope(bed.bob(), "Catalogue", "lookUp", "<article>none</article>")
        .post("/open/shop")
        .then()
        .statusCode(200);
  }

  /** What stands before the gateway may have looked at either of them. */
  @Test
  void noActionOfAnotherOperationPassesInAHeaderThatIsSentTwice() {
    int before = bed.bridge.calls();

    for (String other : List.of("\"echoString\"", "echoString", "\"echoInt\"")) {
      echoed(bed.alice().header("SOAPAction", "\"echoInt\"", other))
          .then()
          .statusCode(500)
          .body(containsString("The action does not match the operation in the body."));
    }

    assertThat(bed.bridge.calls()).isEqualTo(before);
    echoed(bed.alice().header("SOAPAction", "\"echoInt\"")).then().statusCode(200);
  }

  @Test
  void aHandleIsNothingToOthers() {
    String href =
        XmlPath.from(newCounter().asString()).getString("**.find {it.name() == 'Address'}");

    problem(envelope(bed.bob(), "Counter", "increment", "").post(href), 404, "not-found");
    problem(bed.bob().get(href + "?wsdl"), 404, "not-found");
    envelope(bed.alice(), "Counter", "increment", "")
        .post(href)
        .then()
        .statusCode(200)
        .body(containsString("<return>6</return>"));
  }

  @Test
  void requestsInProgressAreBounded() throws Exception {
    bed.load("services:\n  max-calls-per-principal: 1\n  max-calls: 2\n");
    bed.bridge.shut();
    CompletableFuture<Response> waiting =
        CompletableFuture.supplyAsync(
            () -> echoed(bed.alice()), task -> new Thread(task, "client").start());
    await().until(() -> bed.services.services().calls().size() == 1);

    problem(echoed(bed.alice()), 429, "too-many").header("Retry-After", "1");
    bed.load("services:\n  max-calls-per-principal: 1\n  max-calls: 1\n");
    problem(envelope(bed.bob(), "Catalogue", "newBasket", "").post("/open/shop"), 503, "busy")
        .header("Retry-After", "1");

    bed.bridge.open();
    assertThat(waiting.get().statusCode()).isEqualTo(200);
    assertThat(bed.refused).contains("service-too-many", "service-busy");
  }

  @Test
  void referencesAreCounted() throws Exception {
    bed.load("services:\n  max-handles-per-principal: 1\n");
    newCounter().then().statusCode(200);

    newCounter()
        .then()
        .statusCode(500)
        .body(containsString("too-many-references"))
        .body(containsString("executed>yes<"));

    assertThat(bed.services.services().handles()).hasSize(1);
  }

  @Test
  void bodiesAreBounded() throws Exception {
    bed.load("services:\n  max-body: 2KiB\n  max-bodies: 1MiB\n");
    int before = bed.bridge.calls();

    Response refused =
        envelope(bed.alice(), "Everything", "echoString", "<value>" + "x".repeat(3000) + "</value>")
            .post("/everything");

    assertThat(refused.statusCode()).isIn(413, 500);
    assertThat(refused.asString()).contains("too-large");
    assertThat(bed.bridge.calls()).isEqualTo(before);
  }

  @Test
  void theWsdlHasTheConfiguredAddress() throws Exception {
    bed.load("services:\n  url: https://gw.example/gate\n");

    bed.alice()
        .get("/everything?wsdl")
        .then()
        .body(containsString("location=\"https://gw.example/gate/services/everything\""));
  }

  @Test
  void callsAreCountedByTheirOperationAndEnding() {
    bed.counted.clear();

    echoed(bed.alice()).then().statusCode(200);
    envelope(bed.alice(), "Everything", "failChecked", "<message>x</message>")
        .post("/everything")
        .then()
        .statusCode(500);
    envelope(bed.alice(), "Everything", "noSuch", "").post("/everything").then().statusCode(500);

    await()
        .untilAsserted(
            () ->
                assertThat(bed.counted)
                    .containsSubsequence(
                        new ServicesBed.Counted("everything", "Everything.echoInt", 200),
                        new ServicesBed.Counted("everything", "Everything.failChecked", 500),
                        new ServicesBed.Counted("everything", "Everything.unknown", 500)));
  }
}
