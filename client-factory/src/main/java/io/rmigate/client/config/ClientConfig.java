package io.rmigate.client.config;

import io.rmigate.client.deadline.CallTimeouts;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.StringJoiner;

/**
 * The configuration of one client, checked and immutable. Where a key is set in several places, the
 * javaagent argument or the builder wins over the system property, and that over the environment;
 * the keys are those of {@link ConfigKey}.
 *
 * <p>An unknown key among the arguments is refused. An unknown system property {@code rmigate.…} or
 * environment variable {@code RMIGATE_…} is refused only if it looks like a misspelt key: others
 * may stand there for good reasons (Kubernetes sets {@code RMIGATE_SERVICE_HOST} when a service is
 * called rmigate).
 */
public final class ClientConfig {
  private final List<URI> gateways;
  private final DestinationPatterns tunnel; // null: everything but loopback
  private final DestinationPatterns direct;
  private final DestinationPatterns sockets;
  private final Optional<GatewayLogin> login;
  private final TlsSettings tls;
  private final ProxySources proxies;
  private final TlsSettings proxyTls;
  private final Ways ways;
  private final Duration wayStagger;
  private final Duration wayRetry;
  private final Duration connectTimeout;
  private final Duration grace;
  private final CallTimeouts callTimeouts;
  private final boolean lookups;
  private final NamePatterns uncached;
  private final List<String> preload;
  private final LeaseMode leases;
  private final ExportPorts exports;
  private final Optional<String> callbackHost;
  private final CallbacksHostname callbacksHostname;
  private final boolean ownStubsDirect;
  private final boolean stats;
  private final Compression compression;

  private ClientConfig(Map<ConfigKey, ConfigValue> values, ProxySources ambient) {
    ConfigValue gateway = values.get(ConfigKey.GATEWAY);
    if (gateway == null) {
      throw new ClientConfigException(
          "no gateway: give its URL as the javaagent's argument"
              + " (-javaagent:rmigate-client.jar=https://gateway.example/rmigate), or set "
              + ConfigKey.GATEWAY.property()
              + " or "
              + ConfigKey.GATEWAY.environmentVariable());
    }
    gateways = gateway.gateways();
    ConfigValue value = values.get(ConfigKey.TUNNEL);
    tunnel = value == null ? null : patterns(value);
    value = values.get(ConfigKey.DIRECT);
    direct = value == null ? DestinationPatterns.NONE : patterns(value);
    value = values.get(ConfigKey.SOCKETS);
    sockets = value == null ? DestinationPatterns.NONE : patterns(value);
    login = loginOf(values);
    tls = TlsSettings.towardsGateways(values, gateways);
    proxies = ambient.under(values);
    proxyTls = TlsSettings.towardsProxy(values, tls);
    value = values.get(ConfigKey.WAY);
    ways = value == null ? Ways.LINK : value.ways();
    value = values.get(ConfigKey.WAY_STAGGER);
    wayStagger = value == null ? Duration.ofMillis(250) : value.duration();
    value = values.get(ConfigKey.WAY_RETRY);
    wayRetry = value == null ? Duration.ofMinutes(1) : value.grace();
    value = values.get(ConfigKey.CONNECT_TIMEOUT);
    connectTimeout = value == null ? Duration.ofSeconds(15) : value.duration();
    value = values.get(ConfigKey.GRACE);
    grace = value == null ? Duration.ofMinutes(2) : value.grace();
    value = values.get(ConfigKey.CALL_TIMEOUT);
    callTimeouts = value == null ? CallTimeouts.NONE : value.callTimeouts();
    value = values.get(ConfigKey.LOOKUPS);
    lookups = value == null || value.onOff();
    value = values.get(ConfigKey.UNCACHED);
    uncached = value == null ? NamePatterns.NONE : NamePatterns.of(value.list());
    value = values.get(ConfigKey.PRELOAD);
    preload = value == null ? List.of() : value.registryNames();
    value = values.get(ConfigKey.LEASES);
    leases = value == null ? LeaseMode.ON : value.leaseMode();
    exports = ExportPorts.configured(values.get(ConfigKey.EXPORT), ways);
    value = values.get(ConfigKey.CALLBACK_HOST);
    callbackHost = value == null ? Optional.empty() : Optional.of(value.host());
    value = values.get(ConfigKey.CALLBACKS_HOSTNAME);
    callbacksHostname = value == null ? CallbacksHostname.REFERENCES : value.callbacksHostname();
    value = values.get(ConfigKey.OWN_STUBS);
    ownStubsDirect = value == null || value.directOrGateway();
    value = values.get(ConfigKey.STATS);
    stats = value == null || value.onOff();
    value = values.get(ConfigKey.COMPRESSION);
    compression = value == null ? Compression.AUTO : value.compression();
  }

  /** A builder under which nothing lies: what is not set has its default. */
  public static Builder builder() {
    return new Builder(ConfigSource.BUILDER);
  }

  /** An empty builder whose messages speak of options of a command line. */
  public static Builder options() {
    return new Builder(ConfigSource.OPTION);
  }

