package io.rmigate.gateway.login;

import static io.rmigate.gateway.login.LoginServer.basic;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.LogLines;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BasicLoginTest {
  private static final String LOGINS = "basic:\n  users-file: users\n";

  private static final String HOME = "192.0.2.1";
  private static final String ELSEWHERE = "198.51.100.1";

  /** Iterations of the costliest hash of the users file. */
  private static final int HASH = 20_000;

  @TempDir Path directory;
  private final LogLines log = new LogLines(Login.class);
  private LoginServer server;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(
        directory.resolve("users"),
        "# a comment\n\nalice:"
            + PasswordHash.of("wonderland".toCharArray(), 20_000)
            + "\nbøb:"
            + PasswordHash.of("pa:ss wörd".toCharArray(), 20_000)
            + "\ncheap:"
            + PasswordHash.of("thimble".toCharArray(), 1_000)
            + "\n");
    server = LoginServer.start(directory, LOGINS, "insecure: true\n");
  }

  @AfterEach
  void stop() {
    server.close();
    log.close();
  }

  @Test
  void theRightPasswordLetsIn() throws Exception {
    assertThat(server.get("Authorization", basic("alice", "wonderland")).body())
        .isEqualTo("alice BASIC");
    assertThat(server.get("Authorization", basic("bøb", "pa:ss wörd")).statusCode()).isEqualTo(200);
    assertThat(log.all()).isEmpty();
  }

  @Test
  void theSchemeIsCaseInsensitive() throws Exception {
    assertThat(
            server
                .get("Authorization", basic("alice", "wonderland").replace("Basic", "bAsIc"))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void everyRefusalLooksTheSame() throws Exception {
    HttpResponse<String> none = server.get();
    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().allValues("WWW-Authenticate"))
        .containsExactly("Basic realm=\"rmigate\", charset=\"UTF-8\"");

    for (String wrong :
        List.of(
            basic("alice", "wrong"),
            basic("nobody", "wonderland"),
            basic("", ""),
            "Basic",
            "Basic !!!",
            "Basic YWxpY2U=", // alice, without a colon
            "Basic " + "A".repeat(2000),
            "Bearer x",
            "Negotiate x")) {
      HttpResponse<String> answer = server.get("Authorization", wrong);
      assertThat(answer.statusCode()).as(wrong).isEqualTo(401);
      assertThat(answer.body().replaceAll(" \\[refusal [A-Z0-9]{6}]", ""))
          .as(wrong)
          .isEqualTo(none.body());
      assertThat(withoutDate(answer)).as(wrong).isEqualTo(withoutDate(none));
    }
  }

  @Test
  void eachAttemptCostsWhatTheCostliestHashDoesWhateverTheName() throws Exception {
    try (CountedHashes hashes = new CountedHashes()) {
      assertThat(status("nobody", "wonderland")).isEqualTo(401);
      assertThat(hashes.iterations()).isEqualTo(20_000);
      assertThat(status("alice", "guess")).isEqualTo(401);
      assertThat(hashes.iterations()).isEqualTo(40_000);
      assertThat(status("cheap", "guess")).isEqualTo(401);
      assertThat(hashes.iterations()).isEqualTo(60_000);
      assertThat(status("cheap", "thimble")).isEqualTo(200);
      assertThat(hashes.iterations()).isEqualTo(80_000);
    }
  }

  @Test
  void whosePasswordNobodyHasTimeToLookAtIsToldToComeBack() throws Exception {
    Semaphore hashing = new Semaphore(0);
    LoginScheme basic =
        BasicLogin.load(directory.resolve("users"), true, hashing, Duration.ofMillis(1));
    Login login = new Login(List.of(basic), false, false, LoginAudit.off());
    try (LoginServer busy = new LoginServer(login)) {
      String right = basic("alice", "wonderland");
      HttpResponse<String> first = busy.get("Authorization", right);
      assertThat(first.statusCode()).isEqualTo(503);
      assertThat(first.headers().firstValue("Retry-After")).isPresent();
      assertThat(first.headers().allValues("WWW-Authenticate")).isEmpty();

      hashing.release();

      assertThat(busy.get("Authorization", right).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void guessesThatWaitForTheirTurnAreNoMoreThanThoseThatComeOneAfterTheOther() throws Exception {
    assertThat(hashesOf(40, "guess")).as("whether judged or not").isEqualTo(40);

    assertThat(log.all().stream().filter(line -> line.contains("wrong password: alice")))
        .hasSize(GuessBrake.OF_NAME_AND_ADDRESS);
    assertThat(log.all().stream().filter(line -> line.contains("too many wrong passwords")))
        .hasSize(40 - GuessBrake.OF_NAME_AND_ADDRESS);
  }

  @Test
  void ofLoginsThatWaitWithTheSamePasswordOneIsHashed() throws Exception {
    assertThat(hashesOf(40, "wonderland")).isEqualTo(1);
  }

  /**
   * Hashes for {@code logins} logins of alice that all begin before the first password is checked.
   */
  private long hashesOf(int logins, String password) throws Exception {
    Semaphore hashing = new Semaphore(0);
    LoginScheme basic =
        BasicLogin.load(directory.resolve("users"), true, hashing, Duration.ofMinutes(1));
    Login login = new Login(List.of(basic), false, false, LoginAudit.off());
    ExecutorService clients = Executors.newFixedThreadPool(logins);
    try (LoginServer crowded = new LoginServer(login);
        CountedHashes hashes = new CountedHashes()) {
      List<Future<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < logins; i++) {
        String credential = basic("alice", password);
        answers.add(clients.submit(() -> crowded.get("Authorization", credential)));
      }
      await().until(() -> hashing.getQueueLength() == logins);
      hashing.release();
      int status = password.equals("wonderland") ? 200 : 401;
      for (Future<HttpResponse<String>> answer : answers) {
        assertThat(answer.get().statusCode()).isEqualTo(status);
      }
      return hashes.iterations() / 20_000;
    } finally {
      clients.shutdownNow();
    }
  }

  /** Each that waits has a thread, and others need some. */
  @Test
  void loginsBeyondThoseThatMayWaitAreToldAtOnceToComeBack() throws Exception {
    int most = (int) LoginTurns.WAITING.total() * 3 / 4; // of one address
    Semaphore hashing = new Semaphore(0);
    LoginScheme basic =
        BasicLogin.load(directory.resolve("users"), true, hashing, Duration.ofMinutes(1));
    Login login = new Login(List.of(basic), false, false, LoginAudit.off());
    ExecutorService clients = Executors.newFixedThreadPool(most + 10);
    try (LoginServer crowded = new LoginServer(login)) {
      List<Future<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < most + 10; i++) {
        String credential = basic("name" + i, "guess");
        answers.add(clients.submit(() -> crowded.get("Authorization", credential)));
      }
      await().until(() -> answers.stream().filter(Future::isDone).count() == 10);
      assertThat(hashing.getQueueLength()).isEqualTo(most);
      for (Future<HttpResponse<String>> answer : answers) {
        if (answer.isDone()) {
          assertThat(answer.get().statusCode()).isEqualTo(503);
          assertThat(answer.get().headers().firstValue("Retry-After")).isPresent();
        }
      }
      hashing.release(most);
    } finally {
      clients.shutdownNow();
    }
  }

  private int status(String name, String password) throws Exception {
    return server.get("Authorization", basic(name, password)).statusCode();
  }

  @Test
  void neitherPasswordNorLineBreakReachesTheLog() throws Exception {
    server.get("Authorization", basic("eve\nFAKE line\u202e", "topsecret"));

    assertThat(log.all())
        .singleElement()
        .asString()
        .doesNotContain("\n", "topsecret", "\u202e")
        .contains("unknown user or wrong password: eve?FAKE line?");
  }

  @Test
  void guessingIsStoppedButNotForWhomHasLoggedInAlready() throws Exception {
    assertThat(server.get("Authorization", basic("alice", "wonderland")).statusCode())
        .isEqualTo(200);
    for (int i = 0; i < 10; i++) {
      server.get("Authorization", basic("alice", "guess" + i));
      server.get("Authorization", basic("bøb", "guess" + i));
    }

    assertThat(server.get("Authorization", basic("bøb", "pa:ss wörd")).statusCode()).isEqualTo(401);
    assertThat(log.all()).anyMatch(line -> line.contains("too many wrong passwords for bøb;"));
    assertThat(server.get("Authorization", basic("alice", "wonderland")).statusCode())
        .isEqualTo(200);
  }

  private int status(LoginServer at, String peer, String name, String password) throws Exception {
    return at.get("X-Peer", peer, "Authorization", basic(name, password)).statusCode();
  }

  private void guess(int times, String peer, String name) throws Exception {
    for (int i = 0; i < times; i++) {
      assertThat(status(server, peer, name, "guess" + i)).isEqualTo(401);
    }
  }

  @Test
  void aLockedAddressIsNotToldOfAPasswordThatWasVerifiedForAnotherAddress() throws Exception {
    assertThat(status(server, HOME, "alice", "wonderland")).isEqualTo(200);
    guess(GuessBrake.OF_NAME_AND_ADDRESS, ELSEWHERE, "alice");

    assertThat(status(server, ELSEWHERE, "alice", "wonderland")).isEqualTo(401);
    assertThat(log.all()).last().asString().contains("too many wrong passwords for alice;");
    assertThat(status(server, HOME, "alice", "wonderland")).isEqualTo(200);
  }

  @Test
  void everyAttemptCostsOneHashUnlessItsAddressIsVerified() throws Exception {
    try (CountedHashes hashes = new CountedHashes()) {
      assertThat(status(server, HOME, "alice", "wonderland")).isEqualTo(200);
      assertThat(hashes.iterations()).isEqualTo(HASH);
      assertThat(status(server, HOME, "alice", "wonderland")).isEqualTo(200);
      assertThat(hashes.iterations()).as("verified").isEqualTo(HASH);
      guess(GuessBrake.OF_NAME_AND_ADDRESS + 5, ELSEWHERE, "alice");
      assertThat(hashes.iterations()).as("locked").isEqualTo(16 * HASH);
      assertThat(status(server, ELSEWHERE, "alice", "wonderland")).isEqualTo(401);
      assertThat(hashes.iterations()).as("locked and right").isEqualTo(17 * HASH);
      assertThat(status(server, ELSEWHERE, "nobody", "wonderland")).isEqualTo(401);
      assertThat(hashes.iterations()).as("unknown").isEqualTo(18 * HASH);
      assertThat(status(server, "203.0.113.1", "alice", "wonderland")).isEqualTo(200);
      assertThat(hashes.iterations()).as("right at a new address").isEqualTo(19 * HASH);
      assertThat(status(server, HOME, "alice", "guess")).isEqualTo(401);
      assertThat(hashes.iterations()).as("wrong at a verified address").isEqualTo(20 * HASH);
    }
  }

  @Test
  void attemptsWhileLockedCountTowardsTheLimitOfTheAddress() throws Exception {
    guess(GuessBrake.OF_ADDRESS, ELSEWHERE, "cheap");

    assertThat(status(server, ELSEWHERE, "bøb", "pa:ss wörd")).isEqualTo(401);
    assertThat(status(server, HOME, "bøb", "pa:ss wörd")).isEqualTo(200);
  }

  @Test
  void neighboursOfAVerifiedAddressTestNoMoreGuessesThanTheLimit() throws Exception {
    assertThat(status(server, HOME, "alice", "wonderland")).isEqualTo(200);
    assertThat(status(server, ELSEWHERE, "alice", "wonderland")).isEqualTo(200);
    guess(GuessBrake.OF_VERIFIED - 1, HOME, "alice");
    assertThat(status(server, HOME, "alice", "wonderland")).isEqualTo(200);
    guess(1, HOME, "alice");

    assertThat(status(server, HOME, "alice", "wonderland")).isEqualTo(401);
    assertThat(status(server, ELSEWHERE, "alice", "wonderland")).isEqualTo(200);
  }

  @Test
  void guessesThatGetNoTurnCountTowardsThatLimitToo() throws Exception {
    Semaphore hashing = new Semaphore(1);
    LoginScheme basic =
        BasicLogin.load(directory.resolve("users"), true, hashing, Duration.ofMillis(1));
    Login login = new Login(List.of(basic), false, false, LoginAudit.off());
    try (LoginServer busy = new LoginServer(login)) {
      assertThat(status(busy, HOME, "alice", "wonderland")).isEqualTo(200);
      hashing.acquire();
      for (int i = 0; i < GuessBrake.OF_VERIFIED; i++) {
        assertThat(status(busy, HOME, "alice", "wonderland")).isEqualTo(200);
        assertThat(status(busy, HOME, "alice", "guess" + i)).isEqualTo(503);
      }

      assertThat(status(busy, HOME, "alice", "wonderland")).isEqualTo(503);
      hashing.release();
      assertThat(status(busy, HOME, "alice", "wonderland"))
          .as("she was not guessed wrong")
          .isEqualTo(200);
    }
  }

  @Test
  void overPlainHttpItIsRefusedUnlessConfigured() throws Exception {
    try (LoginServer strict = LoginServer.start(directory, LOGINS, "")) {
      assertThat(strict.get("Authorization", basic("alice", "wonderland")).statusCode())
          .isEqualTo(401);
    }
    assertThat(log.all()).singleElement().asString().contains("a password over plain HTTP");
  }

  @Test
  void severalAuthorizationHeadersAreRefused() throws Exception {
    assertThat(
            server
                .get(
                    "Authorization",
                    basic("alice", "wonderland"),
                    "Authorization",
                    basic("alice", "wonderland"))
                .statusCode())
        .isEqualTo(401);
  }

  private static Map<String, List<String>> withoutDate(HttpResponse<String> answer) {
    Map<String, List<String>> headers = new HashMap<>(answer.headers().map());
    headers.remove("date");
    headers.remove("content-length"); // of a body with or without a number
    return headers;
  }
}
