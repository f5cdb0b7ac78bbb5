package io.rmigate.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of a written audit is found, with its line. */
class AuditVerifierTest {
  @TempDir Path directory;
  private Path path;
  private List<String> lines;

  @BeforeEach
  void write() throws IOException {
    path = directory.resolve("audit.jsonl");
    append(true, 8);
    lines = new ArrayList<>(Files.readAllLines(path));
    assertThat(lines).hasSize(10);
  }

  private void append(boolean chain, int calls) throws IOException {
    AuditSettings settings =
        new AuditSettings(
            path,
            Long.MAX_VALUE,
            Duration.ofDays(1),
            10,
            chain,
            Set.of(AuditEvent.values()),
            AuditSettings.WhenFull.CONTINUE);
    try (AuditLog log = AuditLog.open(settings)) {
      for (int i = 0; i < calls; i++) {
        log.add(
            AuditEntry.of(AuditEvent.CALL, AuditOutcome.RETURNED)
                .with(AuditField.PRINCIPAL, "mallory" + i));
      }
    }
  }

  private AuditVerifier.Findings verify() throws IOException {
    Files.write(path, lines);
    return AuditVerifier.verify(List.of(path));
  }

  private void assertFault(int line, String why) throws IOException {
    assertThat(verify().fault())
        .hasValueSatisfying(
            fault -> assertThat(fault).startsWith(path + ":" + line + ": ").contains(why));
  }

  @Test
  void whatWasNotTouchedIsRight() throws Exception {
    AuditVerifier.Findings findings = verify();

    assertThat(findings.fault()).isEmpty();
    assertThat(findings.lines()).isEqualTo(10);
    assertThat(findings.firstNumber()).isEqualTo(1);
    assertThat(findings.lastNumber()).isEqualTo(10);
    assertThat(findings.begins()).isEqualTo(HashChain.NONE);
    assertThat(lines.get(9)).endsWith("\"hash\":\"" + findings.lastHash().orElseThrow() + "\"}");
  }

  @Test
  void aChangedLineIsFound() throws Exception {
    lines.set(4, lines.get(4).replace("mallory", "alice"));
    assertFault(5, "does not fit its hash");
  }

  @Test
  void aChangedHashIsFound() throws Exception {
    String line = lines.get(4);
    char last = line.charAt(line.length() - 3);
    lines.set(4, line.substring(0, line.length() - 3) + (last == '0' ? '1' : '0') + "\"}");
    assertFault(5, "does not fit its hash");
  }

  @Test
  void aLineThatWasTakenOutIsFound() throws Exception {
    lines.remove(4);
    assertFault(5, "lines are missing");
  }

  @Test
  void aLineThatWasTakenOutAndTheRestRenumberedIsFound() throws Exception {
    lines.remove(4);
    for (int i = 4; i < lines.size(); i++) {
      lines.set(i, lines.get(i).replace("\"number\":" + (i + 2), "\"number\":" + (i + 1)));
    }
    assertFault(5, "does not fit its hash");
  }

  @Test
  void aLineThatWasPutInIsFound() throws Exception {
    lines.add(5, lines.get(4));
    assertFault(6, "not in their order");
  }

  @Test
  void linesInAnotherOrderAreFound() throws Exception {
    Collections.swap(lines, 3, 4);
    assertFault(4, "not in their order");
  }

  @Test
  void aBeginningThatIsMissingIsFound() throws Exception {
    lines.subList(0, 3).clear();
    assertFault(1, "lines before it are missing");
  }

  @Test
  void aFileThatIsMissingBetweenOthersIsFound() throws Exception {
    Files.delete(path);
    write3Files();
    List<Path> files = AuditLines.files(path);
    assertThat(files).hasSizeGreaterThan(3);
    Path missing = files.get(1);
    List<Path> others = files.stream().filter(file -> !file.equals(missing)).toList();

    assertThat(AuditVerifier.verify(files).fault()).isEmpty();
    assertThat(AuditVerifier.verify(others).fault())
        .hasValueSatisfying(
            fault -> assertThat(fault).startsWith(files.get(2) + ":1: ").contains("missing"));
  }

  private void write3Files() throws IOException {
    AuditSettings settings =
        new AuditSettings(
            path,
            1000,
            Duration.ofDays(1),
            10,
            true,
            Set.of(AuditEvent.values()),
            AuditSettings.WhenFull.CONTINUE);
    try (AuditLog log = AuditLog.open(settings)) {
      for (int i = 0; i < 20; i++) {
        log.add(AuditEntry.of(AuditEvent.CALL, AuditOutcome.RETURNED));
      }
    }
  }

  @Test
  void hashesThatWereTakenAwayAreFound() throws Exception {
    lines.set(4, lines.get(4).replaceAll(",\"hash\":\".*", "}"));
    assertFault(5, "carries no hash");
  }

  @Test
  void aSecondWordInALineIsFound() throws Exception {
    lines.set(4, lines.get(4).replace("{\"number\":5", "{\"number\":5,\"number\":5"));
    assertFault(5, "is not a line of an audit");
  }

  @Test
  void anEndThatWasCutOffIsSeenOnlyByTheLastHash() throws Exception {
    String before = verify().lastHash().orElseThrow();
    lines.subList(7, 10).clear();

    AuditVerifier.Findings findings = verify();
    assertThat(findings.fault()).isEmpty();
    assertThat(findings.lastNumber()).isEqualTo(7);
    assertThat(findings.lastHash().orElseThrow()).isNotEqualTo(before);
  }

  @Test
  void halfALineIsFound() throws Exception {
    Files.writeString(path, lines.get(0) + "\n" + lines.get(1));

    assertThat(AuditVerifier.verify(List.of(path)).fault())
        .hasValueSatisfying(fault -> assertThat(fault).contains(":2: is cut off"));
  }

  @Test
  void theChainMayBeTurnedOffAndOnBetweenRuns() throws Exception {
    append(false, 2);
    append(true, 2);

    AuditVerifier.Findings findings = AuditVerifier.verify(List.of(path));
    assertThat(findings.fault()).isEmpty();
    assertThat(findings.lines()).isEqualTo(18);
    assertThat(findings.unchained()).isEqualTo(4);
  }
}
