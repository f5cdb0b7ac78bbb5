package io.rmigate.gateway.container;

import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.UserLines;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.Handshake;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.RawRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The doors of the gateway in each container: logins that are locked out, and names of hosts. */
@ExtendWith(LeftoverCheck.class)
class DoorsIT {
  private static final String HOME = "192.0.2.1";
  private static final String ELSEWHERE = "198.51.100.1";
  private static final int WRONG_PASSWORDS = 10;
  private static final int MISDIRECTED = 421;
  private static final String ALICE = "Authorization: " + basic("alice", "wonderland");

  private final HttpClient client = HttpClient.newHttpClient();

  @ParameterizedTest
  @MethodSource("io.rmigate.gateway.testing.GatewayKind#kindsOfThisTier")
  void guessesAreBrakedAndNamesAreAcceptedThatAreKnown(GatewayKind kind) throws Exception {
    try (GatewayUnderTest gateway = start(kind, "")) {
      lockedAddressesAreNotToldOfPasswords(gateway.uri());
      String health = health(gateway.uri());
      long warnings =
          gateway.jvm().output().stream()
              .filter(line -> line.contains("requests for every host name are accepted"))
              .count();
      if (kind == GatewayKind.STANDALONE) {
        assertThat(services(gateway.uri(), "evil.example")).isEqualTo(MISDIRECTED);
        assertThat(health).doesNotContain("hosts");
        assertThat(warnings).isZero();
      } else {
        assertThat(services(gateway.uri(), "evil.example")).isEqualTo(200);
        assertThat(health).contains("\"hosts\":\"any\"");
        assertThat(warnings).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.rmigate.gateway.testing.GatewayKind#kindsOfThisTier")
  void requestsForOtherNamesAreRefused(GatewayKind kind) throws Exception {
    try (GatewayUnderTest started = start(kind, "hosts: [gw.example]\n")) {
      URI gateway = started.uri();
      for (String host : List.of("gw.example", "localhost", "127.0.0.1:1", "[::1]:1")) {
        assertThat(services(gateway, host)).as(host).isEqualTo(200);
        assertThat(handshake(gateway, host)).as(host).isEqualTo("101");
        assertThat(handshake(gateway, host, "Origin: http://" + host)).as(host).isEqualTo("403");
      }
      assertThat(services(gateway, "evil.example")).isEqualTo(MISDIRECTED);
      assertThat(handshake(gateway, "evil.example:8443")).as("an agent").isEqualTo("101");
      assertThat(handshake(gateway, "evil.example:8443", "Origin: http://evil.example:8443"))
          .as("a page")
          .isEqualTo("421");
      assertThat(RawRequest.status(gateway, "POST", "/services/x", "evil.example", ALICE))
          .isEqualTo(MISDIRECTED);
      assertThat(services(gateway, "127.0.0.1", "X-Forwarded-Host: gw.example")).isEqualTo(200);
      assertThat(services(gateway, "127.0.0.1", "X-Forwarded-Host: evil.example"))
          .isEqualTo(MISDIRECTED);
      assertThat(RawRequest.status(gateway, "GET", "/health", "evil.example")).isEqualTo(200);
      assertThat(health(gateway)).doesNotContain("hosts");
    }
  }

  private GatewayUnderTest start(GatewayKind kind, String hosts) throws Exception {
    Path directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    Path users =
        Files.writeString(directory.resolve("users"), UserLines.user("alice", "wonderland"));
    return kind.start(
        new GatewaySetup(
            directory,
            Optional.empty(),
            InsideHosts.ofAllTests(),
            List.of(InsideHosts.INSIDE + ":*"),
            List.of("-Xmx96m"),
            "logins:\n  basic:\n    users-file: '"
                + users
                + "'\nservices:\n  trusted-proxies: [127.0.0.1]\n"
                + hosts,
            0));
  }

  private static int services(URI gateway, String host, String... headers) throws IOException {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add(ALICE);
    return RawRequest.status(gateway, "GET", "/services", host, all.toArray(String[]::new));
  }

  /** The status of the answer to a handshake. */
  private static String handshake(URI gateway, String host, String... headers) throws IOException {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add(ALICE);
    return Handshake.askFor(gateway, host, all.toArray(String[]::new)).get(0).split(" ", 3)[1];
  }

  private String health(URI gateway) throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(gateway + "/health")).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private void lockedAddressesAreNotToldOfPasswords(URI gateway) throws Exception {
    assertThat(login(gateway, HOME, "wonderland")).isEqualTo(200);
    for (int i = 0; i < WRONG_PASSWORDS; i++) {
      assertThat(login(gateway, ELSEWHERE, "guess" + i)).isEqualTo(401);
    }

    assertThat(login(gateway, ELSEWHERE, "wonderland")).isEqualTo(401);
    assertThat(login(gateway, HOME, "wonderland")).isEqualTo(200);
  }

  /** The status that an address gets with that password. */
  private int login(URI gateway, String address, String password)
      throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(gateway + "/services"))
                .header("Authorization", basic("alice", password))
                .header("X-Forwarded-For", address)
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
