package io.rmigate.gateway.edge.post;

import static io.rmigate.gateway.login.UserLines.user;
import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditLines;
import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.LogLines;
import io.rmigate.protocol.post.ConnectionId;
import io.rmigate.protocol.post.Post;
import io.rmigate.protocol.post.PostAnswer;
import io.rmigate.protocol.post.PostRequest;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the gateway answers to POSTs at its tunnel, good and bad, over real HTTP. */
class PostDoorTest {
  private static final int GUESSES = Integer.getInteger("rmigate.floods.ids", 100);
  private static final String YAML =
      """
      insecure: true
      logins:
        basic:
          users-file: users
      metrics: open
      session:
        max-sessions-per-principal: 2
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      audit:
        path: audit.jsonl
      """;

  private static final String USERS = user("ann", "anna") + user("bob", "bobo");

  @TempDir Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ConnectionId id = ConnectionId.random(new SecureRandom());

  /** Connections that a first request has asked for, opened or refused. */
  private final Set<ConnectionId> opened = new LinkedHashSet<>();

  private RunningGateway gateway;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(directory.resolve("users"), USERS);
    gateway = RunningGateway.start(directory, YAML);
  }

  /** A gateway that stops waits for the agents of connections that are not given up. */
  @AfterEach
  void stop() throws Exception {
    giveUpAll();
    gateway.close();
  }

  private void giveUpAll() throws Exception {
    for (ConnectionId each : opened) {
      for (String login : List.of(basic("ann", "anna"), basic("bob", "bobo"))) {
        HttpRequest.Builder request = post(PostRequest.givingUp(each));
        request.setHeader("Authorization", login);
        send(request);
      }
    }
    opened.clear();
  }

  private HttpRequest.Builder post(byte[] body) {
    return HttpRequest.newBuilder(URI.create(gateway.uri() + "/tunnel"))
        .header("Content-Type", Post.CONTENT_TYPE)
        .header("Authorization", basic("ann", "anna"))
        .POST(BodyPublishers.ofByteArray(body));
  }

  private byte[] body(ConnectionId id, long number, long received, byte... bytes) {
    if (number == 1) {
      opened.add(id);
    }
    return PostRequest.encode(id, number, received, 0, bytes, 0, bytes.length);
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private PostAnswer answer(HttpResponse<byte[]> response) throws Exception {
    assertThat(response.statusCode()).isEqualTo(200);
    return PostAnswer.decode(response.body(), response.body().length);
  }

  private void open() throws Exception {
    assertThat(answer(send(post(body(id, 1, 0)))).number()).isEqualTo(1);
  }

  private static byte[] hello() {
    FrameOutput out = new FrameOutput(256);
    out.append(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(),
            SessionToken.NONE,
            0,
            1024,
            List.of(Welcome.IDENTITY),
            Map.of()));
    return out.toByteArray();
  }

  @Test
  void helloIsAnsweredInTheResponse() throws Exception {
    open();
    HttpResponse<byte[]> response = send(post(body(id, 2, 1, hello())));
    assertThat(answer(response).bytes()).isNotEmpty();
    assertThat(response.headers().firstValue("Content-Type")).contains(Post.CONTENT_TYPE);
    assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(response.headers().firstValue("Content-Length")).isPresent();
  }

  @Test
  void nobodyHasPartWithoutALogin() throws Exception {
    HttpRequest.Builder request = post(body(id, 1, 0));
    request.setHeader("Authorization", basic("ann", "wrong"));
    assertThat(send(request).statusCode()).isEqualTo(401);
    open();
    request = post(body(id, 2, 1, hello()));
    request.setHeader("Authorization", basic("ann", "wrong"));
    assertThat(send(request).statusCode()).isEqualTo(401);
  }

  @Test
  void theConnectionOfSomebodyElseIsUnknown() throws Exception {
    open();
    HttpRequest.Builder bobs = post(body(id, 2, 1, hello()));
    bobs.setHeader("Authorization", basic("bob", "bobo"));
    assertThat(send(bobs).statusCode()).isEqualTo(410);
    assertThat(answer(send(post(body(id, 2, 1, hello())))).bytes()).isNotEmpty();
  }

  @Test
  void noGuessedNumberLeadsToAConnection() throws Exception {
    open();
    SecureRandom random = new SecureRandom();
    for (int i = 0; i < GUESSES; i++) {
      HttpRequest.Builder bobs = post(body(ConnectionId.random(random), 2, 1, hello()));
      bobs.setHeader("Authorization", basic("bob", "bobo"));
      assertThat(send(bobs).statusCode()).isEqualTo(410);
    }
    assertThat(answer(send(post(body(id, 2, 1, hello())))).bytes()).isNotEmpty();
  }

  @Test
  void aConnectionThatNobodyHasOpenedIsUnknown() throws Exception {
    assertThat(send(post(body(id, 2, 1, hello()))).statusCode()).isEqualTo(410);
  }

  @Test
  void webPagesHaveNoPart() throws Exception {
    assertThat(send(post(body(id, 1, 0)).header("Origin", "https://evil.example")).statusCode())
        .isEqualTo(403);
    assertThat(send(post(body(id, 1, 0)).header("Sec-Fetch-Site", "same-origin")).statusCode())
        .isEqualTo(403);
    assertThat(send(post(body(id, 1, 0)).setHeader("Content-Type", "text/plain")).statusCode())
        .isEqualTo(403);
  }

  @Test
  void whatIsRefusedIsAuditedWithWhoAndFromWhere() throws Exception {
    open();
    assertThat(send(post(body(id, 9, 1))).statusCode()).isEqualTo(409); // honest agents may, too
    HttpRequest.Builder bobs = post(body(id, 2, 1, hello()));
    bobs.setHeader("Authorization", basic("bob", "bobo"));
    assertThat(send(bobs).statusCode()).isEqualTo(410);
    assertThat(send(post(new byte[0])).statusCode()).isEqualTo(400);
    assertThat(send(post(body(id, 2, 1)).header("Origin", "https://evil.example")).statusCode())
        .isEqualTo(403);

    Path audit = directory.resolve("audit.jsonl");
    await().until(() -> AuditLines.of(AuditEvent.DOOR, audit).size() == 3);
    assertThat(AuditLines.of(AuditEvent.DOOR, audit))
        .allSatisfy(line -> assertThat(line.get("peer").asText()).startsWith("127.0.0.1:"))
        .allSatisfy(line -> assertThat(line.get("door").asText()).isEqualTo("/tunnel"))
        .extracting(
            line ->
                line.get("rule").asText()
                    + " "
                    + line.get("status").asInt()
                    + " "
                    + line.path("principal").asText("-"))
        .containsExactly("post-connection 410 bob", "bad-request 400 ann", "web-page 403 -");
  }

  @Test
  void whoSendsNoMessagesWithoutEndIsInTheLogSixtyTimesAMinute() throws Exception {
    try (LogLines log = new LogLines(DoorAudit.class)) {
      for (int i = 0; i < 100; i++) {
        assertThat(send(post(new byte[0])).statusCode()).isEqualTo(400);
      }
      assertThat(log.warnings()).hasSize(60);
    }
  }

  @Test
  void aCharsetThatNobodyKnowsChangesNothing() throws Exception {
    HttpRequest.Builder request = post(body(id, 1, 0));
    request.setHeader("Content-Type", Post.CONTENT_TYPE + ";charset=nonsense");
    assertThat(answer(send(request)).number()).isEqualTo(1);
  }

  @Test
  void badBodiesAreRefusedAndEndNothing() throws Exception {
    open();
    byte[] good = body(id, 2, 1, hello());
    List<byte[]> bad = new ArrayList<>();
    bad.add(new byte[0]);
    bad.add("field=value".getBytes(StandardCharsets.US_ASCII));
    bad.add(Arrays.copyOf(good, good.length - 1));
    bad.add(Arrays.copyOf(good, good.length + 1));
    for (byte[] body : bad) {
      assertThat(send(post(body)).statusCode()).isEqualTo(400);
    }
    assertThat(send(post(body(id, 9, 1))).statusCode()).isEqualTo(409);
    mustBeTooLarge(post(new byte[2 * Post.MAX_REQUEST_BYTES]));
    mustBeTooLarge(
        post(new byte[0])
            .POST(
                BodyPublishers.ofInputStream(
                    () -> new ByteArrayInputStream(new byte[2 * Post.MAX_REQUEST_BYTES]))));
    assertThat(answer(send(post(good))).bytes()).isNotEmpty();
  }

  /**
   * The gateway does not read the rest, so the operating system may reset the connection before the
   * client has read the answer (RFC 9112, section 9.6).
   */
  private void mustBeTooLarge(HttpRequest.Builder request) throws Exception {
    try {
      assertThat(send(request).statusCode()).isEqualTo(413);
    } catch (IOException reset) {
      assertThat(reset).hasMessageMatching("(?i).*(reset|received no bytes|broken pipe|closed).*");
    }
  }

  @Test
  void aBodyMayComeInChunksAndSlowly() throws Exception {
    open();
    byte[] body = body(id, 2, 1, hello());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.uri().getPort())) {
      socket.setTcpNoDelay(true);
      String head =
          "POST %s/tunnel HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nTransfer-Encoding: chunked\r\n\r\n"
              .formatted(gateway.uri().getPath(), basic("ann", "anna"));
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      for (byte each : body) {
        socket.getOutputStream().write(new byte[] {'1', '\r', '\n', each, '\r', '\n'});
      }
      socket.getOutputStream().write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] status = socket.getInputStream().readNBytes(12);
      assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
    }
  }

  @Test
  void aLoginHasNoMoreConnectionsThanItsSessionsNeed() throws Exception {
    for (int i = 0; i < 4; i++) {
      assertThat(send(post(body(ConnectionId.random(new SecureRandom()), 1, 0))).statusCode())
          .isEqualTo(200);
    }
    assertThat(send(post(body(id, 1, 0))).statusCode()).isEqualTo(429);
    HttpRequest.Builder bobs = post(body(id, 1, 0));
    bobs.setHeader("Authorization", basic("bob", "bobo"));
    assertThat(send(bobs).statusCode()).isEqualTo(200);
  }

  @Test
  void anAddressDoesNotTakeAllConnectionsThereAre() throws Exception {
    gateway.close();
    gateway =
        RunningGateway.start(
            directory,
            YAML.replace("max-sessions-per-principal: 2", "max-sessions: 4")
                + "services:\n  trusted-proxies: [127.0.0.1]\n");
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      statuses.add(openFrom("192.0.2.1"));
    }
    assertThat(statuses).as("three times as many as are left of eight").endsWith(200, 503);
    assertThat(openFrom("192.0.2.2")).isEqualTo(200);
  }

  private int openFrom(String address) throws Exception {
    return send(post(body(ConnectionId.random(new SecureRandom()), 1, 0))
            .header("X-Forwarded-For", address))
        .statusCode();
  }

  @Test
  void aConnectionThatIsGivenUpIsForgottenAtOnceAndItsSessionOver() throws Exception {
    open();
    answer(send(post(body(id, 2, 1, hello()))));
    assertThat(sessions()).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      assertThat(send(post(body(ConnectionId.random(new SecureRandom()), 1, 0))).statusCode())
          .isEqualTo(200);
    }
    assertThat(send(post(body(ConnectionId.random(new SecureRandom()), 1, 0))).statusCode())
        .isEqualTo(429);

    HttpRequest.Builder bobs = post(PostRequest.givingUp(id));
    bobs.setHeader("Authorization", basic("bob", "bobo"));
    assertThat(send(bobs).statusCode()).as("it is not his").isEqualTo(410);
    assertThat(sessions()).isEqualTo(1);

    PostAnswer last = answer(send(post(PostRequest.givingUp(id))));
    assertThat(last.end()).isTrue();
    assertThat(last.number()).isEqualTo(Post.GIVEN_UP);
    assertThat(sessions()).isZero();
    assertThat(send(post(body(id, 3, 2))).statusCode()).isEqualTo(410);
    assertThat(send(post(body(ConnectionId.random(new SecureRandom()), 1, 0))).statusCode())
        .as("there is room again")
        .isEqualTo(200);
  }

  @Test
  @Timeout(180)
  void aGatewayThatStopsDoesNotWaitForAnAgentThatAsksForNothingAnyMore() throws Exception {
    open();
    answer(send(post(body(id, 2, 1, hello()))));
    assertThat(sessions()).isEqualTo(1);

    gateway.bootstrap().drain(Duration.ofHours(1));

    assertThat(sessions()).isZero();
  }

  private long sessions() throws Exception {
    return gateway
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("rmigate_sessions "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(" "))))
        .sum();
  }

  @Test
  void requestsThatWaitHaveNoThread() throws Exception {
    open();
    answer(send(post(body(id, 2, 1, hello()))));
    List<CompletableFuture<HttpResponse<byte[]>>> waiting = new ArrayList<>();
    for (int number = 3; number <= 5; number++) {
      waiting.add(
          http.sendAsync(
              post(body(id, number, 2)).build(), HttpResponse.BodyHandlers.ofByteArray()));
    }
    // The third releases the first, so all have come.
    assertThat(answer(waiting.get(0).get(60, TimeUnit.SECONDS)).bytes()).isEmpty();
    await().until(() -> gatewayThreads() == 0);
    assertThat(waiting.get(1)).isNotDone();
    assertThat(waiting.get(2)).isNotDone();
  }

  private static int gatewayThreads() {
    return (int)
        Thread.getAllStackTraces().entrySet().stream()
            .filter(entry -> entry.getKey().getName().startsWith("rmigate-http"))
            .filter(entry -> !entry.getKey().getName().contains("-acceptor-")) // for anybody
            .filter(
                entry ->
                    Arrays.stream(entry.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith("io.rmigate.gateway")))
            .count();
  }

  @Test
  void theGatewayOffersNoPostWhenItIsToldNotTo() throws Exception {
    gateway.close();
    gateway = RunningGateway.start(directory, YAML + "post: {enabled: false}\n");
    HttpResponse<byte[]> response = send(post(body(id, 1, 0)));
    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).contains("GET");
  }
}
