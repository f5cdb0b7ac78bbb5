package io.rmigate.client.program.doctor;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ClientConfigException;
import io.rmigate.client.config.CommandLine;
import io.rmigate.client.config.ConfigKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * What the doctor was told.
 *
 * @param target what is to be reached; empty: only the way to the gateway is looked at
 * @param config with a gateway of no meaning if there is none
 * @param given keys that stand on the command line, as written; may hold a password
 * @param json whether the report is for scripts
 */
record DoctorOptions(
    Optional<Target> target,
    boolean hasGateway,
    ClientConfig config,
    Map<ConfigKey, String> given,
    boolean json,
    Times times) {

  /**
   * How long things may take.
   *
   * @param idle how long an idle connection is watched; zero: not at all
   * @param step bound of each thing that is tried
   * @param timeout bound of all together
   */
  record Times(Duration idle, Duration step, Duration timeout) {}

  static final String HELP =
      """
      usage: java -jar rmigate-client.jar doctor [TARGET] [--gateway URL] [options]

      Reports which ways lead from this machine to an RMI server, which firewalls and proxies are in
      between, where the stub of a bound name leads, and what to configure. Calls no method of any
      application.

      TARGET  rmi://host:port/name, or service:jmx:rmi:///jndi/rmi://host:port/jmxrmi; without a
              name only the registry is examined; without TARGET only the way to the gateway

      options:
        --json              the report as JSON, for scripts
        --idle DURATION     how long a connection to the gateway is left idle, to find devices that
                            cut idle connections; 0s: no such test; default: 5s
        --step DURATION     time limit of each test; default: 10s; a direct connection takes 3s at
                            most
        --timeout DURATION  time limit of all tests together; default: 60s
        --help

      exit code:
        0   a configured way leads there, and there are no problems
        1   a way leads there, but it is not configured, or there are problems
        2   no way leads there
        64  the command line is not valid

      Progress is written to standard error, the report to standard output. All keys of the client
      are options too.

      """;

  private static final String IDLE = "idle";
  private static final String STEP = "step";
  private static final String TIMEOUT = "timeout";
  private static final String JSON = "json";

  DoctorOptions {
    given = Map.copyOf(given);
  }

  /**
   * Reads what stands behind {@code doctor}.
   *
   * @throws ClientConfigException with one line for the user
   */
  static DoctorOptions parse(
      List<String> arguments, Properties properties, Map<String, String> environment) {
    CommandLine line = CommandLine.parse(arguments, Set.of(IDLE, STEP, TIMEOUT), Set.of(JSON));
    if (line.words().size() > 1) {
      throw new ClientConfigException(
          "one TARGET, not " + line.words().size() + ": " + String.join(" ", line.words()));
    }
    Optional<Target> target = line.words().stream().map(Target::parse).findFirst();
    CommandLine.Configured configured = line.configured(properties, environment);
    if (target.isEmpty() && !configured.hasGateway()) {
      throw new ClientConfigException("neither a TARGET nor a gateway (--gateway URL) is named");
    }
    return new DoctorOptions(
        target,
        configured.hasGateway(),
        configured.config(),
        line.keys(),
        line.has(JSON),
        new Times(
            line.duration(IDLE, Duration.ZERO, Duration.ofMinutes(10), Duration.ofSeconds(5)),
            line.duration(
                STEP, Duration.ofMillis(100), Duration.ofMinutes(1), Duration.ofSeconds(10)),
            line.duration(
                TIMEOUT, Duration.ofSeconds(1), Duration.ofMinutes(30), Duration.ofSeconds(60))));
  }
}
