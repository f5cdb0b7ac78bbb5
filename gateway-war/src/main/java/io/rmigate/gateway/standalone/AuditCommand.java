package io.rmigate.gateway.standalone;

import io.rmigate.gateway.audit.AuditVerifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code audit verify FILE...}: whether the lines of an audit are all there, and unchanged. */
@Command(name = "audit", description = "Check audit files.", mixinStandardHelpOptions = true)
final class AuditCommand implements Runnable {
  /** Exit code: something is wrong with the files. */
  private static final int FAULT = 1;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command: audit verify FILE...");
  }

  @Command(
      name = "verify",
      mixinStandardHelpOptions = true,
      description = {
        "Read audit files, the oldest first, and report the first line that was changed, removed,"
            + " inserted or moved.",
        "Lines that are missing at the end are noticed only by a hash that was noted elsewhere,"
            + " such as the one that the gateway logs when it stops: give it with --last."
      },
      exitCodeListHeading = Standalone.EXIT_CODES,
      exitCodeList = {
        "0:No line was changed, and none is missing as far as can be told.",
        "1:A line was changed or is missing, or the last hash differs from --last.",
        "2:The command line is wrong, or a file cannot be read."
      },
      exitCodeOnExecutionException = Standalone.UNUSABLE)
  int verify(
      @Option(
              names = "--last",
              paramLabel = "HASH",
              description = "The expected hash of the last line.")
          String last,
      @Parameters(paramLabel = "FILE", arity = "1..*", description = "Audit files in their order.")
          List<Path> files)
      throws IOException {
    AuditVerifier.Findings findings = AuditVerifier.verify(files);
    PrintWriter out = spec.commandLine().getOut();
    try {
      if (findings.fault().isPresent()) {
        out.println(findings.fault().get());
        out.printf("%d lines before it are unchanged%n", findings.lines());
        return FAULT;
      }
      out.printf(
          "OK: %d lines, numbers %d to %d%n",
          findings.lines(), findings.firstNumber(), findings.lastNumber());
      if (findings.unchained() > 0) {
        out.printf(
            "%d of them carry no hash: of those only the numbers were checked%n",
            findings.unchained());
      }
      out.println("hash before the first line " + findings.begins());
      out.println("last hash " + findings.lastHash().orElse("none"));
      if (last != null && !findings.lastHash().filter(last::equalsIgnoreCase).isPresent()) {
        out.println("that is not " + last + ": lines are missing at the end, or were added");
        return FAULT;
      }
      if (last == null) {
        out.println(
            "lines that are missing at the end cannot be noticed without a hash that was noted"
                + " elsewhere: --last HASH");
      }
      return 0;
    } finally {
      out.flush();
    }
  }
}
