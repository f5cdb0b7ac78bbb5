package io.rmigate.gateway.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.problem.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordHashTest {

  @Test
  void theTextFormIsReadBack() {
    PasswordHash hash = PasswordHash.of("secret".toCharArray(), 1000);

    PasswordHash read = PasswordHash.parse(hash.toString()).orElseThrow();

    assertThat(read).isEqualTo(hash);
    assertThat(read.matches("secret".toCharArray(), 1000)).isTrue();
    assertThat(read.matches("Secret".toCharArray(), 1000)).isFalse();
    assertThat(read.matches(new char[0], 1000)).isFalse();
  }

  /** Made by Python: hashlib.pbkdf2_hmac("sha256", b"secret", b"0123456789abcdef", 1000). */
  @Test
  void otherImplementationsAgree() {
    String made =
        "pbkdf2-sha256$1000$MDEyMzQ1Njc4OWFiY2RlZg==$tiKWHy4FAGCWE8gn6GtKhaxD2OeeAUUWXFT/p1aaNl8=";

    assertThat(PasswordHash.parse(made).orElseThrow().matches("secret".toCharArray(), 1000))
        .isTrue();
  }

  @Test
  void eachHashHasItsOwnSalt() {
    assertThat(PasswordHash.of("x".toCharArray(), 1000))
        .isNotEqualTo(PasswordHash.of("x".toCharArray(), 1000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "secret",
        "pbkdf2-sha256$10$MDEyMzQ1Njc4OWFiY2RlZg==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "pbkdf2-sha256$99999999$MDEyMzQ1Njc4OWFiY2RlZg==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "pbkdf2-sha256$1000$MDEyMzQ1Njc4OWFiY2RlZg==$AAAA",
        "pbkdf2-sha256$1000$====================$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "$2y$10$abcdefghijklmnopqrstuv"
      })
  void whatIsNoHashIsRefused(String text) {
    assertThat(PasswordHash.parse(text)).isEmpty();
  }

  @Test
  void wrongLinesOfAUsersFileAreNamedButNotRepeated(@TempDir Path directory) throws Exception {
    String hash = PasswordHash.of("x".toCharArray(), 1000).toString();
    Path file = directory.resolve("users");
    Files.writeString(
        file, "alice:" + hash + "\nbob:plain-password\n:x\ncarol\nalice:" + hash + "\n");

    assertThatThrownBy(() -> UsersFile.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file + ":2: logins.basic.users-file: is not name:hash")
        .hasMessageContaining(file + ":3: ")
        .hasMessageContaining(file + ":4: ")
        .hasMessageContaining(file + ":5: logins.basic.users-file: names a user a second time")
        .hasMessageNotContaining("plain-password");
  }
}