  /**
   * Reads {@code <gateway URL>[,key=value…]} over the system properties over the environment. The
   * URL may be left out when the gateway is named elsewhere.
   *
   * @param arguments what stands behind the {@code =} of {@code -javaagent}; null if nothing does
   * @throws ClientConfigException with one line for the user
   */
  public static ClientConfig fromAgentArguments(
      String arguments, Properties properties, Map<String, String> environment) {
    Builder builder = new Builder(ConfigSource.ARGUMENT);
    for (AgentArguments.Argument argument : AgentArguments.parse(arguments).arguments()) {
      builder.set(argument.key(), argument.text());
    }
    return builder.over(properties, environment).build();
  }

  /**
   * The gateways in the order in which they are tried: scheme https or http, no slash at the end.
   */
  public List<URI> gateways() {
    return gateways;
  }

  /**
   * Whether connections to this destination go through the gateway. A destination in {@code direct}
   * does not, even if it is in {@code tunnel}; without {@code tunnel} everything but loopback does.
   *
   * @param host as the application or a stub names it; never resolved
   */
  public boolean tunnels(String host, int port) {
    if (isDirect(host, port)) {
      return false;
    }
    return tunnel == null ? !DestinationPatterns.isLoopback(host) : tunnel.matches(host, port);
  }

  /** Whether this destination is listed as one never to go through the gateway. */
  public boolean isDirect(String host, int port) {
    return direct.matches(host, port);
  }

  /** Destinations of any socket of this JVM that go through the gateway as they are. */
  public DestinationPatterns sockets() {
    return sockets;
  }

  /** Whether lookups are answered from what the gateway says. */
  public boolean lookups() {
    return lookups;
  }

  /** Names that are looked up in their registry every time. */
  public NamePatterns uncached() {
    return uncached;
  }

  /** Names to look up in advance: {@code host:port/name}. */
  public List<String> preload() {
    return preload;
  }

  /** How to log in; empty if only the client certificate, or nothing, says who we are. */
  public Optional<GatewayLogin> login() {
    return login;
  }

  /** The TLS layer; without effect, and therefore without keys, when every gateway is http. */
  public TlsSettings tls() {
    return tls;
  }

  /** Through which HTTP proxy, if any, {@code gateway} is reached. */
  public ProxySource proxyTowards(URI gateway) {
    return proxies.towards(gateway);
  }

  /** The TLS layer to HTTP proxies that are spoken to over TLS. */
  public TlsSettings proxyTls() {
    return proxyTls;
  }

  /** The ways that may be taken. */
  public Ways ways() {
    return ways;
  }

  /** How long a way may go without an answer before the next one is tried beside it. */
  public Duration wayStagger() {
    return wayStagger;
  }

  /** How long a way is taken before better ones are tried again; zero for as long as it works. */
  public Duration wayRetry() {
    return wayRetry;
  }

  /** Bound of one attempt to connect, from the look-up of the name to the gateway's answer. */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /** How long to try to go on with a session whose link was lost; zero for not at all. */
  public Duration grace() {
    return grace;
  }

  /** How long calls may take. */
  public CallTimeouts callTimeouts() {
    return callTimeouts;
  }

  /** The mode of the leases. */
  public LeaseMode leases() {
    return leases;
  }

  /** Exported objects for which the gateway listens. */
  public ExportPorts exports() {
    return exports;
  }

  /** Inner host that references name; empty: the host that the gateway announces. */
  public Optional<String> callbackHost() {
    return callbackHost;
  }

  /** Where the gateway's host gets into references to exported objects. */
  public CallbacksHostname callbacksHostname() {
    return callbacksHostname;
  }

  /** Whether stubs of exported objects are called without the gateway by their own JVM. */
  public boolean callsOwnStubsDirectly() {
    return ownStubsDirect;
  }

  /** Whether the MBean with the figures is registered. */
  public boolean stats() {
    return stats;
  }

  /** The gateways as one text. */
  public String gatewayList() {
    return joined(gateways);
  }

  /** Whether what crosses the link is compressed, if the gateway agrees. */
  public Compression compression() {
    return compression;
  }

  /** Text for logs, without secrets. */
  @Override
  public String toString() {
    Optional<ProxySource> proxy = proxies.configured();
    return "gateway "
        + gatewayList()
        + ", tunnel "
        + (tunnel == null ? "all but loopback" : tunnel)
        + ", direct "
        + direct
        + (sockets.isEmpty() ? "" : ", sockets " + sockets)
        + (login.isPresent() ? ", login " + login.get().describe() : "")
        + (proxy.isPresent() ? ", " + proxy.get() : "")
        + (ways.equals(Ways.LINK) ? "" : ", way " + ways)
        + (exports == ExportPorts.ANONYMOUS ? "" : ", export " + exports)
        + (callbacksHostname == CallbacksHostname.REFERENCES ? "" : ", callbacks-hostname jvm")
        + (compression == Compression.AUTO ? "" : ", compression " + compression.text());
  }

  private static String joined(List<URI> urls) {
    StringJoiner text = new StringJoiner("|");
    for (URI url : urls) {
      text.add(url.toString());
    }
    return text.toString();
  }

