package io.rmigate.gateway.edge.legacy;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditLines;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.InterfacesOfTests;
import io.rmigate.gateway.testing.OldJvm;
import io.rmigate.gateway.testing.OldJvm.Answer;
import io.rmigate.gateway.testing.OldJvm.Stub;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.rmi.AccessException;
import java.rmi.ConnectException;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Old clients over real HTTP, to a gateway and a real server behind it. */
class LegacyServletTest {
  /** The port of tcpmux, at which no program listens. */
  private static final int CLOSED_PORT = 1;

  private static final String ADD = "add(II)I";
  private static final String FRESH = "fresh()Lio/rmigate/gateway/edge/legacy/Till;";
  private static final OldJvm.Arguments TWO_AND_THREE =
      out -> {
        out.writeInt(2);
        out.writeInt(3);
      };

  /** More than the buffers of two sockets take. */
  private static final byte[] LARGE = new byte[15 << 20];

  @TempDir Path directory;
  private TillServer server;
  private RunningGateway gateway;
  private OldJvm old;

  @BeforeEach
  void start() throws Exception {
    server = new TillServer();
  }

  @AfterEach
  void stop() throws Exception {
    if (gateway != null) {
      gateway.close();
    }
    server.close();
  }

  private void gateway(String... legacy) throws Exception {
    gateway =
        RunningGateway.start(
            directory,
            InterfacesOfTests.section()
                + """
            insecure: true
            metrics: open
            audit:
              path: audit.jsonl
            logins:
              container: true
            targets:
              - principals: [old]
                allow: ["localhost:%d", "localhost:%d"]
            legacy:
              enabled: true
            """
                    .formatted(server.port(), CLOSED_PORT)
                + Arrays.stream(legacy).map(line -> "  " + line + "\n").reduce("", String::concat));
    old = new OldJvm(gateway.uri().getPort());
  }

  private void openGateway(String... more) throws Exception {
    String[] lines = Arrays.copyOf(more, more.length + 2);
    lines[more.length] = "principal: old";
    lines[more.length + 1] = "from: [127.0.0.1]";
    gateway(lines);
  }

