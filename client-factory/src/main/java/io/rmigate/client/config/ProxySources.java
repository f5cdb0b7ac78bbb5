package io.rmigate.client.config;

import io.rmigate.protocol.DestinationPatterns;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Through which HTTP proxy each gateway is reached: through the one of the configuration ({@code
 * proxy}, {@code pac}), else through one that is set for programs in general: for the JVM by the
 * networking properties of the JDK ({@code https.proxyHost}, {@code https.proxyPort}, {@code
 * http.nonProxyHosts}, for http gateways {@code http.…}), else for the machine by the environment
 * as curl reads it ({@code https_proxy}, {@code HTTPS_PROXY}, {@code no_proxy}, {@code NO_PROXY};
 * for http gateways {@code http_proxy} in lower case only, because a CGI server lets its clients
 * set the other).
 *
 * <p>Two things differ: gateways on loopback are always reached directly, and a SOCKS proxy is not
 * used. What is not understood here stops no program, as it was not meant for us alone; but no link
 * goes past it: each attempt fails with the reason. Immutable.
 */
final class ProxySources {
  /** No HTTP proxy is set. */
  static final ProxySources NONE =
      new ProxySources(new Properties(), Map.of(), Optional.empty(), Optional.empty());

  private final Properties properties;
  private final Map<String, String> environment;

  /** The HTTP proxy of the configuration; empty where it has none. */
  private final Optional<ProxySource> configured;

  /** The login of the configuration, for HTTP proxies that name none themselves. */
  private final Optional<HttpProxy.Login> login;

  private ProxySources(
      Properties properties,
      Map<String, String> environment,
      Optional<ProxySource> configured,
      Optional<HttpProxy.Login> login) {
    this.properties = properties;
    this.environment = environment;
    this.configured = configured;
    this.login = login;
  }

  /** The HTTP proxies of system properties and environment, as these are now. */
  static ProxySources of(Properties properties, Map<String, String> environment) {
    Properties copy = new Properties();
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith("http")) {
        copy.setProperty(name, properties.getProperty(name));
      }
    }
    return new ProxySources(copy, Map.copyOf(environment), Optional.empty(), Optional.empty());
  }

  /**
   * These sources under the configuration's keys for HTTP proxies.
   *
   * @throws ClientConfigException the keys name two proxies or two logins
   */
  ProxySources under(Map<ConfigKey, ConfigValue> values) {
    Optional<HttpProxy.Login> named = loginOf(values);
    return new ProxySources(properties, environment, configuredBy(values, named), named);
  }

  private static Optional<HttpProxy.Login> loginOf(Map<ConfigKey, ConfigValue> values) {
    ConfigKey.PROXY_USER.requireTogether(ConfigKey.PROXY_PASSWORD_FILE, values);
    ConfigValue user = values.get(ConfigKey.PROXY_USER);
    return user == null
        ? Optional.empty()
        : Optional.of(
            new HttpProxy.Login(
                user.userName(), values.get(ConfigKey.PROXY_PASSWORD_FILE).secret()));
  }

  /** Where both keys are set, the one whose source has the higher precedence counts. */
  private static Optional<ProxySource> configuredBy(
      Map<ConfigKey, ConfigValue> values, Optional<HttpProxy.Login> login) {
    ConfigValue proxy = unless("auto", values.get(ConfigKey.PROXY));
    ConfigValue pac = unless("none", values.get(ConfigKey.PAC));
    if (proxy != null && pac != null && proxy.source() == pac.source()) {
      throw new ClientConfigException(
          "two ways to the HTTP proxy: " + proxy.place() + " and " + pac.place() + "; choose one");
    }
    if (pac != null && (proxy == null || pac.source().compareTo(proxy.source()) < 0)) {
      ConfigValue plain = values.get(ConfigKey.PLAIN_PAC_LOGIN);
      return Optional.of(
          new ProxySource.Script(
              pac.pacLocation(), login, plain != null && plain.onOff(), pac.place()));
    }
    return proxy == null ? Optional.empty() : Optional.of(namedBy(proxy, values, login));
  }

  /** The value; null if there is none, or it is the default. */
  private static ConfigValue unless(String defaultText, ConfigValue value) {
    return value == null || value.text().equals(defaultText) ? null : value;
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
    return new ProxySource.Fixed(
        login.isPresent() ? proxy.with(login.get()) : proxy, value.place());
  }

  /** The HTTP proxy of the configuration; empty where it leaves that to the environment. */
  Optional<ProxySource> configured() {
    return configured;
  }

  /** How {@code gateway} is reached. */
  ProxySource towards(URI gateway) {
    if (configured.isPresent()) {
      return configured.get();
    }
    ProxySource source = ambient(gateway);
    return source instanceof ProxySource.Fixed fixed && login.isPresent()
        ? new ProxySource.Fixed(fixed.proxy().with(login.get()), fixed.origin())
        : source;
  }

  private ProxySource ambient(URI gateway) {
    if (DestinationPatterns.isLoopback(Authority.required(gateway).host())) {
      return new ProxySource.None("the gateway is on loopback", true);
    }
    return byProperties(gateway)
        .or(() -> byEnvironment(gateway))
        .orElseGet(() -> new ProxySource.None("none is configured", true));
  }

  private Optional<ProxySource> byProperties(URI gateway) {
    String scheme = gateway.getScheme();
    String name = scheme + ".proxyHost";
    String host = properties.getProperty(name, "").strip();
    if (host.isEmpty()) {
      return Optional.empty();
    }
    String origin = ConfigSource.PROPERTY.describeName(name);
    String exceptions = properties.getProperty("http.nonProxyHosts", ""); // for https, too
    if (NonProxyHosts.parse(exceptions).contain(Authority.required(gateway).host())) {
      return Optional.of(
          new ProxySource.None(ConfigSource.PROPERTY.describeName("http.nonProxyHosts"), false));
    }
    String port =
        properties.getProperty(scheme + ".proxyPort", scheme.equals("https") ? "443" : "80");
    return Optional.of(
        source((host.contains(":") ? "[" + host + "]" : host) + ":" + port.strip(), origin));
  }

  private Optional<ProxySource> byEnvironment(URI gateway) {
    String[] names =
        gateway.getScheme().equals("https")
            ? new String[] {"https_proxy", "HTTPS_PROXY"}
            : new String[] {"http_proxy"};
    for (String name : names) {
      String text = environment.getOrDefault(name, "").strip();
      if (!text.isEmpty()) {
        return Optional.of(
            exception(gateway)
                .orElseGet(() -> source(text, ConfigSource.ENVIRONMENT.describeName(name))));
      }
    }
    return Optional.empty();
  }

  private Optional<ProxySource> exception(URI gateway) {
    for (String name : new String[] {"no_proxy", "NO_PROXY"}) {
      String list = environment.getOrDefault(name, "").strip();
      if (!list.isEmpty()) {
        return NoProxy.parse(list).contains(gateway)
            ? Optional.of(new ProxySource.None(ConfigSource.ENVIRONMENT.describeName(name), false))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static ProxySource source(String text, String origin) {
    try {
      return new ProxySource.Fixed(HttpProxy.parse(text, origin, false), origin);
    } catch (IllegalArgumentException e) {
      return new ProxySource.Unusable(origin, e.getMessage());
    }
  }
}
