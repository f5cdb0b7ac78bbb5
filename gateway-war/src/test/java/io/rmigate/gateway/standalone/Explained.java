package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import picocli.CommandLine;

/** What {@code policy explain} prints. */
public final class Explained {

  /** Of a refusal that is in that audit. */
  public static String of(String number, Path audit) {
    StringWriter out = new StringWriter();
    CommandLine commandLine = Standalone.commandLine(() -> {});
    commandLine.setOut(new PrintWriter(out));
    int code =
        commandLine.execute("policy", "explain", "--refusal", number, "--audit", audit.toString());
    assertThat(code).as(out.toString()).isZero();
    return out.toString();
  }

  private Explained() {}
}
