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
 * @param idle how long an idle connection is watched; zero: not at all
 * @param step bound of each thing that is tried
 * @param timeout bound of all together
 */
record DoctorOptions(
    Optional<Target> target,
    boolean hasGateway,
    ClientConfig config,
    Map<ConfigKey, String> given,
    boolean json,
    Duration idle,
    Duration step,
    Duration timeout) {

  static final String HELP =
      """
      usage: java -jar rmigate-client.jar doctor [TARGET] [--gateway URL] [options]

      Says which ways lead from here to an RMI server, what stands in between, what the stub says
      that is looked up there, and what to configure. Calls no method of any application.

      TARGET  rmi://host:port/name, or service:jmx:rmi:///jndi/rmi://host:port/jmxrmi; without a
              name the registry is looked at; without TARGET only the way to the gateway

      options:
        --json              the report as JSON, for scripts
        --idle DURATION     how long a connection to the gateway is left idle, to see whether
                            something cuts it; 0s: not at all; default: 5s
        --step DURATION     the longest that each thing which is tried may take; default: 10s; a
                            direct connection takes 3s at most
        --timeout DURATION  the longest that all may take together; default: 60s
        --help

      exit code:
        0   a way that the configuration allows leads there, and nothing is wrong
        1   one leads there, but the configuration does not allow it, or something is wrong
        2   none leads there
        64  the command line was not understood

      What is going on is told on standard error, the report goes to standard output. All keys of
      the client are options too.

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
        line.duration(IDLE, Duration.ZERO, Duration.ofMinutes(10), Duration.ofSeconds(5)),
        line.duration(STEP, Duration.ofMillis(100), Duration.ofMinutes(1), Duration.ofSeconds(10)),
        line.duration(
            TIMEOUT, Duration.ofSeconds(1), Duration.ofMinutes(30), Duration.ofSeconds(60)));
  }
}