  private Stub lookUp() throws Exception {
    Answer answer = old.toCgi("localhost", server.port(), OldJvm.lookup("till"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo("application/octet-stream");
    return Stub.in(answer);
  }

  private Answer call(Stub stub, String method, OldJvm.Arguments arguments) throws Exception {
    return old.toPort(stub.host(), stub.port(), OldJvm.call(stub, method, arguments));
  }

  @Test
  void callsPassInEachForm() throws Exception {
    openGateway();
    Stub till = lookUp();
    byte[] call = OldJvm.call(till, ADD, TWO_AND_THREE);
    List<Answer> answers =
        List.of(
            old.toPort(till.host(), till.port(), call),
            old.toPortByProxy(till.host(), till.port(), call),
            old.toCgi(till.host(), till.port(), call),
            old.toCgiByProxy(till.host(), till.port(), call));
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).isEqualTo(200);
              assertThat(answer.contentType()).isEqualTo("application/octet-stream");
              assertThat(answer.isReturned()).isTrue();
              assertThat(answer.asInt()).isEqualTo(5);
            });
    assertThat(server.additions).hasValue(4);
  }

  @Test
  void whatHasNoAnswerIsAnsweredWithOneByte() throws Exception {
    openGateway();
    assertThat(old.toPort("localhost", server.port(), new byte[0]).body()).containsExactly(0);
    assertThat(old.toPort("localhost", server.port(), OldJvm.ack(new byte[14])).body())
        .containsExactly(0);
    assertThat(old.toPort("localhost", server.port(), OldJvm.ping()).body()).containsExactly(0x53);
  }

  @Test
  void largeArgumentsAndResultsPass() throws Exception {
    openGateway();
    byte[] bytes = new byte[3 << 20];
    new Random(1).nextBytes(bytes);
    Answer answer = call(lookUp(), "reverse([B)[B", out -> out.writeObject(bytes));
    byte[] reversed = answer.body();
    byte[] tail = Arrays.copyOfRange(reversed, reversed.length - bytes.length, reversed.length);
    for (int i = 0; i < bytes.length; i++) {
      assertThat(tail[i]).isEqualTo(bytes[bytes.length - 1 - i]);
    }
  }

  @Test
  void whatNeitherPolicyNorARegistryHasNamedIsRefusedAsByTheNetwork() throws Exception {
    openGateway();
    Answer refused = old.toPort("localhost", 1099, OldJvm.lookup("till"));
    assertThat(refused.status()).isEqualTo(200);
    assertThat(refused.isThrown(ConnectException.class)).isTrue();
    assertThat(refused.text()).doesNotContain("LegacyFailure"); // no stack trace of ours
    assertThat(
            old.toCgi("169.254.169.254", 1099, OldJvm.lookup("till"))
                .isThrown(ConnectException.class))
        .isTrue();
    assertThat(refusals("target")).isEqualTo(2);
  }

  @Test
  void bindingsAreChangedByNobodyWhoMayNot() throws Exception {
    openGateway();
    Answer refused = old.toCgi("localhost", server.port(), OldJvm.unbind("till"));
    assertThat(refused.isThrown(AccessException.class)).isTrue();
    assertThat(server.bound()).contains("till");
  }

  @Test
  void oneMessageIsAllThatABodyHolds() throws Exception {
    openGateway();
    byte[] first = OldJvm.lookup("till");
    byte[] second = OldJvm.unbind("till");
    byte[] both = Arrays.copyOf(first, first.length + second.length - 7);
    System.arraycopy(second, 7, both, first.length, second.length - 7);
    Answer answer = old.toCgi("localhost", server.port(), both);
    assertThat(answer.isThrown(UnmarshalException.class)).isTrue();
    assertThat(answer.text()).contains("it was not executed");
    assertThat(server.bound()).contains("till");
  }

  @Test
  void bodiesThatAreNoMessageAreRefused() throws Exception {
    openGateway();
    byte[] stream = OldJvm.lookup("till");
    stream[6] = 0x4b;
    for (byte[] bad :
        List.of(
            stream,
            new byte[] {1},
            "a=b".getBytes(StandardCharsets.US_ASCII),
            Arrays.copyOf(OldJvm.ping(), 7),
            Arrays.copyOf(OldJvm.ping(), 9))) {
      assertThat(old.toPort("localhost", server.port(), bad).status()).isEqualTo(400);
    }
    assertThat(old.post("/cgi-bin/java-rmi.cgi?forward=0", "localhost", stream).status())
        .isEqualTo(400);
    assertThat(old.post("/cgi-bin/java-rmi.cgi", "localhost", stream).status()).isEqualTo(400);
  }

  @Test
  void whatIsRefusedAtTheDoorIsAuditedWithWhoAndFromWhere() throws Exception {
    openGateway("max-body: 64KiB");
    byte[] lookup = OldJvm.lookup("till");
    old.post("/", "localhost", lookup, "Origin: https://evil.example");
    old.post("/cgi-bin/java-rmi.cgi", "localhost", lookup);
    old.toPort("localhost", server.port(), new byte[] {1});
    old.toPort("localhost", server.port(), new byte[(64 << 10) + 1]);

    Path audit = directory.resolve("audit.jsonl");
    await().until(() -> AuditLines.of(AuditEvent.DOOR, audit).size() == 4);
    assertThat(AuditLines.of(AuditEvent.DOOR, audit))
        .allSatisfy(line -> assertThat(line.get("peer").asText()).startsWith("127.0.0.1:"))
        .extracting(
            line ->
                line.get("rule").asText()
                    + " "
                    + line.get("status").asInt()
                    + " "
                    + line.path("principal").asText("-"))
        .containsExactly(
            "legacy-web-page 403 -",
            "legacy-target 400 old",
            "bad-request 400 old",
            "legacy-large 413 old");
  }

  @Test
  void largerBodiesThanPermittedAreRefused() throws Exception {
    openGateway("max-body: 64KiB");
    byte[] call = OldJvm.call(lookUp(), "reverse([B)[B", out -> out.writeObject(new byte[65536]));
    assertThat(old.toPort("localhost", server.port(), call).status()).isEqualTo(413);
  }

  @Test
  void referencesAreHeldFromDirtyToClean() throws Exception {
    openGateway();
    Answer answer = call(lookUp(), FRESH, out -> {});
    Stub fresh = Stub.in(answer);
    Answer leased = old.toPort(fresh.host(), fresh.port(), old.dirty(fresh));
    assertThat(leased.isReturned()).isTrue();
    assertThat(leased.text()).contains("java.rmi.dgc.Lease");
    old.toPort(fresh.host(), fresh.port(), OldJvm.ack(answer.uid()));
    System.gc();
    assertThat(call(fresh, ADD, TWO_AND_THREE).asInt()).isEqualTo(5);
    assertThat(old.toPort(fresh.host(), fresh.port(), old.dirty()).isReturned()).isTrue();
    assertThat(server.unreferenced()).isZero();
    assertThat(old.toPort(fresh.host(), fresh.port(), old.clean(fresh)).isReturned()).isTrue();
    await().until(() -> server.unreferenced() == 1);
  }

  @Test
  void referencesOfAClientThatRenewsNothingAreReleased() throws Exception {
    openGateway("lease: 3s");
    Answer answer = call(lookUp(), FRESH, out -> {});
    Stub fresh = Stub.in(answer);
    old.toPort(fresh.host(), fresh.port(), old.dirty(fresh));
    old.toPort(fresh.host(), fresh.port(), OldJvm.ack(answer.uid()));
    await().until(() -> server.unreferenced() == 1);
  }

  @Test
  void whatHasBeenLearntIsForgottenWithTheLease() throws Exception {
    openGateway("lease: 3s");
    Stub till = lookUp();
    assertThat(call(till, ADD, TWO_AND_THREE).isReturned()).isTrue();
    await().until(() -> metric("rmigate_sessions") == 0);
    assertThat(call(till, ADD, TWO_AND_THREE).isThrown(ConnectException.class)).isTrue();
    assertThat(server.additions).hasValue(1);
  }

  @Test
  void aLeaseOnWhatIsNotPermittedIsNotGranted() throws Exception {
    openGateway();
    Stub till = lookUp();
    Stub elsewhere = new Stub("rmi.example", 1, till.object());
    Answer answer = old.toPort(elsewhere.host(), elsewhere.port(), old.dirty(elsewhere));
    assertThat(answer.isThrown(ConnectException.class)).isTrue();
  }

  /** Else a client would send the request again by itself, and have it executed twice. */
  @Test
  void theAnswerHasBegunBeforeTheCallIsExecuted() throws Exception {
    openGateway();
    byte[] call = OldJvm.call(lookUp(), "hang()V", out -> {});
    try (Socket socket = old.begin("/", "localhost:" + server.port(), call)) {
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 200");
      await().until(() -> server.hanging.get() == 1);
    }
  }

  @Test
  void aCallThatLastsTooLongIsAnsweredThatItMayHaveBeenExecuted() throws Exception {
    openGateway("call-timeout: 500ms");
    byte[] lookup = OldJvm.lookup("till");
    Answer[] found = {null};
    await()
        .until( // a busy machine may need more than that
            () -> {
              found[0] = old.toCgi("localhost", server.port(), lookup);
              return found[0].isReturned();
            });
    Answer answer = call(Stub.in(found[0]), "hang()V", out -> {});
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.isThrown(UnmarshalException.class)).isTrue();
    assertThat(answer.text()).contains("may have been executed");
  }

  @Test
  void aServerThatIsNotThereIsRefusedAsByTheNetwork() throws Exception {
    openGateway();
    Answer refused = old.toCgi("localhost", CLOSED_PORT, OldJvm.lookup("till"));
    assertThat(refused.isThrown(ConnectException.class)).isTrue();
    assertThat(refusals("target")).isZero();
  }

  @Test
  void whoComesWhileThereIsNoRoomIsToldSo() throws Exception {
    openGateway("max-requests: 1");
    byte[] call = OldJvm.call(lookUp(), "hang()V", out -> {});
    CompletableFuture<Answer> hanging = sending(call);
    await().until(() -> server.hanging.get() == 1);
    assertThat(old.toCgi("localhost", server.port(), OldJvm.lookup("till")).status())
        .isEqualTo(503);
    assertThat(refusals("legacy-full")).isEqualTo(1);

    server.release();
    assertThat(hanging.get().isReturned()).isTrue();
    awaitRoom();
  }

  private CompletableFuture<Answer> sending(byte[] message) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return old.toPort("localhost", server.port(), message);
          } catch (Exception failed) {
            throw new CompletionException(failed);
          }
        },
        LegacyServletTest::onThreadOfItsOwn);
  }

  /** What waits for other things has no place in a pool of few. */
  private static void onThreadOfItsOwn(Runnable task) {
    new Thread(task, "caller").start();
  }

  private void awaitRoom() {
    byte[] lookup = OldJvm.lookup("till");
    await().until(() -> old.toCgi("localhost", server.port(), lookup).status() == 200);
  }

  @Test
  void aBodyThatDoesNotComeIsRefused() throws Exception {
    openGateway("max-requests: 1", "patience: 1s");
    byte[] lookup = OldJvm.lookup("till");
    try (Socket socket = old.begin("/", "localhost:" + server.port(), lookup, 1)) {
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 408");
    }
    awaitRoom();
  }

  @Test
  void anAnswerThatNobodyTakesIsGivenUp() throws Exception {
    openGateway("max-requests: 1", "patience: 1s");
    byte[] call = OldJvm.call(lookUp(), "reverse([B)[B", out -> out.writeObject(LARGE));
    try (Socket socket = old.begin("/", "localhost:" + server.port(), call)) {
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 200");
      awaitRoom();
      assertThat(rest(socket)).isLessThan(LARGE.length);
    }
  }

  /** How many bytes come before the end, whichever. */
  private static long rest(Socket socket) {
    long bytes = 0;
    byte[] buffer = new byte[64 * 1024];
    try {
      for (int count = 0; count >= 0; count = socket.getInputStream().read(buffer)) {
        bytes += count;
      }
    } catch (IOException reset) {
      // an end, too
    }
    return bytes;
  }

  @Test
  void aStopLetsCallsInFlightEndAndTakesNoOthers() throws Exception {
    openGateway();
    byte[] call = OldJvm.call(lookUp(), "hang()V", out -> {});
    CompletableFuture<Answer> hanging = sending(call);
    await().until(() -> server.hanging.get() == 1);
    CompletableFuture<Void> stop =
        CompletableFuture.runAsync(
            () -> gateway.bootstrap().drain(Duration.ofHours(1)),
            LegacyServletTest::onThreadOfItsOwn);
    await().until(() -> gateway.get("/health/ready").statusCode() == 503);
    assertThat(stop).isNotDone();

    server.release();
    assertThat(hanging.get().isReturned()).isTrue();
    stop.get(60, TimeUnit.SECONDS);
    assertThat(old.toCgi("localhost", server.port(), OldJvm.lookup("till")).status())
        .isEqualTo(503);
  }

  @Test
  void anUnknownCharsetIsAnotherType() throws Exception {
    openGateway();
    String host = "localhost:" + server.port();
    for (String charset : List.of("nonsense", "\"", "%00", "x".repeat(1000))) {
      assertThat(
              old.post(
                      "/",
                      host,
                      OldJvm.lookup("till"),
                      "Content-type: application/octet-stream;charset=" + charset)
                  .status())
          .as(charset)
          .isIn(400, 415);
    }
  }

  @Test
  void webPagesHaveNoPart() throws Exception {
    openGateway();
    byte[] lookup = OldJvm.lookup("till");
    String host = "localhost:" + server.port();
    assertThat(old.post("/", host, lookup, "Origin: http://localhost").status()).isEqualTo(403);
    assertThat(old.post("/", host, lookup, "Sec-Fetch-Site: none").status()).isEqualTo(403);
    assertThat(old.post("/", host, lookup, "Content-type: text/plain").status()).isEqualTo(415);
    assertThat(
            old.post("/", host, lookup, "Content-type: application/octet-stream;charset=utf-8")
                .status())
        .isEqualTo(415);
  }

  @Test
  void nobodyHasPartWhoIsNeitherNamedNorLogsIn() throws Exception {
    gateway();
    assertThat(old.toPort("localhost", server.port(), OldJvm.lookup("till")).status())
        .isEqualTo(401);
    gateway.close();
    gateway("principal: old", "from: [10.0.0.0/8]");
    assertThat(old.toPort("localhost", server.port(), OldJvm.lookup("till")).status())
        .isEqualTo(403);
    gateway.close();
    openGateway();
    assertThat(
            old.post(
                    "/",
                    "localhost:" + server.port(),
                    OldJvm.lookup("till"),
                    "Authorization: Basic b2xkOm9sZA==")
                .status())
        .isEqualTo(401);
  }

  @Test
  void whoIsTakenForSomebodyWithoutALoginIsAudited() throws Exception {
    openGateway();
    lookUp();
    lookUp();
    gateway.close(); // with which everything is written
    gateway = null;
    assertThat(AuditLines.of(AuditEvent.LOGIN, directory.resolve("audit.jsonl")))
        .singleElement()
        .satisfies(
            login -> {
              assertThat(login.path("outcome").asText()).isEqualTo("accepted");
              assertThat(login.path("principal").asText()).isEqualTo("old");
              assertThat(login.path("scheme").asText()).isEqualTo("configured");
              assertThat(login.path("door").asText()).isEqualTo("/cgi-bin/java-rmi.cgi");
            });
  }

  @Test
  void aPortOfItsOwnServesNothingElse() throws Exception {
    openGateway("listen: 127.0.0.1:0");
    assertThat(old.toCgi("localhost", server.port(), OldJvm.lookup("till")).status())
        .isEqualTo(404);
    int main = gateway.uri().getPort();
    old = new OldJvm(gateway.legacyPort());
    assertThat(gateway.legacyPort()).isNotEqualTo(main);
    assertThat(call(lookUp(), ADD, TWO_AND_THREE).asInt()).isEqualTo(5);
    assertThat(old.post("/rmigate/tunnel", "localhost", new byte[0]).status()).isIn(404, 405);
    assertThat(gateway.get("/health").statusCode()).isEqualTo(200);
  }

  @Test
  void itIsServedOnlyWhenSwitchedOn() throws Exception {
    gateway =
        RunningGateway.start(
            directory,
            """
            insecure: true
            logins:
              anonymous: true
            targets:
              - principals: ["*"]
                allow: ["localhost:*"]
            """);
    old = new OldJvm(gateway.uri().getPort());
    assertThat(old.toCgi("localhost", server.port(), OldJvm.lookup("till")).status())
        .isEqualTo(404);
  }

  private long refusals(String reason) throws Exception {
    return metric("rmigate_refused_total{reason=\"" + reason + "\"}");
  }

  private long metric(String name) throws Exception {
    return gateway
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
