package io.rmigate.gateway.audit;

import io.rmigate.gateway.testing.FuzzFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;

/** Files that are said to be an audit. */
public final class AuditTarget {
  private static final Path FILE = FuzzFile.ending(".jsonl");

  /**
   * Verifies it, and goes on with it as a start does: what was right before, but for the end of its
   * last line, is right behind that. Confined to one thread at a time.
   */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Files.write(FILE, input);
    AuditVerifier.Findings before = AuditVerifier.verify(List.of(FILE));
    boolean right = before.fault().filter(fault -> !fault.contains("is cut off")).isEmpty();
    try (AuditFile file = AuditFile.open(FILE, true)) {
      file.append(new ArrayDeque<>(), AuditLines.everything(FILE));
    } catch (IOException notOurs) {
      if (right) {
        throw new IllegalStateException("right, and not taken", notOurs);
      }
      return;
    }
    AuditVerifier.Findings after = AuditVerifier.verify(List.of(FILE));
    if (right && (after.fault().isPresent() || after.lines() != before.lines() + 1)) {
      throw new IllegalStateException("right before, then " + after);
    }
  }

  private AuditTarget() {}
}
