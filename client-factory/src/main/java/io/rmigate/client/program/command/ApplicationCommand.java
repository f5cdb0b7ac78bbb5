package io.rmigate.client.program.command;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.ClientConfigException;
import io.rmigate.client.config.CommandLine;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.protocol.jrmp.EndpointId;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.PrintStream;
import java.rmi.server.RMISocketFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command that is an application of RMI: it uses the JDK's own, in this JVM, through the gateway
 * if one is configured. What servers send is filtered ({@link ReplyFilter}). One of them in a JVM.
 */
abstract class ApplicationCommand {
  static final int FAILED = 1;
  static final int NOT_UNDERSTOOD = 2;

  private final String name;

  ApplicationCommand(String name) {
    this.name = name;
  }

  /** The text that {@code --help} prints, without the keys. */
  abstract String help();

  /** Reads the options. */
  abstract CommandLine parse(List<String> arguments);

  /**
   * Runs the command.
   *
   * @throws Exception what the application would get
   */
  abstract void run(CommandLine line, PrintStream out) throws Exception;

  /** Runs it and returns the exit code. */
  final int run(List<String> arguments, PrintStream out, PrintStream err) {
    if (arguments.contains("--help")) {
      out.print(help() + ConfigKey.help());
      return 0;
    }
    try {
      run(parse(arguments), out);
      return 0;
    } catch (ClientConfigException e) {
      err.println("rmigate " + name + ": " + e.getMessage());
      return NOT_UNDERSTOOD;
    } catch (Exception e) { // anything that an application's call can throw
      err.println("rmigate " + name + ": " + chain(e));
      return FAILED;
    }
  }

  /** Filters from now on the data of servers that this JVM deserializes. */
  static void filter(Optional<ClassLoader> interfaces) {
    ObjectInputFilter.Config.setSerialFilter(new ReplyFilter(interfaces));
  }

  /**
   * Sends RMI of this JVM through the gateway, if one is configured.
   *
   * @param first where the registry is, which is behind the gateway even if it is called localhost
   */
  static void tunnel(CommandLine line, Optional<EndpointId> first) throws IOException {
    Map<ConfigKey, String> defaults =
        first
            .map(
                endpoint ->
                    Map.of(
                        ConfigKey.EXPORT,
                        "none",
                        ConfigKey.STATS,
                        "off",
                        ConfigKey.TUNNEL,
                        "*:*|" + pattern(endpoint.host()) + ":*"))
            .orElse(Map.of(ConfigKey.EXPORT, "none", ConfigKey.STATS, "off"));
    CommandLine.Configured configured =
        line.configured(defaults, System.getProperties(), System.getenv());
    if (configured.hasGateway()) {
      Rmigate.with(configured.config(), RMISocketFactory.getDefaultSocketFactory()).install();
    }
  }

  private static String pattern(String host) {
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  /** The cause of an exception of RMI says more than the exception itself. */
  private static String chain(Throwable thrown) {
    StringBuilder text = new StringBuilder(thrown.toString().replaceAll("\\s*\\R\\s*", " "));
    Throwable cause = thrown.getCause();
    for (int i = 0; cause != null && i < 4; i++) {
      String next = cause.toString().replaceAll("\\s*\\R\\s*", " ");
      if (text.indexOf(next) < 0) {
        text.append("; cause: ").append(next);
      }
      cause = cause.getCause();
    }
    return text.toString();
  }
}
