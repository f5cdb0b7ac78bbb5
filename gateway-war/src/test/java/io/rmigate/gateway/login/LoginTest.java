package io.rmigate.gateway.login;

import static io.rmigate.gateway.login.LoginServer.basic;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules that hold across schemes. */
class LoginTest {
  private static final String BASIC = "basic:\n  users-file: users\n";

  @TempDir Path directory;

  @BeforeEach
  void writeUsers() throws Exception {
    Files.writeString(
        directory.resolve("users"),
        "alice:" + PasswordHash.of("wonderland".toCharArray(), 1000) + "\n");
  }

  private LoginServer start(String logins) throws Exception {
    return LoginServer.start(directory, logins, "insecure: true\n");
  }

  @Test
  void anonymousIsWhoeverBringsNoCredential() throws Exception {
    try (LoginServer server = start("anonymous: true\n" + BASIC)) {
      assertThat(server.get().body()).isEqualTo("anonymous ANONYMOUS");
      assertThat(server.get("Authorization", basic("alice", "wonderland")).body())
          .isEqualTo("alice BASIC");
    }
  }

  @Test
  void aBadCredentialIsNotAnonymous() throws Exception {
    try (LoginServer server = start("anonymous: true\n" + BASIC)) {
      assertThat(server.get("Authorization", basic("alice", "wrong")).statusCode()).isEqualTo(401);
      assertThat(server.get("Authorization", "Bearer x").statusCode()).isEqualTo(401);
    }
    try (LoginServer server = start("anonymous: true\n")) {
      assertThat(server.get("Authorization", basic("alice", "wonderland")).statusCode())
          .isEqualTo(401);
    }
  }

  @Test
  void anAddressThatIsRefusedWithoutEndIsInTheLogSixtyTimesAMinute() throws Exception {
    try (LoginServer server = start(BASIC);
        LogLines log = new LogLines(Login.class)) {
      for (int i = 0; i < 100; i++) {
        assertThat(server.get("Authorization", "Bearer x").statusCode()).isEqualTo(401);
      }
      assertThat(log.warnings()).hasSize(60);
    }
  }

  @Test
  void theContainersPrincipalCountsOnlyWhenConfigured() throws Exception {
    try (LoginServer server = start("container: true\n")) {
      assertThat(server.get("X-Container-User", "carol").body()).isEqualTo("carol CONTAINER");
      assertThat(server.get().statusCode()).isEqualTo(401);
      assertThat(server.get().headers().firstValue("WWW-Authenticate")).isPresent();
    }
    try (LoginServer server = start(BASIC)) {
      assertThat(server.get("X-Container-User", "carol").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void theHeaderTheContainerHasJudgedIsNotOurs() throws Exception {
    try (LoginServer server = start("container: true\n")) {
      assertThat(
              server.get("X-Container-User", "carol", "Authorization", basic("carol", "x")).body())
          .isEqualTo("carol CONTAINER");
    }
  }

  @Test
  void credentialsThatDisagreeAreRefused() throws Exception {
    try (LoginServer server = start("container: true\n" + BASIC);
        LogLines log = new LogLines(Login.class)) {
      assertThat(
              server
                  .get("X-Container-User", "carol", "Authorization", basic("alice", "wonderland"))
                  .statusCode())
          .isEqualTo(401);
      assertThat(log.all())
          .singleElement()
          .asString()
          .contains("refused: credentials that disagree: alice and carol; refusal ");
    }
  }

  @Test
  void credentialsThatAgreeLetIn() throws Exception {
    try (LoginServer server = start("container: true\n" + BASIC)) {
      assertThat(
              server
                  .get("X-Container-User", "alice", "Authorization", basic("alice", "wonderland"))
                  .body())
          .isEqualTo("alice BASIC");
    }
  }

  @Test
  void oneBadCredentialSpoilsAGoodOne() throws Exception {
    try (LoginServer server = start("container: true\n" + BASIC)) {
      assertThat(
              server
                  .get("X-Container-User", "alice", "Authorization", basic("alice", "wrong"))
                  .statusCode())
          .isEqualTo(401);
    }
  }
}
