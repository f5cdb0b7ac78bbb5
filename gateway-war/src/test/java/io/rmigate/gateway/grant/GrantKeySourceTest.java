package io.rmigate.gateway.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.problem.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrantKeySourceTest {
  private static final String ONE = Base64.getEncoder().encodeToString(new byte[32]);
  private static final String OTHER =
      Base64.getEncoder()
          .encodeToString("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));

  @TempDir Path directory;

  private GrantSettings file(String content) throws IOException {
    Path file = directory.resolve("keys");
    Files.writeString(file, content);
    return new GrantSettings(Optional.of(file), Duration.ofHours(1));
  }

  private GrantKeys read(String content) throws Exception {
    return new GrantKeySource(directory.resolve("unused")).keys(file(content));
  }

  @Test
  void aKeyIsMadeOnceAndForItsOwnerOnly() throws Exception {
    Path state = directory.resolve("deep").resolve("state");

    GrantKeys made = new GrantKeySource(state).keys(GrantSettings.DEFAULTS);

    assertThat(new GrantKeySource(state).keys(GrantSettings.DEFAULTS)).isEqualTo(made);
    assertThat(made.all()).hasSize(1);
    try (Stream<Path> files = Files.list(state)) {
      assertThat(files).containsExactly(state.resolve("grants.key"));
    }
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(state.resolve("grants.key"))))
        .isEqualTo("rw-------");
    assertThat(new GrantKeySource(directory.resolve("other")).keys(GrantSettings.DEFAULTS))
        .isNotEqualTo(made);
  }

  @Test
  void whereNothingCanBeKeptThereIsAKeyAllTheSame() throws Exception {
    Path noDirectory = Files.writeString(directory.resolve("file"), "");
    GrantKeySource source = new GrantKeySource(noDirectory.resolve("state"));

    GrantKeys keys = source.keys(GrantSettings.DEFAULTS);

    assertThat(source.keys(GrantSettings.DEFAULTS)).isEqualTo(keys); // and stays the same
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "AAAA\n"})
  void anOwnKeyThatIsDamagedIsAnErrorThatSaysWhatToDo(String content) throws Exception {
    Path file = Files.writeString(directory.resolve("grants.key"), content);
    assertThatThrownBy(() -> new GrantKeySource(directory).keys(GrantSettings.DEFAULTS))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file + "")
        .hasMessageContaining("state: ")
        .hasMessageContaining("without the file a new key is made");
  }

  @Test
  void theFirstKeyOfAFileSealsAndNothingIsMade() throws Exception {
    GrantKeys keys = read("# to come\n\n  " + OTHER + "  \n" + ONE + "\n");

    assertThat(keys.all()).hasSize(2);
    assertThat(keys.sealing()).isEqualTo(read(OTHER).sealing());
    assertThat(keys.named(read(ONE).sealing().id())).isPresent();
    assertThat(directory.resolve("unused")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"AAAA", "not base64", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA AA"})
  void whatIsNoKeyIsNamedByItsLineAndNotShown(String line) {
    assertThatThrownBy(() -> read(ONE + "\n" + line + "\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("keys:2: grants.key-file: is not 32 bytes in Base64")
        .hasMessageNotContaining(line);
    assertThatThrownBy(() -> GrantKeySource.check(file(line))).isInstanceOf(ConfigException.class);
  }

  @Test
  void aFileHasOneKeyAtLeastAndNotAnyNumber() throws Exception {
    assertThatThrownBy(() -> read("# nothing\n")).hasMessageContaining("has 0 keys");
    assertThatThrownBy(() -> read((ONE + "\n").repeat(17))).hasMessageContaining("has 17 keys");
    assertThatThrownBy(() -> read("#".repeat(64 * 1024 + 1))).hasMessageContaining("too large");
    GrantKeySource.check(GrantSettings.DEFAULTS);
    GrantKeySource.check(file(ONE));
  }
}
