package io.rmigate.gateway.container.services;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.specification.RequestSpecification;
import io.rmigate.gateway.testing.FrameSocket;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OldJvm;
import io.rmigate.testing.Patience;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The web-service front in the containers that are claimed to run it, the stand-alone gateway's
 * among them: what is theirs, not ours, of HTTP.
 */
@ExtendWith(LeftoverCheck.class)
class ContainersIT {
  private static final Duration SOON = Patience.PATIENCE;

  /** The last request of a connection. */
  private static final String NEXT =
      "GET /health HTTP/1.1\r\nHost: gw.example\r\nConnection: close\r\n\r\n";

  /** Types of frames (PROTOCOL.md, section 5). */
  private static final int WELCOME = 0x02;

  private static final int GOODBYE = 0x03;

  private static final String SOAP_12 = "application/soap+xml; charset=utf-8";

  /** What the proxy says. */
  private static final String OUTER = "https://gw.example/outer/services/everything";

  private static final Pattern ADDRESS = Pattern.compile("<(?:\\w+:)?Address[^>]*>([^<]+)</");

  private static SampleInside inside;

  @BeforeAll
  static void start() throws Exception {
    inside = SampleInside.start(ContainersIT.class);
  }

  @AfterAll
  static void stop() {
    inside.close();
  }

  @ParameterizedTest
  @MethodSource("io.rmigate.gateway.testing.GatewayKind#kindsOfThisTier")
  void jsonAndSoapAreTheSameEverywhere(GatewayKind kind) throws Exception {
    Path directory = Files.createDirectories(inside.directory().resolve(kind.name()));
    GatewaySetup setup =
        new GatewaySetup(
            directory,
            Optional.empty(),
            inside.hosts(),
            List.of(InsideHosts.INSIDE + ":*"),
            List.of("-Xmx192m"),
            "legacy:\n  enabled: true\nservices:\n  trusted-proxies: [127.0.0.1]\nhosts: [gw.example]\npublish:\n"
                + inside.published("everything", "Everything"),
            0);
    try (GatewayUnderTest gateway = kind.start(setup.asRoot())) {
      oldJdks(new OldJvm(gateway.uri().getPort()));
      String object = gateway.uri() + "/services/everything";
      callsHandlesPagesAndProblems(object);
      envelopesAndFaults(object);
      theLaterVersion(object);
      await() // it is counted when it has been sent
          .atMost(SOON)
          .untilAsserted(
              () ->
                  given()
                      .get(gateway.uri() + "/metrics")
                      .then()
                      .body(
                          containsString(
                              "operation=\"Everything.failChecked\",path=\"everything\",status=\"500\"")));
      theWsdlHasTheAddressThatTheProxySays(object);
      referencesHaveTheAddressThatTheProxySays(object);
      gzipInBothDirections(object);
      damagedBodies(object);
      attachmentsOfOneName(object);
      ambiguousFraming(gateway.uri(), "/services/everything/echoInt");
      textMessages(gateway.uri());
    }
  }

  /** Hosts in request lines, heads that leave before bodies, bodies in pieces. */
  private static void oldJdks(OldJvm old) throws IOException {
    String host = InsideHosts.INSIDE;
    assertThat(old.toPortByProxy(host, inside.port(), new byte[0]).body()).containsExactly(0);
    OldJvm.Stub stub = OldJvm.Stub.in(old.toCgi(host, inside.port(), OldJvm.lookup("Everything")));
    byte[] echo = OldJvm.call(stub, "echoInt(I)I", out -> out.writeInt(42));
    for (OldJvm.Answer answer :
        List.of(
            old.toPort(stub.host(), stub.port(), echo),
            old.toPortByProxy(stub.host(), stub.port(), echo),
            old.toCgi(stub.host(), stub.port(), echo),
            old.toCgiByProxy(stub.host(), stub.port(), echo))) {
      assertThat(answer.contentType()).isEqualTo("application/octet-stream");
      assertThat(answer.asInt()).isEqualTo(42);
    }
    byte[] large = new byte[1 << 20];
    byte[] checksum = OldJvm.call(stub, "checksum([B)J", out -> out.writeObject(large));
    assertThat(old.toPort(stub.host(), stub.port(), checksum).isReturned()).isTrue();
    byte[] produce =
        OldJvm.call(
            stub,
            "produce(IJ)[B",
            out -> {
              out.writeInt(large.length);
              out.writeLong(1);
            });
    assertThat(old.toPort(stub.host(), stub.port(), produce).body())
        .hasSizeBetween(large.length, large.length + 100);
    assertThat(old.toPort(stub.host(), stub.port(), old.dirty(stub)).isReturned()).isTrue();
    assertThat(old.toPort(stub.host(), stub.port(), old.clean(stub)).isReturned()).isTrue();
    assertThat(old.toPort(InsideHosts.FORBIDDEN, inside.port(), echo).isReturned()).isFalse();
    String hostAndPort = stub.host() + ":" + stub.port();
    assertThat(old.post("/", hostAndPort, echo, "Host: another.example").isReturned()).isFalse();
    assertThat(old.post("http://another.example/", hostAndPort, echo).isReturned()).isFalse();
  }

