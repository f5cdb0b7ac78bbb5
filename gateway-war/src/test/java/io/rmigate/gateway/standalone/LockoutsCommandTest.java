package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code lockouts}, before what answers as {@code /admin/lockouts} does. */
class LockoutsCommandTest {
  private static final String TWO =
      """
      [{"id":"3f0a91c2","principal":"alice","since":"2026-01-01T00:00:00Z",
        "until":"2026-01-01T00:10:00Z","refused":["class x","class y"]},
       {"id":"00000001","principal":"b\\u0007b","since":"2026-01-01T00:00:00Z",
        "until":"2026-01-01T00:10:00Z","refused":[]}]
      """;

  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer gateway;
  private volatile int status = 200;

  @BeforeEach
  void start() throws IOException {
    gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gateway.createContext("/rmigate/admin/lockouts", this::answer);
    gateway.start();
  }

  @AfterEach
  void stop() {
    gateway.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI().getPath()
            + " "
            + exchange.getRequestHeaders().getFirst("Authorization"));
    byte[] body =
        (exchange.getRequestMethod().equals("GET") ? TWO : "{\"ended\":\"x\"}")
            .getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private int run(String... arguments) {
    CommandLine commandLine = Standalone.commandLine(() -> {});
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }

  private String url() {
    return "http://127.0.0.1:" + gateway.getAddress().getPort() + "/rmigate/";
  }

  @Test
  void allAreListedALineEach() {
    assertThat(run("lockouts", "list", "--gateway", url())).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "3f0a91c2 alice since 2026-01-01T00:00:00Z until 2026-01-01T00:10:00Z: class x, class y",
            "00000001 b?b since 2026-01-01T00:00:00Z until 2026-01-01T00:10:00Z: ");
  }

  @Test
  void oneIsEndedByItsIdOrByTheNameOfItsPrincipal() throws Exception {
    Path password = Files.writeString(directory.resolve("password"), "secret\nmore\n");
    String[] end = {
      "lockouts",
      "end",
      "3f0a91c2",
      "--gateway",
      url(),
      "--user",
      "operator",
      "--password-file",
      password.toString()
    };
    assertThat(run(end)).isZero();
    end[2] = "alice";
    assertThat(run(end)).isZero();
    String login = "Basic b3BlcmF0b3I6c2VjcmV0";
    assertThat(asked)
        .containsExactly(
            "GET /rmigate/admin/lockouts " + login,
            "DELETE /rmigate/admin/lockouts/3f0a91c2 " + login,
            "GET /rmigate/admin/lockouts " + login,
            "DELETE /rmigate/admin/lockouts/3f0a91c2 " + login);
    assertThat(out.toString())
        .isEqualToNormalizingNewlines("ended the lockout of alice\n".repeat(2));
  }

  @Test
  void whereThereIsNoneNothingIsEnded() {
    assertThat(run("lockouts", "end", "carol", "--gateway", url())).isEqualTo(1);
    assertThat(out.toString()).contains("there is no lockout carol");
    assertThat(asked).hasSize(1);
  }

  @Test
  void whatKeepsTheGatewayFromBeingAskedIsSaid() {
    status = 403;
    assertThat(run("lockouts", "list", "--gateway", url())).isEqualTo(2);
    assertThat(err.toString()).contains("answers 403: this user is not one of admin.principals");
    assertThat(run("lockouts", "list", "--gateway", url(), "--user", "ann")).isEqualTo(2);
    assertThat(err.toString()).contains("log in with --user and --password-file");
    gateway.stop(0);
    assertThat(run("lockouts", "list", "--gateway", url())).isEqualTo(2);
    assertThat(err.toString()).contains("cannot ask http://127.0.0.1:");
    assertThat(run("lockouts")).isEqualTo(2);
    assertThat(err.toString()).contains("missing command: lockouts list");
  }
}
