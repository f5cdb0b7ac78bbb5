package io.rmigate.gateway.audit;

import io.rmigate.gateway.testing.GeneratedPart;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about the audit says what a line says. */
class AuditReferenceTest {
  private static final String PAGE = "reference/audit.md";

  @Test
  void thePageListsAllFieldsEventsAndOutcomes() throws Exception {
    GeneratedPart.assertEqual(
        PAGE,
        "fields",
        Stream.of(AuditField.values())
            .map(field -> item(field.key(), field.meaning() + "."))
            .collect(Collectors.joining()));
    GeneratedPart.assertEqual(
        PAGE,
        "events",
        Stream.of(AuditEvent.values())
            .map(event -> item(event.word(), event.meaning()))
            .collect(Collectors.joining()));
    GeneratedPart.assertEqual(
        PAGE,
        "outcomes",
        Stream.of(AuditOutcome.values())
            .map(outcome -> item(outcome.word(), outcome.meaning()))
            .collect(Collectors.joining()));
  }

  private static String item(String word, String meaning) {
    return GeneratedPart.item("`" + word + "`: " + meaning);
  }
}
