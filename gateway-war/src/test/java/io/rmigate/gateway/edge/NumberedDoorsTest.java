package io.rmigate.gateway.edge;

import static io.rmigate.gateway.login.UserLines.user;
import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.standalone.Explained;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.LogLines;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is refused at a door is told a number, and nothing more; the operator finds it again. */
class NumberedDoorsTest {
  private static final String YAML =
      """
      insecure: true
      state: state
      hosts: [gw.example]
      logins:
        basic:
          users-file: users
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      admin:
        principals: [root]
      audit:
        path: audit.jsonl
      """;

  private static final Pattern NUMBER = Pattern.compile("\\[refusal ([2-9A-HJ-NP-Z]{6})\\]");

  @TempDir Path directory;

  private static HttpResponse<String> get(RunningGateway gateway, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(gateway.uri() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** The answer to a request for any host, head and all. */
  private static String whole(
      URI gateway, String method, String path, String host, String... headers) throws IOException {
    List<String> lines =
        new ArrayList<>(
            List.of(
                method + " " + gateway.getPath() + path + " HTTP/1.1",
                "Host: " + host,
                "Content-Length: 0",
                "Connection: close"));
    lines.addAll(List.of(headers));
    try (Socket socket = new Socket(gateway.getHost(), gateway.getPort())) {
      String head = String.join("\r\n", lines) + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static String number(String body) {
    Matcher number = NUMBER.matcher(body);
    assertThat(number.find()).as(body).isTrue();
    return number.group(1);
  }

  @Test
  void theNumberIsInTheAnswerTheLineAndTheAudit() throws Exception {
    Files.writeString(directory.resolve("users"), user("alice", "wonder"));
    String host;
    String wrong;
    String admin;
    String page;
    try (RunningGateway gateway = RunningGateway.start(directory, YAML);
        LogLines log = new LogLines("io.rmigate.gateway")) {
      host = number(whole(gateway.uri(), "GET", "/services", "evil.example"));
      HttpResponse<String> login = get(gateway, "/admin", "Authorization", basic("alice", "no"));
      assertThat(login.statusCode()).isEqualTo(401);
      assertThat(login.body()).matches("log in \\[refusal ......]\\R");
      wrong = number(login.body());
      assertThat(get(gateway, "/admin").body())
          .isEqualTo("log in\n"); // a missing login is not numbered
      HttpResponse<String> other =
          get(gateway, "/admin", "Authorization", basic("alice", "wonder"));
      assertThat(other.statusCode()).isEqualTo(403);
      admin = number(other.body());
      page =
          number(
              whole(gateway.uri(), "POST", "/tunnel", "gw.example", "Origin: http://evil.example"));
      for (String one : new String[] {host, wrong, admin, page}) {
        assertThat(log.warnings())
            .filteredOn(line -> line.contains("; refusal " + one + ", from 127.0.0.1:"))
            .singleElement()
            .asString()
            .contains(" refused: ");
      }
    }
    Path audit = directory.resolve("audit.jsonl"); // complete by now
    assertThat(Explained.of(host, audit))
        .contains("what     door by the door /services")
        .contains("who      a client without a login from 127.0.0.1:")
        .contains("it is for the host evil.example", "add it to hosts");
    assertThat(Explained.of(wrong, audit))
        .contains("what     login by the door /admin", "who      alice from 127.0.0.1:");
    assertThat(Explained.of(admin, audit)).contains("add the principal to admin.principals");
    assertThat(Explained.of(page, audit)).contains("rule web-page", "origins in the configuration");
  }
}
