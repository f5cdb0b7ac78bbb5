package io.rmigate.gateway.config;

import io.rmigate.client.config.ConfigKey;
import io.rmigate.gateway.testing.GeneratedPart;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about the client's configuration lists the keys of the client. */
class ClientConfigReferenceTest {

  @Test
  void thePageListsEachKey() throws IOException {
    GeneratedPart.assertEqual(
        "reference/client-configuration.md",
        "client keys",
        Arrays.stream(ConfigKey.values())
            .map(
                key ->
                    GeneratedPart.item(
                        "**`%s`** (%s; default: %s): %s."
                            .formatted(
                                key.key(),
                                prose(key.unit()),
                                prose(key.defaultText()),
                                prose(key.meaning()))))
            .collect(Collectors.joining()));
  }

  /** Stars mean something to Markdown. */
  private static String prose(String text) {
    return text.replace("*", "\\*");
  }
}
