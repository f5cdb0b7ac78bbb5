package io.rmigate.client.config;

import io.rmigate.protocol.DestinationPatterns;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The HTTP proxies that were set for programs in general: for the JVM by the networking properties
 * of the JDK ({@code https.proxyHost}, {@code https.proxyPort}, {@code http.nonProxyHosts}, for
 * http gateways {@code http.…}), else for the machine by the environment as curl reads it ({@code
 * https_proxy}, {@code HTTPS_PROXY}, {@code no_proxy}, {@code NO_PROXY}; for http gateways {@code
 * http_proxy} in lower case only, because a CGI server lets its clients set the other).
 *
 * <p>Two things differ: gateways on loopback are always reached directly, and a SOCKS proxy is not
 * used. What is not understood here stops no program, as it was not meant for us alone; but no link
 * goes past it: each attempt fails with the reason. Immutable.
 */
final class AmbientProxies {
  /** Nothing is set. */
  static final AmbientProxies NONE = new AmbientProxies(new Properties(), Map.of());

  private final Properties properties;
  private final Map<String, String> environment;

  private AmbientProxies(Properties properties, Map<String, String> environment) {
    this.properties = properties;
    this.environment = environment;
  }

  /** As these are now. */
  static AmbientProxies of(Properties properties, Map<String, String> environment) {
    Properties copy = new Properties();
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith("http")) {
        copy.setProperty(name, properties.getProperty(name));
      }
    }
    return new AmbientProxies(copy, Map.copyOf(environment));
  }

  /** What is set for {@code gateway}. */
  ProxySource towards(URI gateway) {
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
