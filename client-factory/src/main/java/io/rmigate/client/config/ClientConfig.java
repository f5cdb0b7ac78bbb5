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
import java.util.stream.Collectors;

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
  private final Optional<ProxySource> proxy; // empty: that of ambient
  private final Optional<HttpProxy.Login> proxyLogin;
  private final AmbientProxies ambient;
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

  private ClientConfig(Map<ConfigKey, ConfigValue> values, AmbientProxies ambient) {
    this.ambient = ambient;
    Optional<ConfigValue> gateway = find(values, ConfigKey.GATEWAY);
    if (gateway.isEmpty()) {
      throw new ClientConfigException(
          "no gateway: give its URL as the javaagent's argument"
              + " (-javaagent:rmigate-client.jar=https://gateway.example/rmigate), or set "
              + ConfigKey.GATEWAY.property()
              + " or "
              + ConfigKey.GATEWAY.environmentVariable());
    }
    gateways = gateway.get().gateways();
    tunnel = find(values, ConfigKey.TUNNEL).map(ClientConfig::patterns).orElse(null);
    direct =
        find(values, ConfigKey.DIRECT)
            .map(ClientConfig::patterns)
            .orElseGet(() -> DestinationPatterns.of(List.of()));
    sockets =
        find(values, ConfigKey.SOCKETS)
            .map(ClientConfig::patterns)
            .orElseGet(() -> DestinationPatterns.of(List.of()));
    login = loginOf(values);
    tls = tlsOf(values, gateways);
    proxyLogin = proxyLoginOf(values);
    proxy = proxyOf(values, proxyLogin);
    proxyTls = proxyTlsOf(values, tls);
    ways = find(values, ConfigKey.WAY).map(ConfigValue::ways).orElse(Ways.LINK);
    wayStagger =
        find(values, ConfigKey.WAY_STAGGER)
            .map(ConfigValue::duration)
            .orElse(Duration.ofMillis(250));
    wayRetry =
        find(values, ConfigKey.WAY_RETRY).map(ConfigValue::grace).orElse(Duration.ofMinutes(1));
    connectTimeout =
        find(values, ConfigKey.CONNECT_TIMEOUT)
            .map(ConfigValue::duration)
            .orElse(Duration.ofSeconds(15));
    grace = find(values, ConfigKey.GRACE).map(ConfigValue::grace).orElse(Duration.ofMinutes(2));
    callTimeouts =
        find(values, ConfigKey.CALL_TIMEOUT)
            .map(ConfigValue::callTimeouts)
            .orElse(CallTimeouts.NONE);
    lookups = find(values, ConfigKey.LOOKUPS).map(ConfigValue::onOff).orElse(true);
    uncached =
        find(values, ConfigKey.UNCACHED)
            .map(names -> NamePatterns.of(names.list()))
            .orElse(NamePatterns.NONE);
    preload = find(values, ConfigKey.PRELOAD).map(ConfigValue::registryNames).orElse(List.of());
    leases = find(values, ConfigKey.LEASES).map(ConfigValue::leaseMode).orElse(LeaseMode.ON);
    exports = exportsOf(find(values, ConfigKey.EXPORT), ways);
    callbackHost = find(values, ConfigKey.CALLBACK_HOST).map(ConfigValue::host);
    callbacksHostname =
        find(values, ConfigKey.CALLBACKS_HOSTNAME)
            .map(ConfigValue::callbacksHostname)
            .orElse(CallbacksHostname.REFERENCES);
    ownStubsDirect =
        find(values, ConfigKey.OWN_STUBS).map(ConfigValue::directOrGateway).orElse(true);
    stats = find(values, ConfigKey.STATS).map(ConfigValue::onOff).orElse(true);
    compression =
        find(values, ConfigKey.COMPRESSION).map(ConfigValue::compression).orElse(Compression.AUTO);
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
   * Whether connections to this destination go through the gateway. What is listed as {@code
   * direct} does not, whatever {@code tunnel} says; without {@code tunnel} everything but loopback
   * does.
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

  /** What is going to be looked up: {@code host:port/name}. */
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

  /** What says how {@code gateway} is reached. */
  public ProxySource proxyTowards(URI gateway) {
    return proxy.orElseGet(() -> withLogin(ambient.towards(gateway)));
  }

  private ProxySource withLogin(ProxySource source) {
    return source instanceof ProxySource.Fixed fixed && proxyLogin.isPresent()
        ? new ProxySource.Fixed(fixed.proxy().with(proxyLogin.get()), fixed.origin())
        : source;
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

  /** What is done about distributed garbage collection. */
  public LeaseMode leases() {
    return leases;
  }

  /** Exported objects for which the gateway listens. */
  public ExportPorts exports() {
    return exports;
  }

  /** What references name inside; empty: what the gateway says that it is called there. */
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
    return gateways.stream().map(URI::toString).collect(Collectors.joining("|"));
  }

  /** Whether what crosses the link is compressed, if the gateway agrees. */
  public Compression compression() {
    return compression;
  }

  /** For logs; no secret. */
  @Override
  public String toString() {
    return "gateway "
        + gatewayList()
        + ", tunnel "
        + (tunnel == null ? "all but loopback" : tunnel)
        + ", direct "
        + direct
        + (sockets.isEmpty() ? "" : ", sockets " + sockets)
        + login.map(l -> ", login " + l.describe()).orElse("")
        + proxy.map(p -> ", " + p).orElse("")
        + (ways.equals(Ways.LINK) ? "" : ", way " + ways)
        + (exports == ExportPorts.ANONYMOUS ? "" : ", export " + exports)
        + (callbacksHostname == CallbacksHostname.REFERENCES ? "" : ", callbacks-hostname jvm")
        + (compression == Compression.AUTO ? "" : ", compression " + compression.text());
  }

  private static Optional<ConfigValue> find(Map<ConfigKey, ConfigValue> values, ConfigKey key) {
    return Optional.ofNullable(values.get(key));
  }

  private static DestinationPatterns patterns(ConfigValue value) {
    if (value.text().equals("none")) {
      return DestinationPatterns.of(List.of());
    }
    return value.destinations(value.list());
  }

  /** Nothing is exported to a gateway to which no way leads. */
  private static ExportPorts exportsOf(Optional<ConfigValue> value, Ways ways) {
    boolean linked = !ways.overLink().isEmpty();
    ExportPorts ports =
        value.map(ClientConfig::ports).orElse(linked ? ExportPorts.ANONYMOUS : ExportPorts.NONE);
    if (!linked && !ports.isEmpty()) {
      throw value.get().problem("needs a way to the gateway, and way= has none: " + ways);
    }
    return ports;
  }

  private static ExportPorts ports(ConfigValue value) {
    if (value.text().equals("none")) {
      return ExportPorts.NONE;
    }
    try {
      return ExportPorts.of(value.list());
    } catch (ClientConfigException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw value.problem(e.getMessage());
    }
  }

  private static Optional<GatewayLogin> loginOf(Map<ConfigKey, ConfigValue> values) {
    Optional<ConfigValue> token = find(values, ConfigKey.TOKEN_FILE);
    Optional<ConfigValue> user = find(values, ConfigKey.USER);
    requireTogether(values, ConfigKey.USER, ConfigKey.PASSWORD_FILE);
    if (token.isPresent() && user.isPresent()) {
      throw new ClientConfigException(
          "two logins: " + user.get().place() + " and " + token.get().place() + "; choose one");
    }
    if (token.isPresent()) {
      return token.map(t -> new GatewayLogin.Bearer(secret(t)));
    }
    return user.map(
        u -> new GatewayLogin.Basic(u.userName(), secret(values.get(ConfigKey.PASSWORD_FILE))));
  }

  private static TlsSettings tlsOf(Map<ConfigKey, ConfigValue> values, List<URI> gateways) {
    Optional<ConfigValue> keystore = find(values, ConfigKey.KEYSTORE);
    Optional<ConfigValue> truststore = find(values, ConfigKey.TRUSTSTORE);
    Optional<ConfigValue> keystorePassword = find(values, ConfigKey.KEYSTORE_PASSWORD_FILE);
    Optional<ConfigValue> truststorePassword = find(values, ConfigKey.TRUSTSTORE_PASSWORD_FILE);
    Optional<ConfigValue> pin = find(values, ConfigKey.PIN);
    keystorePassword.ifPresent(p -> requireFirst(p, keystore, ConfigKey.KEYSTORE));
    truststorePassword.ifPresent(p -> requireFirst(p, truststore, ConfigKey.TRUSTSTORE));
    for (URI gateway : gateways) {
      if (gateway.getScheme().equals("http")) {
        // Whoever asks for a pin must not get plain text instead.
        List.of(keystore, truststore, pin).stream()
            .flatMap(Optional::stream)
            .findFirst()
            .ifPresent(
                v -> {
                  throw v.problem("has no effect on " + gateway + ", which is not https");
                });
      }
    }
    return new TlsSettings(
        keystore.map(ConfigValue::file),
        keystorePassword.map(ClientConfig::secret),
        truststore.map(ConfigValue::file),
        truststorePassword.map(ClientConfig::secret),
        pin.map(ClientConfig::pins).orElse(List.of()));
  }

  private static List<CertificatePin> pins(ConfigValue value) {
    return value.listOf(CertificatePin.PREFIX).stream()
        .map(text -> CertificatePin.parse(text, value))
        .toList();
  }

  private static Optional<HttpProxy.Login> proxyLoginOf(Map<ConfigKey, ConfigValue> values) {
    requireTogether(values, ConfigKey.PROXY_USER, ConfigKey.PROXY_PASSWORD_FILE);
    return find(values, ConfigKey.PROXY_USER)
        .map(
            user ->
                new HttpProxy.Login(
                    user.userName(), secret(values.get(ConfigKey.PROXY_PASSWORD_FILE))));
  }

  /** Of the two keys that may say it the one that was set in the place of higher precedence. */
  private static Optional<ProxySource> proxyOf(
      Map<ConfigKey, ConfigValue> values, Optional<HttpProxy.Login> login) {
    Optional<ConfigValue> proxy =
        find(values, ConfigKey.PROXY).filter(value -> !value.text().equals("auto"));
    Optional<ConfigValue> pac =
        find(values, ConfigKey.PAC).filter(value -> !value.text().equals("none"));
    if (proxy.isPresent() && pac.isPresent() && proxy.get().source() == pac.get().source()) {
      throw new ClientConfigException(
          "two ways to the HTTP proxy: "
              + proxy.get().place()
              + " and "
              + pac.get().place()
              + "; choose one");
    }
    boolean byScript =
        pac.isPresent()
            && (proxy.isEmpty() || pac.get().source().compareTo(proxy.get().source()) < 0);
    return byScript
        ? pac.map(
            value ->
                new ProxySource.Script(
                    value.pacLocation(),
                    login,
                    find(values, ConfigKey.PLAIN_PAC_LOGIN).map(ConfigValue::onOff).orElse(false),
                    value.place()))
        : proxy.map(value -> namedBy(value, values, login));
  }

  private static ProxySource namedBy(
      ConfigValue value, Map<ConfigKey, ConfigValue> values, Optional<HttpProxy.Login> login) {
    if (value.text().equals("none")) {
      return new ProxySource.None(value.place(), false); // a login does no harm here
    }
    HttpProxy proxy = value.httpProxy();
    if (login.isPresent() && proxy.login().isPresent()) {
      throw new ClientConfigException(
          "two logins at the HTTP proxy: in "
              + value.place()
              + " and "
              + values.get(ConfigKey.PROXY_USER).place()
              + "; choose one");
    }
    return new ProxySource.Fixed(login.map(proxy::with).orElse(proxy), value.place());
  }

  private static TlsSettings proxyTlsOf(Map<ConfigKey, ConfigValue> values, TlsSettings gateway) {
    Optional<ConfigValue> store = find(values, ConfigKey.PROXY_TRUSTSTORE);
    Optional<ConfigValue> password = find(values, ConfigKey.PROXY_TRUSTSTORE_PASSWORD_FILE);
    password.ifPresent(p -> requireFirst(p, store, ConfigKey.PROXY_TRUSTSTORE));
    return new TlsSettings(
        Optional.empty(),
        Optional.empty(),
        store.map(ConfigValue::file).or(gateway::truststore),
        store.isPresent() ? password.map(ClientConfig::secret) : gateway.truststorePassword(),
        List.of());
  }

  private static Secret secret(ConfigValue value) {
    return Secret.ofFile(value.key(), value.file());
  }

  private static void requireTogether(
      Map<ConfigKey, ConfigValue> values, ConfigKey one, ConfigKey other) {
    find(values, one).ifPresent(v -> requireFirst(v, find(values, other), other));
    find(values, other).ifPresent(v -> requireFirst(v, find(values, one), one));
  }

  private static void requireFirst(
      ConfigValue present, Optional<ConfigValue> needed, ConfigKey neededKey) {
    if (needed.isEmpty()) {
      throw present.problem("needs " + neededKey.key() + " as well");
    }
  }

  /** Collects values; not thread-safe. Texts are as in {@link ConfigKey}. */
  public static final class Builder {
    private final Map<ConfigKey, ConfigValue> values = new EnumMap<>(ConfigKey.class);
    private final ConfigSource source;
    private AmbientProxies ambient = AmbientProxies.NONE;

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
      return set(
          ConfigKey.GATEWAY,
          List.of(gateways).stream().map(URI::toString).collect(Collectors.joining("|")));
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
      environment.forEach(
          (name, text) -> {
            if (name.startsWith(ConfigSource.ENVIRONMENT_PREFIX)) {
              String key = name.substring(ConfigSource.ENVIRONMENT_PREFIX.length());
              under(
                  name,
                  key.equals(key.toUpperCase(Locale.ROOT))
                      ? key.toLowerCase(Locale.ROOT).replace('_', '-')
                      : key,
                  text,
                  ConfigSource.ENVIRONMENT);
            }
          });
      return ambientProxies(properties, environment);
    }

    /**
     * Lets {@code proxy=auto} see these, the keys of this table apart. Without this it sees none.
     */
    public Builder ambientProxies(Properties properties, Map<String, String> environment) {
      ambient = AmbientProxies.of(properties, environment);
      return this;
    }

    /** Whether a key is set, in whatever place has been looked at so far. */
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
