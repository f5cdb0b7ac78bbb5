package io.rmigate.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page for people says what a line says. */
class AuditReferenceTest {

  @Test
  void theTablesOfTheReadmeAreThoseOfTheCode() throws Exception {
    String readme = Files.readString(Path.of("README.md"));
    int begin = readme.indexOf("| field | meaning |");
    int outcomes = readme.indexOf("| outcome | meaning |", begin);
    int end = readme.indexOf("\n\n", outcomes);

    assertThat(readme.substring(begin, end) + "\n").isEqualTo(AuditField.tables());
  }
}
