package io.rmigate.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page for people says what a line says. */
class AuditReferenceTest {

  @Test
  void theTablesOfTheReferenceAreThoseOfTheCode() throws Exception {
    String page = Files.readString(Path.of("../docs/reference/audit.md")) + "\n";
    int begin = page.indexOf("| field | meaning |");
    int outcomes = page.indexOf("| outcome | meaning |", begin);
    int end = page.indexOf("\n\n", outcomes);

    assertThat(page.substring(begin, end) + "\n").isEqualTo(AuditField.tables());
  }
}
