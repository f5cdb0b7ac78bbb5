package io.rmigate.client.program.command;

import io.rmigate.client.config.ClientConfigException;
import io.rmigate.client.config.CommandLine;
import io.rmigate.client.config.Secret;
import io.rmigate.client.program.doctor.Target;
import io.rmigate.protocol.jrmp.EndpointId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** {@code java -jar rmigate-client.jar jmx …}: reads an attribute of an MBean. */
final class JmxCommand extends ApplicationCommand {
  private static final String USER = "jmx-user";
  private static final String PASSWORD_FILE = "jmx-password-file";

  JmxCommand() {
    super("jmx");
  }

  @Override
  String help() {
    return """
    usage: java -jar rmigate-client.jar jmx service:jmx:rmi:///jndi/rmi://host:port/jmxrmi
             [OBJECTNAME [ATTRIBUTE]] [--gateway URL] [options]

    Prints an attribute of an MBean; without ATTRIBUTE the names of its attributes, without
    OBJECTNAME the names of all MBeans. Through the gateway if one is configured, else by plain RMI.

      --jmx-user NAME, --jmx-password-file FILE
                     the login at the JMX agent, if it requires one
      --help

    JMX over TLS uses a socket factory of its own: list its ports in --sockets. This JVM deserializes
    only values of the JDK and of JMX; it refuses other classes.

    exit code: 0 done, 1 failed, 2 command line not valid. All keys of the client are options too.

    """;
  }

  @Override
  CommandLine parse(List<String> arguments) {
    return CommandLine.parse(arguments, Set.of(USER, PASSWORD_FILE), Set.of());
  }

  @Override
  @SuppressWarnings("BanJNDI") // the URL is what the person who types it wants to be asked
  void run(CommandLine line, PrintStream out) throws Exception {
    if (line.words().isEmpty() || line.words().size() > 3) {
      throw new ClientConfigException("expected a JMX service URL, an object name, an attribute");
    }
    String url = line.words().get(0);
    Optional<EndpointId> registry =
        Target.parse(url) instanceof Target.Bound bound
            ? Optional.of(bound.registry())
            : Optional.empty();
    filter(Optional.empty());
    tunnel(line, registry);
    try (JMXConnector connector =
        JMXConnectorFactory.connect(new JMXServiceURL(url), environment(line))) {
      tell(connector.getMBeanServerConnection(), line.words(), out);
    }
  }

  private static void tell(MBeanServerConnection server, List<String> words, PrintStream out)
      throws Exception {
    if (words.size() == 1) {
      new TreeSet<>(server.queryNames(null, null)).forEach(out::println);
      return;
    }
    ObjectName name = objectName(words.get(1));
    if (words.size() == 2) {
      Arrays.stream(server.getMBeanInfo(name).getAttributes())
          .map(MBeanAttributeInfo::getName)
          .sorted()
          .forEach(out::println);
      return;
    }
    out.println(ValueText.of(server.getAttribute(name, words.get(2))));
  }

  private static ObjectName objectName(String text) {
    try {
      return new ObjectName(text);
    } catch (MalformedObjectNameException e) {
      throw new ClientConfigException("'" + text + "' is no object name: " + e.getMessage());
    }
  }

  private static Map<String, Object> environment(CommandLine line) throws IOException {
    Map<String, Object> environment = new HashMap<>();
    Optional<String> user = line.option(USER);
    Optional<String> file = line.option(PASSWORD_FILE);
    if (user.isPresent() != file.isPresent()) {
      throw new ClientConfigException(
          "options --jmx-user and --jmx-password-file must be given together");
    }
    if (user.isPresent()) {
      try (BufferedReader in =
          Files.newBufferedReader(Path.of(file.get()), StandardCharsets.UTF_8)) {
        Secret.warnIfOpen("option --jmx-password-file", Path.of(file.get()));
        String password = in.readLine();
        environment.put(
            JMXConnector.CREDENTIALS, new String[] {user.get(), password == null ? "" : password});
      } catch (IOException e) {
        throw new ClientConfigException(
            "option --jmx-password-file: " + file.get() + " cannot be read: " + e);
      }
    }
    return environment;
  }
}