  private static DestinationPatterns patterns(ConfigValue value) {
    if (value.text().equals("none")) {
      return DestinationPatterns.NONE;
    }
    return value.destinations(value.list());
  }

  private static Optional<GatewayLogin> loginOf(Map<ConfigKey, ConfigValue> values) {
    ConfigValue token = values.get(ConfigKey.TOKEN_FILE);
    ConfigValue user = values.get(ConfigKey.USER);
    ConfigKey.USER.requireTogether(ConfigKey.PASSWORD_FILE, values);
    if (token != null && user != null) {
      throw new ClientConfigException(
          "two logins: " + user.place() + " and " + token.place() + "; choose one");
    }
    if (token != null) {
      return Optional.of(new GatewayLogin.Bearer(token.secret()));
    }
    return user == null
        ? Optional.empty()
        : Optional.of(
            new GatewayLogin.Basic(user.userName(), values.get(ConfigKey.PASSWORD_FILE).secret()));
  }

  /** Collects values; not thread-safe. Texts are as in {@link ConfigKey}. */
  public static final class Builder {
    private final Map<ConfigKey, ConfigValue> values = new EnumMap<>(ConfigKey.class);
    private final ConfigSource source;
    private ProxySources ambient = ProxySources.NONE;

    private Builder(ConfigSource source) {
      this.source = source;
    }

    /** Sets one key to a text as a user would write it. */
    public Builder set(ConfigKey key, String text) {
      if (text.isBlank()) {
        throw ClientConfigException.of(key, source, "is empty; allowed: " + key.unit());
      }
      if (values.put(key, new ConfigValue(key, text.strip(), source)) != null) {
        throw ClientConfigException.of(key, source, "is given twice");
      }
      return this;
    }

    /** The gateways, tried in this order; at least one. */
    public Builder gateways(URI... gateways) {
      return set(ConfigKey.GATEWAY, joined(List.of(gateways)));
    }

    /** HTTP Basic login at the gateway, the password in a file. */
    public Builder user(String user, Path passwordFile) {
      return set(ConfigKey.USER, user).set(ConfigKey.PASSWORD_FILE, passwordFile.toString());
    }

    /** Bearer login at the gateway, the token in a file. */
    public Builder tokenFile(Path tokenFile) {
      return set(ConfigKey.TOKEN_FILE, tokenFile.toString());
    }

    /** Bound of one attempt to connect; at least a millisecond. */
    public Builder connectTimeout(Duration timeout) {
      return set(ConfigKey.CONNECT_TIMEOUT, timeout.toMillis() + "ms");
    }

    /** See {@link ConfigKey#GRACE}. */
    public Builder grace(Duration duration) {
      return set(ConfigKey.GRACE, duration.toMillis() + "ms");
    }

    /**
     * Lets keys not set so far be taken from system properties, then from the environment.
     *
     * @throws ClientConfigException a property or variable looks like a misspelt key
     */
    public Builder over(Properties properties, Map<String, String> environment) {
      for (String name : properties.stringPropertyNames()) {
        if (name.startsWith(ConfigSource.PROPERTY_PREFIX)) {
          under(
              name,
              name.substring(ConfigSource.PROPERTY_PREFIX.length()),
              properties.getProperty(name),
              ConfigSource.PROPERTY);
        }
      }
      for (Map.Entry<String, String> variable : environment.entrySet()) {
        String name = variable.getKey();
        if (name.startsWith(ConfigSource.ENVIRONMENT_PREFIX)) {
          String key = name.substring(ConfigSource.ENVIRONMENT_PREFIX.length());
          under(
              name,
              key.equals(key.toUpperCase(Locale.ROOT))
                  ? key.toLowerCase(Locale.ROOT).replace('_', '-')
                  : key,
              variable.getValue(),
              ConfigSource.ENVIRONMENT);
        }
      }
      return ambientProxies(properties, environment);
    }

    /**
     * Lets {@code proxy=auto} see these, the keys of this table apart. Without this it sees none.
     */
    public Builder ambientProxies(Properties properties, Map<String, String> environment) {
      ambient = ProxySources.of(properties, environment);
      return this;
    }

    /** Whether a key is set in one of the sources read so far. */
    boolean isSet(ConfigKey key) {
      return values.containsKey(key);
    }

    /**
     * The configuration.
     *
     * @throws ClientConfigException a value is not allowed, or values contradict each other
     */
    public ClientConfig build() {
      return new ClientConfig(values, ambient);
    }

    private void under(String name, String keyName, String text, ConfigSource where) {
      Optional<ConfigKey> key = ConfigKey.byName(keyName);
      if (key.isEmpty()) {
        ConfigKey.nearestTo(keyName)
            .ifPresent(
                near -> {
                  throw new ClientConfigException(
                      where.describeName(name)
                          + ": unknown; did you mean "
                          + where.nameOf(near.key())
                          + "?");
                });
      } else if (!text.isBlank()) { // an empty variable is the usual way to unset one
        values.putIfAbsent(key.get(), new ConfigValue(key.get(), text.strip(), where));
      }
    }
  }
}
