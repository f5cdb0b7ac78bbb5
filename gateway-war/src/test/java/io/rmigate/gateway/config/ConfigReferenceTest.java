package io.rmigate.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The documents of this module say what the code does. */
class ConfigReferenceTest {

  @Test
  void theTableOfTheReferenceIsThatOfTheCode() throws Exception {
    String page = Files.readString(Path.of("../docs/reference/configuration.md"));
    int begin = page.indexOf("| key | allowed |");
    int end = page.indexOf("\n\n", begin);

    assertThat(page.substring(begin, end) + "\n").isEqualTo(ConfigKey.table());
  }

  @Test
  void everyDefaultIsAllowed() {
    for (ConfigKey key : ConfigKey.values()) {
      if (key.lastName().equals("principals")) { // each of them takes groups
        assertThat(key.allowed()).as(key.path()).isEqualTo(Allowed.PRINCIPALS);
      }
      if (key.defaultText().isEmpty()
          && (key.path().contains("[]") || key.path().startsWith("limits."))) {
        continue; // required, or not limited
      }
      switch (key.allowed().shape()) {
        case DURATION -> assertThat(Units.duration(key.defaultText())).isPresent();
        case SIZE -> assertThat(Units.bytes(key.defaultText())).isPresent();
        case CHOICE -> assertThat(key.allowed().names()).contains(key.defaultText());
        case FLAG -> assertThat(key.defaultText()).isIn("true", "false");
        default -> {}
      }
    }
  }
}
