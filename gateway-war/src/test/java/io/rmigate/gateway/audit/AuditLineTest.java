package io.rmigate.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An entry is one line for each name that a client may give, and contains that name. */
class AuditLineTest {

  private static String line(String name) {
    return new String(
        AuditLine.encode(
            7,
            AuditEntry.of(AuditEvent.LOGIN, AuditOutcome.REFUSED).with(AuditField.PRINCIPAL, name)),
        StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bob\n{\"number\":8,\"event\":\"login\",\"outcome\":\"accepted\"}",
        "bob\r\n",
        "\",\"outcome\":\"accepted\",\"x\":\"",
        "\\\",\"hash\":\"0000\"}",
        "\u0000\u0007\u001b[2J",
        "\u007f\u0080\u0085\u009b",
        "\u2028\u2029\u202e\u200f\ufeff",
        "\ud83d\ude00",
        "gr\u00fc\u00df Gott"
      })
  void aNameCannotForgeALine(String name) throws Exception {
    String line = line(name);

    assertThat(line.chars()).allMatch(c -> c >= 0x20 && c < 0x7f);
    JsonNode read = new ObjectMapper().readTree(line);
    assertThat(read.get("principal").asText()).isEqualTo(name);
    assertThat(read.get("outcome").asText()).isEqualTo("refused");
    assertThat(read.size()).isEqualTo(5);
  }

  @Test
  void halfACharacterDoesNotSpoilALine() throws Exception {
    String line = line("a\ud800b\udc00");

    assertThat(line.chars()).allMatch(c -> c >= 0x20 && c < 0x7f);
    assertThat(new ObjectMapper().readTree(line).get("outcome").asText()).isEqualTo("refused");
  }

  @Test
  void aLongTextIsCut() throws Exception {
    JsonNode read = new ObjectMapper().readTree(line("n".repeat(1_000_000)));

    assertThat(read.get("principal").asText()).isEqualTo("n".repeat(256) + "...");
  }

  /** Clients choose names of 64 KiB, and while the disk is full thousands of entries wait. */
  @Test
  void anEntryThatWaitsKeepsNoMoreOfALongTextThanItsLineWillHave() {
    AuditEntry entry =
        AuditEntry.of(AuditEvent.REGISTRY, AuditOutcome.REFUSED)
            .with(AuditField.NAME, "n".repeat(65_535));

    assertThat(entry.value(AuditField.NAME)).isEqualTo("n".repeat(256) + "...");
  }

  @Test
  void theLongestLineCanBeVerified() {
    AuditEntry entry = AuditEntry.of(AuditEvent.CALL, AuditOutcome.REFUSED);
    for (AuditField field : AuditField.values()) {
      if (field.kind() == AuditField.Kind.TEXT) {
        entry.with(field, "\u0001".repeat(1000));
      } else {
        entry.with(field, Long.MIN_VALUE);
      }
    }

    assertThat(AuditLine.encode(Long.MAX_VALUE, entry).length + HashChain.OVERHEAD)
        .isLessThan(WrittenLine.MAX_BYTES);
  }
}
