package io.rmigate.client.program.doctor;

import io.rmigate.client.config.ClientConfigException;
import io.rmigate.client.config.CommandLine;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.Way;
import io.rmigate.client.transport.proxy.ServerDialer;
import io.rmigate.protocol.jrmp.message.StubView;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code java -jar rmigate-client.jar ls …}: what is bound in a registry. */
public final class LsCommand {
  private static final int FAILED = 1;
  private static final int NOT_UNDERSTOOD = 2;
  private static final String LONG = "l";

  private static final String HELP =
      """
      usage: java -jar rmigate-client.jar ls [-l] rmi://host:port [--gateway URL] [options]

      Lists the names that are bound in a registry; through the gateway if one is configured (here,
      by a system property or in the environment), else by plain RMI.

        -l       also the stub of each name: its endpoint and its interfaces. Needs and loads no
                 class of the application, and calls no object
        --help

      exit code: 0 done, 1 failed, 2 command line not valid. All keys of the client are options too.

      """;

  private LsCommand() {}

  /**
   * Runs it.
   *
   * @param arguments behind {@code ls}
   * @param self what is said to the gateway
   * @return the exit code
   */
  public static int run(
      List<String> arguments, Map<String, String> self, PrintStream out, PrintStream err) {
    if (arguments.contains("--help")) {
      out.print(HELP + ConfigKey.help());
      return 0;
    }
    try {
      CommandLine line = CommandLine.parse(arguments, Set.of(), Set.of(LONG));
      if (line.words().size() != 1
          || !(Target.parse(line.words().get(0)) instanceof Target.Bound target)) {
        throw new ClientConfigException("expected one registry, such as rmi://host:1099");
      }
      list(target, line, self, out);
      return 0;
    } catch (ClientConfigException e) {
      err.println("rmigate ls: " + e.getMessage());
      return NOT_UNDERSTOOD;
    } catch (IOException e) {
      err.println("rmigate ls: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
      return FAILED;
    }
  }

  private static void list(
      Target.Bound target, CommandLine line, Map<String, String> self, PrintStream out)
      throws IOException {
    CommandLine.Configured configured = line.configured(System.getProperties(), System.getenv());
    Duration patience = configured.config().connectTimeout();
    try (Access access =
        configured.hasGateway()
            ? LinkAccess.open(configured.config(), patience, self)
            : new ServerAccess(Way.DIRECT, new ServerDialer(configured.config()))) {
      RegistryProbe registry = new RegistryProbe(access, patience);
      for (String name : value(registry.list(target.registry()))) {
        if (target.name().isEmpty() || target.name().equals(name)) {
          out.println(line.has(LONG) ? described(registry, target, name) : name);
        }
      }
    }
  }

  /** One that cannot be told must not keep the others from being told. */
  private static String described(RegistryProbe registry, Target.Bound target, String name) {
    try {
      StubView stub = value(registry.lookup(target.registry(), name));
      return "%-24s %-28s %s%s"
          .formatted(
              name,
              Observations.endpoint(stub),
              stub.stubClass().orElse(String.join(", ", stub.interfaces())),
              stub.factory().map(factory -> " (by " + factory + ")").orElse(""));
    } catch (IOException failed) {
      return "%-24s %s".formatted(name, failed.getMessage());
    }
  }

  private static <T> T value(RegistryProbe.Answer<T> answer) throws IOException {
    if (answer.thrown().isPresent()) {
      throw new IOException(answer.thrown().get().toString());
    }
    return answer.value().orElseThrow();
  }
}
