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
@Command(
    name = "audit",
    description = "What to do with audit files.",
    mixinStandardHelpOptions = true)
final class AuditCommand implements Runnable {
  /** Exit code: something is wrong with the files. */
  private static final int FAULT = 1;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "what to do: audit verify FILE...");
  }

  @Command(
      name = "verify",
      mixinStandardHelpOptions = true,
      description = {
        "Read audit files, the oldest first, and name the first line that was changed, taken out,"
            + " put in or put elsewhere.",
        "Whether lines are missing behind the last one can be told only by a hash noted elsewhere,"
            + " such as the one that the gateway logs when it stops: give it with --last."
      },
      exitCodeListHeading = Standalone.EXIT_CODES,
      exitCodeList = {
        "0:The lines are unchanged, and all there, as far as can be told.",
        "1:One is not, or the last hash is another one.",
        "2:The command line is wrong, or a file cannot be read."
      },
      exitCodeOnExecutionException = Standalone.UNUSABLE)
  int verify(
      @Option(
              names = "--last",
              paramLabel = "HASH",
              description = "The hash that the last line has to have.")
          String last,
      @Parameters(paramLabel = "FILE", arity = "1..*", description = "Audit files in their order.")
          List<Path> files)
      throws IOException {
    AuditVerifier.Findings findings = AuditVerifier.verify(files);
    PrintWriter out = spec.commandLine().getOut();
    try {
      if (findings.fault().isPresent()) {
        out.println(findings.fault().get());
        out.printf("%d lines before it are right%n", findings.lines());
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
      out.println("begins behind hash " + findings.begins());
      out.println("last hash " + findings.lastHash().orElse("none"));
      if (last != null && !findings.lastHash().filter(last::equalsIgnoreCase).isPresent()) {
        out.println("that is not " + last + ": lines are missing behind it, or have been added");
        return FAULT;
      }
      if (last == null) {
        out.println(
            "lines that are missing after the last one cannot be noticed; compare with a later hash that"
                + " you have noted: --last HASH");
      }
      return 0;
    } finally {
      out.flush();
    }
  }
}
