package io.rmigate.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** README.md lists the keys that the code has. */
class ConfigReferenceTest {
  private static final String HEADING = "| key | value | default | meaning |\n|---|---|---|---|\n";

  @Test
  void theTableOfTheReadmeIsThatOfTheCode() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    int begin = readme.indexOf(HEADING);
    assertThat(begin).as("the heading of the table").isNotNegative();
    int end = readme.indexOf("\n\n", begin);

    String table =
        Arrays.stream(ConfigKey.values())
            .map(
                key ->
                    "| `%s` | %s | %s | %s |"
                        .formatted(
                            key.key(),
                            prose(key.unit()),
                            prose(key.defaultText()),
                            prose(key.meaning())))
            .collect(Collectors.joining("\n", HEADING, ""));
    assertThat(readme.substring(begin, end)).isEqualTo(table);
  }

  /** Stars and angle brackets mean something to Markdown. */
  private static String prose(String text) {
    return text.replace("*", "\\*").replace("<", "\\<");
  }
}
