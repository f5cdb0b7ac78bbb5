package io.rmigate.client.program.doctor;

import io.rmigate.client.config.ClientConfigException;
import io.rmigate.client.config.ConfigKey;
import java.io.PrintStream;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** {@code java -jar rmigate-client.jar doctor …}. */
public final class DoctorCommand {
  /** EX_USAGE of sysexits(3): 1 and 2 say something about the network. */
  private static final int NOT_UNDERSTOOD = 64;

  private DoctorCommand() {}

  /**
   * Runs it.
   *
   * @param arguments behind {@code doctor}
   * @param self what is said to the gateway
   * @param out takes the report
   * @param err is told what is going on
   * @return the exit code
   */
  public static int run(
      List<String> arguments, Map<String, String> self, PrintStream out, PrintStream err)
      throws InterruptedException {
    if (arguments.contains("--help")) {
      out.print(DoctorOptions.HELP + ConfigKey.help());
      return 0;
    }
    DoctorOptions options;
    try {
      options = DoctorOptions.parse(arguments, System.getProperties(), System.getenv());
    } catch (ClientConfigException e) {
      err.println("rmigate doctor: " + e.getMessage());
      return NOT_UNDERSTOOD;
    }
    Observations facts = new Examination(options, self, err::println).run();
    err.println();
    Diagnosis diagnosis = Diagnosis.of(facts, Clock.systemUTC());
    out.print(options.json() ? JsonReport.of(diagnosis) : TextReport.of(diagnosis));
    return diagnosis.exitCode();
  }
}