  private static void callsHandlesPagesAndProblems(String object) {
    String href = newCounter(given(), object);
    given()
        .contentType("application/json")
        .post(href + "/increment")
        .then()
        .statusCode(200)
        .body(equalTo("6"));
    given().delete(href).then().statusCode(204);
    given().get(href).then().statusCode(404).contentType(startsWith("application/problem+json"));
    given()
        .contentType("application/json")
        .body("{".getBytes(StandardCharsets.UTF_8))
        .post(object + "/newCounter")
        .then()
        .statusCode(400)
        .contentType(startsWith("application/problem+json"));
    given().accept("text/html").get(object).then().statusCode(200);
    given().get(object + "/openapi.json").then().statusCode(200).body("openapi", equalTo("3.1.0"));
  }

  /** Its handle; it is at 5. */
  private static String newCounter(RequestSpecification from, String object) {
    return from.contentType("application/json")
        .body("{\"start\": 5}".getBytes(StandardCharsets.UTF_8))
        .post(object + "/newCounter")
        .then()
        .statusCode(200)
        .extract()
        .path("href");
  }

  private static byte[] envelope(String operation, String content) {
    return """
        <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>\
        <t:%1$s xmlns:t="urn:rmigate:contract:io.rmigate.sample.Everything">%2$s</t:%1$s>\
        </e:Body></e:Envelope>"""
        .formatted(operation, content)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void envelopesAndFaults(String object) {
    given()
        .contentType("text/xml; charset=utf-8")
        .header("SOAPAction", "\"\"")
        .body(envelope("echoString", "<value>\u010d \ud83d\ude00</value>"))
        .post(object)
        .then()
        .statusCode(200)
        .contentType(startsWith("text/xml"))
        .body(containsString("<return>\u010d \ud83d\ude00</return>"));
    given()
        .contentType("text/xml; charset=utf-8")
        .body(envelope("failChecked", "<message>wrong</message>"))
        .post(object)
        .then()
        .statusCode(500)
        .contentType(startsWith("text/xml"))
        .body(containsString("CheckedFailure"), containsString("<code>42</code>"));
  }

  private static void theLaterVersion(String object) {
    given()
        .contentType(SOAP_12)
        .body(envelope12("echoString", "<value>\u010d \ud83d\ude00</value>"))
        .post(object)
        .then()
        .statusCode(200)
        .contentType(startsWith("application/soap+xml"))
        .body(
            containsString("http://www.w3.org/2003/05/soap-envelope"),
            containsString("<return>\u010d \ud83d\ude00</return>"));
    given()
        .contentType(SOAP_12)
        .body(envelope12("echoInt", "<value>x</value>"))
        .post(object)
        .then()
        .statusCode(400)
        .contentType(startsWith("application/soap+xml"))
        .body(
            containsString(":Sender</"),
            containsString("<p:type>bad-argument</p:type><p:executed>no</p:executed>"));
  }

  private static byte[] envelope12(String operation, String content) {
    return new String(envelope(operation, content), StandardCharsets.UTF_8)
        .replace(
            "http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static RequestSpecification behindAProxy() {
    return given()
        .header("X-Forwarded-Proto", "https")
        .header("X-Forwarded-Host", "gw.example")
        .header("X-Forwarded-Prefix", "/outer");
  }

  private static void theWsdlHasTheAddressThatTheProxySays(String object) {
    String address = "location=\"%s\"";
    given()
        .get(object + "?wsdl")
        .then()
        .statusCode(200)
        .contentType(startsWith("text/xml"))
        .body(containsString(address.formatted(object)));
    behindAProxy()
        .get(object + "?wsdl")
        .then()
        .statusCode(200)
        .body(containsString(address.formatted(OUTER)), not(containsString(object)));
  }

  /** And each is passed back in the other notation. */
  private static void referencesHaveTheAddressThatTheProxySays(String object) {
    String href = newCounter(behindAProxy(), object);
    String envelope =
        behindAProxy()
            .contentType("text/xml; charset=utf-8")
            .body(envelope("newCounter", "<start>7</start>"))
            .post(object)
            .then()
            .statusCode(200)
            .body(not(containsString(object)))
            .extract()
            .asString();
    Matcher address = ADDRESS.matcher(envelope);
    assertThat(address.find()).as(envelope).isTrue();

    assertThat(List.of(href, address.group(1)))
        .allSatisfy(reference -> assertThat(reference).startsWith(OUTER + "/Counter/"));
    behindAProxy()
        .contentType("application/json")
        .body(
            ("{\"counter\": {\"href\": \"" + address.group(1) + "\"}}")
                .getBytes(StandardCharsets.UTF_8))
        .post(object + "/incrementFor")
        .then()
        .statusCode(200)
        .body(equalTo("8"));
    behindAProxy()
        .contentType("text/xml; charset=utf-8")
        .body(
            envelope(
                "incrementFor",
                "<counter><a:Address xmlns:a=\"http://www.w3.org/2005/08/addressing\">"
                    + href
                    + "</a:Address></counter>"))
        .post(object)
        .then()
        .statusCode(200)
        .body(containsString("<return>6</return>"));
    for (String reference : List.of(href, address.group(1))) {
      given().delete(object + reference.substring(OUTER.length())).then().statusCode(204);
    }
  }

  /** With a client that leaves codings alone. */
  private static void gzipInBothDirections(String object) throws Exception {
    String text = "0123456789".repeat(1000);
    HttpResponse<byte[]> answer =
        gzipped(object, gzip(envelope("echoString", "<value>" + text + "</value>")));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(answer.body()).hasSizeLessThan(text.length() / 4);
    try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
      assertThat(new String(plain.readAllBytes(), StandardCharsets.UTF_8))
          .contains("<return>" + text + "</return>");
    }
  }

  /** In each container the client is told what is wrong, and nothing is called. */
  private static void damagedBodies(String object) throws Exception {
    byte[] whole = gzip(envelope("echoString", "<value>" + "0123456789".repeat(1000) + "</value>"));
    byte[] turned = whole.clone();
    turned[turned.length - 5] ^= 1; // in the checksum
    byte[] followed = Arrays.copyOf(whole, whole.length + 7);
    for (byte[] damaged : List.of(Arrays.copyOf(whole, whole.length - 9), turned, followed)) {
      HttpResponse<byte[]> answer = gzipped(object, damaged);

      assertThat(answer.statusCode()).isIn(400, 500); // SOAP 1.1 knows 500 only
      assertThat(new String(answer.body(), StandardCharsets.UTF_8))
          .contains("executed>no<")
          .doesNotContain("0123456789");
    }
  }

  /** It is ambiguous which of the two is meant. */
  private static void attachmentsOfOneName(String object) throws Exception {
    String part = "\r\n--b\r\nContent-ID: <a@x>\r\n\r\nsomething";
    String root =
        "--b\r\nContent-Type: application/xop+xml; charset=utf-8; type=\"text/xml\"\r\n\r\n"
            + new String(
                envelope(
                    "checksum",
                    "<bytes><x:Include xmlns:x=\"http://www.w3.org/2004/08/xop/include\""
                        + " href=\"cid:a@x\"/></bytes>"),
                StandardCharsets.UTF_8);
    for (int parts = 1; parts <= 2; parts++) {
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(object))
                      .header(
                          "Content-Type",
                          "multipart/related; type=\"application/xop+xml\"; boundary=b;"
                              + " start-info=\"text/xml\"")
                      .POST(
                          HttpRequest.BodyPublishers.ofString(
                              root + part.repeat(parts) + "\r\n--b--\r\n"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.body())
          .contains(parts == 1 ? "<return>" : "has two parts with one Content-ID");
      assertThat(answer.statusCode()).isEqualTo(parts == 1 ? 200 : 500);
    }
  }

  /** Containers take these requests; each is answered once, and nothing is called. */
  private static void ambiguousFraming(URI gateway, String path) throws IOException {
    String body = "d\r\n{\"value\": 42}\r\n0\r\n\r\n";
    assertThat(answers(gateway, path, "1.1", "chunked", body + NEXT))
        .contains("42", "HTTP/1.1 200");
    String[][] ambiguous = {{"1.0", "chunked"}, {"1.1", "gzip, chunked"}, {"1.0", "gzip, chunked"}};
    for (String[] odd : ambiguous) {
      assertThat(answers(gateway, path, odd[0], odd[1], body))
          .as(String.join(" ", odd))
          .containsPattern("^HTTP/1.1 (400|501) ")
          .containsOnlyOnce("HTTP/1.1 ")
          .doesNotContain("42");
    }
  }

  /** All that comes until the connection ends. */
  private static String answers(
      URI gateway, String path, String version, String coding, String body) throws IOException {
    try (Socket socket = new Socket(gateway.getHost(), gateway.getPort())) {
      socket.setSoTimeout((int) SOON.toMillis());
      socket
          .getOutputStream()
          .write(
              ("POST %s HTTP/%s\r\nHost: gw.example\r\nContent-Type: application/json\r\n"
                      + "Connection: keep-alive\r\nTransfer-Encoding: %s\r\n\r\n%s")
                  .formatted(path, version, coding, body)
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  /** PROTOCOL.md, section 4: the session ends, and its agent is told why. */
  private static void textMessages(URI gateway) throws IOException {
    byte[] text = "hello".getBytes(StandardCharsets.UTF_8);
    for (byte[] first : List.of(text, new byte[0])) {
      for (boolean whole : new boolean[] {true, false}) {
        try (FrameSocket tunnel = FrameSocket.open(gateway)) {
          tunnel.send(FrameSocket.BINARY, true, FrameSocket.hello());
          assertThat(tunnel.receive().payload()).startsWith(WELCOME);
          tunnel.send(FrameSocket.TEXT, whole, first);
          if (!whole) {
            tunnel.send(FrameSocket.CONTINUATION, true, text);
          }
          assertThatItIsAViolation(tunnel);
        }
      }
    }
    try (FrameSocket tunnel = FrameSocket.open(gateway)) {
      tunnel.send(FrameSocket.TEXT, true, text);
      assertThatItIsAViolation(tunnel);
    }
    assertThat(given().get(gateway + "/metrics").asString())
        .contains("rmigate_sessions_closed_total{cause=\"PROTOCOL_VIOLATION\"} 4.0");
  }

  private static void assertThatItIsAViolation(FrameSocket tunnel) throws IOException {
    FrameSocket.Frame goodbye = tunnel.receive();
    assertThat(goodbye.opcode()).isEqualTo(FrameSocket.BINARY);
    assertThat(goodbye.payload()).startsWith(GOODBYE, 0);
    assertThat(new String(goodbye.payload(), StandardCharsets.UTF_8)).contains("text message");
    FrameSocket.Frame close = tunnel.receive();
    assertThat(close.opcode()).isEqualTo(FrameSocket.CLOSE);
    assertThat(close.payload()).startsWith(1002 >> 8, 1002 & 0xff); // protocol error
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(body)) {
      gzip.write(plain);
    }
    return body.toByteArray();
  }

  private static HttpResponse<byte[]> gzipped(String object, byte[] body) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(object))
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("Content-Encoding", "gzip")
                .header("Accept-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
  }
}
