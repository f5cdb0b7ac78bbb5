package io.rmigate.gateway.container;

import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.UserLines;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The doors of the gateway in each container: logins that are locked out. */
@ExtendWith(LeftoverCheck.class)
class DoorsIT {
  private static final String HOME = "192.0.2.1";
  private static final String ELSEWHERE = "198.51.100.1";
  private static final int WRONG_PASSWORDS = 10;

  private final HttpClient client = HttpClient.newHttpClient();

  @ParameterizedTest
  @MethodSource("io.rmigate.gateway.testing.GatewayKind#kindsOfThisTier")
  void guessesAreBraked(GatewayKind kind) throws Exception {
    Path directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    Path users =
        Files.writeString(directory.resolve("users"), UserLines.user("alice", "wonderland"));
    GatewaySetup setup =
        new GatewaySetup(
            directory,
            Optional.empty(),
            InsideHosts.ofAllTests(),
            List.of(InsideHosts.INSIDE + ":*"),
            List.of("-Xmx96m"),
            "logins:\n  basic:\n    users-file: '"
                + users
                + "'\nservices:\n  trusted-proxies: [127.0.0.1]\n",
            0);
    try (GatewayUnderTest gateway = kind.start(setup)) {
      lockedAddressesAreNotToldOfPasswords(gateway.uri());
    }
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
