package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The messages that the page about troubleshooting explains stand in the code. */
class TroubleshootingTest {
  private static final Path ROOT = Path.of("..");

  /** A heading that is a message, in which an ellipsis stands for anything. */
  private static final Pattern MESSAGE = Pattern.compile("(?m)^### `(.+)`$");

  /** Two literals that are one text. */
  private static final Pattern SPLIT_LITERAL = Pattern.compile("\"\\s*\\+\\s*\"");

  @Test
  void eachMessageStandsInTheCode() throws IOException {
    String code = code();
    Matcher message =
        MESSAGE.matcher(Files.readString(ROOT.resolve("docs").resolve("troubleshooting.md")));
    int found = 0;
    while (message.find()) {
      for (String part : message.group(1).split("…", -1)) {
        assertThat(code.contains(part.strip())).as(part).isTrue();
      }
      found++;
    }
    assertThat(found).isGreaterThan(30);
  }

  private static String code() throws IOException {
    StringBuilder code = new StringBuilder();
    for (String module : List.of("gateway-war", "client-factory")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : (Iterable<Path>) files::iterator) {
          if (file.toString().endsWith(".java")) {
            code.append(SPLIT_LITERAL.matcher(Files.readString(file)).replaceAll(""));
          }
        }
      }
    }
    return code.toString();
  }
}
