package io.rmigate.client.program.sidecar;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ClientConfigException;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.Secret;
import io.rmigate.client.socks.SocksLogin;
import io.rmigate.protocol.jrmp.EndpointId;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a sidecar is told: by options, by a file with the same names ({@code name = value}), and for
 * the keys of the client also by system properties and the environment; the first that is present
 * counts.
 *
 * @param config the client's keys
 * @param listen where SOCKS clients come to; empty for nowhere
 * @param forwards ports that stand for servers
 * @param reverses ports of the gateway that stand for JVMs here
 * @param login that SOCKS clients must give
 * @param clients addresses from which clients may come, besides loopback; empty: from wherever they
 *     can
 * @param lease what client JVMs are granted here; one that does not renew it is taken to be dead
 */
record SidecarOptions(
    ClientConfig config,
    Optional<InetSocketAddress> listen,
    List<Forward> forwards,
    List<ReversePort> reverses,
    Optional<SocksLogin> login,
    Set<InetAddress> clients,
    Duration lease) {

  static final String HELP =
      """
      usage: java -jar rmigate-client.jar sidecar --gateway URL [options]

      Carries RMI of other JVMs on this machine through the gateway. These JVMs need no javaagent:
        java -DsocksProxyHost=127.0.0.1 -DsocksProxyPort=1080 ...

      options:
        --listen HOST:PORT           address for SOCKS clients; default: 127.0.0.1:1080 unless there
                                     is a --forward; port 0: any free port
        --forward [HOST:]PORT=HOST:PORT
                                     a local port that leads to a server behind the gateway; may be
                                     repeated
        --reverse PORT[=[HOST:]PORT]
                                     a port of the gateway, on its inner interface, that leads to a
                                     port of a JVM here, so that servers behind the gateway can call its
                                     objects; the JVM exports them at that port and needs
                                     -Djava.rmi.server.hostname=<the gateway's inner host>;
                                     default HOST: 127.0.0.1; may be repeated
        --socks-user NAME, --socks-password-file FILE
                                     the login that SOCKS clients need
        --allow-remote               permits addresses other than loopback in --listen and --forward;
                                     needs a login or --clients
        --clients ADDRESS|ADDRESS    addresses of permitted clients, besides loopback
        --lease DURATION             after this time without a renewal of its references a client JVM
                                     counts as dead; default: 2m
        --config FILE                file with these options and the keys below, one "name = value" per
                                     line; several forwards or reverses separated by |
        --help

      All keys of the client are options too: --tunnel '*.inside.example:*' and so on. The sidecar refuses
      destinations that are neither in tunnel nor in sockets, and never connects to a server directly.
      (The keys export and callback-host are for the javaagent; a sidecar uses --reverse.)

      """;

  private static final String LISTEN = "listen";
  private static final String FORWARD = "forward";
  private static final String REVERSE = "reverse";
  private static final String SOCKS_USER = "socks-user";
  private static final String SOCKS_PASSWORD_FILE = "socks-password-file";
  private static final String ALLOW_REMOTE = "allow-remote";
  private static final String CLIENTS = "clients";
  private static final String LEASE = "lease";
  private static final String CONFIG = "config";
  private static final Set<String> OWN =
      Set.of(
          LISTEN,
          FORWARD,
          REVERSE,
          SOCKS_USER,
          SOCKS_PASSWORD_FILE,
          ALLOW_REMOTE,
          CLIENTS,
          LEASE,
          CONFIG);
  private static final Pattern HOST_PORT =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)\\]|([\\p{Alnum}._-]+)):(\\d{1,5})");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(ms|s|m|h)");
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
  private static final Duration LONGEST_LEASE = Duration.ofHours(1);

  SidecarOptions {
    forwards = List.copyOf(forwards);
    reverses = List.copyOf(reverses);
    clients = Set.copyOf(clients);
  }

  /** Limits the configuration to the ways over the link. */
  private static ClientConfig linked(ClientConfig config) {
    if (config.ways().overLink().isEmpty()) {
      throw new ClientConfigException(
          ConfigKey.WAY.key()
              + ": '"
              + config.ways()
              + "' does not use the gateway; the sidecar needs websocket or post");
    }
    return config;
  }

  /**
   * Reads the options behind {@code sidecar}.
   *
   * @throws ClientConfigException with one line for the user
   */
  static SidecarOptions parse(
      List<String> arguments, Properties properties, Map<String, String> environment) {
    Map<String, String> options = options(arguments);
    if (options.containsKey(CONFIG)) {
      file(options.get(CONFIG)).forEach(options::putIfAbsent);
    }
    ClientConfig.Builder config = ClientConfig.options();
    Map<String, String> own = new LinkedHashMap<>();
    options.forEach(
        (name, value) ->
            ConfigKey.byName(name)
                .ifPresentOrElse(key -> config.set(key, value), () -> own.put(name, value)));
    List<Forward> forwards = forwards(own.get(FORWARD));
    Optional<InetSocketAddress> listen = listen(own.get(LISTEN), forwards.isEmpty());
    Optional<SocksLogin> login = login(own.get(SOCKS_USER), own.get(SOCKS_PASSWORD_FILE));
    Set<InetAddress> clients = clients(own.get(CLIENTS));
    boolean remote = own.containsKey(ALLOW_REMOTE);
    listen.ifPresent(
        address -> checkReach(LISTEN, address, remote, login.isPresent() || !clients.isEmpty()));
    forwards.forEach(forward -> checkReach(FORWARD, forward.listen(), remote, !clients.isEmpty()));
    return new SidecarOptions(
        linked(config.over(properties, environment).build()),
        listen,
        forwards,
        reverses(own.get(REVERSE)),
        login,
        clients,
        lease(own.getOrDefault(LEASE, "2m")));
  }

  private static Map<String, String> options(List<String> arguments) {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (!argument.startsWith("--")) {
        throw new ClientConfigException("expected an option, found '" + argument + "'");
      }
      int equals = argument.indexOf('=');
      String name = argument.substring(2, equals < 0 ? argument.length() : equals);
      checkName("option --", name);
      String value;
      if (name.equals(ALLOW_REMOTE)) {
        value = "true";
      } else if (equals >= 0) {
        value = argument.substring(equals + 1);
      } else if (i + 1 < arguments.size()) {
        value = arguments.get(++i);
      } else {
        throw new ClientConfigException("option --" + name + " has no value");
      }
      if (name.equals(FORWARD) || name.equals(REVERSE)) {
        options.merge(name, value, (one, other) -> one + "|" + other);
      } else if (options.put(name, value) != null) {
        throw new ClientConfigException("option --" + name + " is given twice");
      }
    }
    return options;
  }

  private static void checkName(String what, String name) {
    if (!OWN.contains(name) && ConfigKey.byName(name).isEmpty()) {
      throw new ClientConfigException(
          what
              + name
              + ": unknown"
              + ConfigKey.nearestTo(name)
                  .map(near -> "; did you mean " + near.key() + "?")
                  .orElse("; --help lists them all"));
    }
  }

  private static Map<String, String> file(String name) {
    Properties read = new Properties();
    try (Reader in = Files.newBufferedReader(Path.of(name), StandardCharsets.UTF_8)) {
      read.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new ClientConfigException("option --config: " + name + " cannot be read: " + e);
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : new TreeSet<>(read.stringPropertyNames())) {
      checkName(name + ": ", key);
      if (key.equals(CONFIG)) {
        throw new ClientConfigException(
            name + ": config: a configuration file cannot name another" + " one");
      }
      if (!key.equals(ALLOW_REMOTE) || Boolean.parseBoolean(read.getProperty(key).strip())) {
        values.put(key, read.getProperty(key).strip());
      }
    }
    return values;
  }

  private static Optional<InetSocketAddress> listen(String text, boolean otherwise) {
    if (text == null) {
      return otherwise ? Optional.of(address(LISTEN, "127.0.0.1:1080")) : Optional.empty();
    }
    return Optional.of(address(LISTEN, text));
  }

  private static List<Forward> forwards(String text) {
    List<Forward> forwards = new ArrayList<>();
    for (String element : text == null ? new String[0] : text.split("\\|", -1)) {
      int equals = element.indexOf('=');
      if (equals < 0) {
        throw new ClientConfigException(
            "option --forward: '" + element + "' is not [HOST:]PORT=HOST:PORT");
      }
      String here = element.substring(0, equals).strip();
      Matcher target = hostPort(FORWARD, element.substring(equals + 1).strip());
      if (port(FORWARD, target) == 0) {
        throw new ClientConfigException("option --forward: '" + element + "' names no server");
      }
      forwards.add(
          new Forward(
              address(FORWARD, here.matches("\\d{1,5}") ? "127.0.0.1:" + here : here),
              new EndpointId(host(target), port(FORWARD, target))));
    }
    return forwards;
  }

  private static List<ReversePort> reverses(String text) {
    List<ReversePort> reverses = new ArrayList<>();
    Set<Integer> ports = new HashSet<>();
    for (String element : text == null ? new String[0] : text.split("\\|", -1)) {
      int equals = element.indexOf('=');
      String there = (equals < 0 ? element : element.substring(0, equals)).strip();
      String here = element.substring(equals + 1).strip();
      if (!there.matches("\\d{1,5}")) {
        throw new ClientConfigException(
            "option --reverse: '" + element + "' is not PORT, PORT=PORT or PORT=HOST:PORT");
      }
      int port = port(REVERSE, hostPort(REVERSE, "127.0.0.1:" + there));
      Matcher local = hostPort(REVERSE, here.matches("\\d{1,5}") ? "127.0.0.1:" + here : here);
      if (port == 0 || port(REVERSE, local) == 0) {
        throw new ClientConfigException(
            "option --reverse: '" + element + "': a JVM's stubs name a port from 1 to 65535");
      }
      if (!ports.add(port)) {
        throw new ClientConfigException("option --reverse: port " + port + " is given twice");
      }
      reverses.add(new ReversePort(port, new EndpointId(host(local), port(REVERSE, local))));
    }
    return reverses;
  }

  private static Matcher hostPort(String option, String text) {
    Matcher matcher = HOST_PORT.matcher(text);
    if (!matcher.matches()) {
      throw new ClientConfigException("option --" + option + ": '" + text + "' is not HOST:PORT");
    }
    return matcher;
  }

  private static String host(Matcher hostPort) {
    return hostPort.group(1) == null ? hostPort.group(2) : hostPort.group(1);
  }

  private static int port(String option, Matcher hostPort) {
    int port = Integer.parseInt(hostPort.group(3));
    if (port > 0xFFFF) {
      throw new ClientConfigException("option --" + option + ": " + port + " is not a port");
    }
    return port;
  }

  private static InetSocketAddress address(String option, String text) {
    Matcher matcher = hostPort(option, text);
    return new InetSocketAddress(resolved(option, host(matcher)), port(option, matcher));
  }

  private static InetAddress resolved(String option, String host) {
    try {
      return InetAddress.getAllByName(host)[0];
    } catch (UnknownHostException unknown) {
      throw new ClientConfigException(
          "option --" + option + ": '" + host + "' is not an address of this machine");
    }
  }

  private static void checkReach(
      String option, InetSocketAddress address, boolean remote, boolean guarded) {
    if (address.getAddress().isLoopbackAddress()) {
      return;
    }
    if (!remote) {
      throw new ClientConfigException(
          "option --"
              + option
              + ": "
              + address.getHostString()
              + " lets other machines use this sidecar's login at the gateway; add --allow-remote"
              + " to permit that");
    }
    if (!guarded) {
      throw new ClientConfigException(
          "option --"
              + option
              + ": "
              + address.getHostString()
              + " needs "
              + (option.equals(LISTEN) ? "a login (--socks-user, --socks-password-file) or " : "")
              + "--clients");
    }
  }

  private static Optional<SocksLogin> login(String user, String passwordFile) {
    if (user == null && passwordFile == null) {
      return Optional.empty();
    }
    if (user == null || passwordFile == null) {
      throw new ClientConfigException(
          "options --socks-user and --socks-password-file must be given together");
    }
    try (java.io.BufferedReader in =
        Files.newBufferedReader(Path.of(passwordFile), StandardCharsets.UTF_8)) {
      String password = in.readLine();
      if (password == null || password.isEmpty()) {
        throw new ClientConfigException(
            "option --socks-password-file: the first line of " + passwordFile + " is empty");
      }
      Secret.warnIfOpen("option --socks-password-file", Path.of(passwordFile));
      return Optional.of(new SocksLogin(user, password));
    } catch (IOException | IllegalArgumentException e) {
      throw new ClientConfigException(
          "option --socks-password-file: " + passwordFile + " cannot be read: " + e);
    }
  }

  private static Set<InetAddress> clients(String text) {
    Set<InetAddress> clients = new HashSet<>();
    for (String element : text == null ? new String[0] : text.split("[|+]", -1)) {
      clients.add(resolved(CLIENTS, element.strip()));
    }
    return clients;
  }

  private static Duration lease(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (matcher.matches()) {
      long amount = Long.parseLong(matcher.group(1));
      Duration lease =
          switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
          };
      if (lease.compareTo(SHORTEST_LEASE) >= 0 && lease.compareTo(LONGEST_LEASE) <= 0) {
        return lease;
      }
    }
    throw new ClientConfigException("option --lease: '" + text + "' is not 1s to 1h");
  }
}
