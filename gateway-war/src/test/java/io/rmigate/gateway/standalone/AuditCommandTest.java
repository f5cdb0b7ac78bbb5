package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditLines;
import io.rmigate.gateway.audit.AuditLog;
import io.rmigate.gateway.audit.AuditOutcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code audit verify}, as people see it. */
class AuditCommandTest {
  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path file;
  private String last;

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("audit.jsonl");
    try (AuditLog log = AuditLog.open(AuditLines.everything(file))) {
      log.add(AuditEntry.of(AuditEvent.LOGIN, AuditOutcome.ACCEPTED));
    }
    List<String> lines = Files.readAllLines(file);
    last = lines.get(lines.size() - 1).replaceAll(".*\"hash\":\"(.*)\"}", "$1");
  }

  private int run(String... arguments) {
    CommandLine commandLine = Standalone.commandLine(() -> {});
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }

  @Test
  void whatIsRightIsOkAndItsLastHashIsPrinted() {
    assertThat(run("audit", "verify", file.toString())).isZero();
    assertThat(out.toString())
        .startsWith("OK: 3 lines, numbers 1 to 3")
        .contains("last hash " + last)
        .contains("lines that are missing at the end cannot be noticed");
  }

  @Test
  void theLastHashCanBeChecked() {
    assertThat(run("audit", "verify", "--last", last, file.toString())).isZero();
    assertThat(run("audit", "verify", "--last", "0".repeat(64), file.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("lines are missing at the end");
  }

  @Test
  void whatIsWrongIsNamedWithItsLine() throws Exception {
    Files.writeString(file, Files.readString(file).replace("accepted", "refused"));

    assertThat(run("audit", "verify", file.toString())).isEqualTo(1);
    assertThat(out.toString()).startsWith(file + ":2: does not fit its hash");
  }

  @Test
  void aFileThatIsNotThereAndNoFileAreWrong() {
    Path none = directory.resolve("none");
    assertThat(run("audit", "verify", none.toString())).isEqualTo(2);
    assertThat(run("audit", "verify", directory.toString())).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            "rmigate: " + none + ": no such file", "rmigate: " + directory + ": is a directory");
    assertThat(run("audit", "verify")).isEqualTo(2);
    assertThat(run("audit")).isEqualTo(2);
  }

  @Test
  void helpSaysWhatTheExitCodesMean() {
    assertThat(run("audit", "verify", "--help")).isZero();
    assertThat(out.toString().replaceAll("\\s+", " "))
        .containsSubsequence(
            "Exit codes:", "0 ", "No line was changed", "1 ", "2 ", "cannot be read");
  }
}
