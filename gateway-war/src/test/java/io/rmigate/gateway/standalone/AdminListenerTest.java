package io.rmigate.gateway.standalone;

import static io.rmigate.gateway.login.UserLines.user;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** T57: with an address of its own administration is there and nowhere else. */
class AdminListenerTest {
  private static final String YAML =
      """
      insecure: true
      logins:
        basic:
          users-file: users
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      legacy:
        enabled: true
      admin:
        principals: [root]
        listen: 127.0.0.1:0
      """;

  private static final List<String> READ = List.of("/admin", "/admin/sessions", "/metrics");

  private static final String USERS = user("root", "toor");

  @TempDir Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private RunningGateway gateway;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(directory.resolve("users"), USERS);
    gateway = RunningGateway.start(directory, YAML);
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private int status(URI uri, String method) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .header("Authorization", RunningGateway.basic("root", "toor"))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private URI own(String path) {
    return URI.create(gateway.adminUri().orElseThrow() + path);
  }

  private URI main(String path) {
    return URI.create(gateway.uri() + path);
  }

  @Test
  void administrationIsThereAndNowhereElse() throws Exception {
    for (String path : READ) {
      assertThat(status(own(path), "GET")).as(path).isEqualTo(200);
      assertThat(status(main(path), "GET")).as(path).isEqualTo(404);
    }
    assertThat(status(main("/health/ready"), "GET")).isEqualTo(200);
    assertThat(status(own("/health/ready"), "GET")).isEqualTo(200);
  }

  @Test
  void nothingElseIsThere() throws Exception {
    assertThat(status(main("/services"), "GET")).isEqualTo(200);
    for (String path : List.of("/services", "/tunnel", "/")) {
      assertThat(status(own(path), "GET")).as(path).isEqualTo(404);
    }
    URI oldJdks = URI.create("/cgi-bin/java-rmi.cgi?forward=1099");
    assertThat(status(gateway.uri().resolve(oldJdks), "POST")).isNotEqualTo(404);
    assertThat(status(own("").resolve(oldJdks), "POST")).isEqualTo(404);
  }

  @Test
  void itDrainsTheGatewayAndNobodyDoesSoElsewhere() throws Exception {
    assertThat(status(main("/admin/drain"), "POST")).isNotEqualTo(200);
    assertThat(status(main("/health/ready"), "GET")).isEqualTo(200);

    assertThat(status(own("/admin/drain"), "POST")).isEqualTo(200);

    assertThat(status(main("/health/ready"), "GET")).isEqualTo(503);
  }

  @Test
  void loginsAreTheSame() throws Exception {
    HttpRequest anonymous = HttpRequest.newBuilder(own("/admin")).build();

    assertThat(client.send(anonymous, HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(401);
  }
}
