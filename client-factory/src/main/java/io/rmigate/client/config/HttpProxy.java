package io.rmigate.client.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The HTTP proxy between this JVM and the gateway.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param login what to answer when the HTTP proxy asks (407)
 */
public record HttpProxy(String host, int port, Optional<Login> login) {

  /** Credentials for Basic or Digest, whichever the HTTP proxy asks for. */
  public record Login(String user, Secret password) {}

  /** {@code host:port}, an IPv6 address in brackets. */
  public String authority() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  /** Without the login: this text goes to logs. */
  @Override
  public String toString() {
    return "HTTP proxy " + authority();
  }

  /** Reads {@code host:port} or {@code http://user:password@host:port}. */
  static HttpProxy parse(ConfigValue value) {
    String text = value.text();
    // Messages do not repeat the value: it may hold a password.
    try {
      URI uri = new URI(text.contains("://") ? text : "http://" + text);
      if (!"http".equalsIgnoreCase(uri.getScheme())
          || uri.getHost() == null
          || uri.getPort() < 1
          || uri.getPort() > 0xFFFF
          || !uri.getRawPath().matches("/?")
          || uri.getRawQuery() != null
          || uri.getRawFragment() != null) {
        throw value.problem("allowed: " + value.key().unit());
      }
      String host = uri.getHost().replaceAll("^\\[|]$", "");
      return new HttpProxy(host, uri.getPort(), loginOf(uri, value));
    } catch (URISyntaxException e) {
      throw value.problem(
          "not understood; allowed: " + value.key().unit() + " (special characters as %XX)");
    }
  }

  private static Optional<Login> loginOf(URI uri, ConfigValue value) {
    String userInfo = uri.getRawUserInfo();
    if (userInfo == null) {
      return Optional.empty();
    }
    int colon = userInfo.indexOf(':');
    if (colon < 1) {
      throw value.problem("before the @ stand user and password: http://user:password@host:port");
    }
    return Optional.of(
        new Login(
            decode(userInfo.substring(0, colon)),
            Secret.of(value.key(), decode(userInfo.substring(colon + 1)))));
  }

  /** Percent-decoding only: URLDecoder would also turn + into a space. */
  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
