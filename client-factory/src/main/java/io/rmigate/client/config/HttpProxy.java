package io.rmigate.client.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * An HTTP proxy between this JVM and the gateway.
 *
 * @param tls whether the connection to the HTTP proxy is TLS; that to the gateway may differ
 * @param host name or address; an IPv6 address without brackets
 * @param login what to answer when the HTTP proxy asks (407); sent to this HTTP proxy only
 * @param withheld why a login that there is is not given to this one; empty if it is, or there is
 *     none
 */
public record HttpProxy(
    boolean tls, String host, int port, Optional<Login> login, String withheld) {

  /** An HTTP proxy from which no login is withheld. */
  public HttpProxy(boolean tls, String host, int port, Optional<Login> login) {
    this(tls, host, port, login, "");
  }

  /** The permitted forms of a value. */
  static final String FORMS = "host:port or http(s)://user:password@host:port";

  /** Credentials for any authentication scheme of the HTTP proxy. */
  public record Login(String user, Secret password) {}

  /** {@code host:port}, an IPv6 address in brackets. */
  public String authority() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  /** The HTTP proxy without its login, because this text goes to logs. */
  @Override
  public String toString() {
    return "HTTP proxy " + (tls ? "https://" : "") + authority();
  }

  /** This HTTP proxy with another login. */
  HttpProxy with(Login other) {
    return new HttpProxy(tls, host, port, Optional.of(other));
  }

  /**
   * Reads {@code host:port} or {@code http://user:password@host:port}, with http or https.
   *
   * @param place what the text is the value of; names the password in messages
   * @param portNeeded whether a missing port is refused, rather than taken for the scheme's
   * @throws IllegalArgumentException it is neither; the message does not repeat it, for it may hold
   *     a password
   */
  static HttpProxy parse(String text, String place, boolean portNeeded) {
    URI uri;
    try {
      uri = new URI(text.contains("://") ? text : "http://" + text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "not understood; allowed: " + FORMS + " (special characters as %XX)");
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    boolean tls = scheme.equals("https");
    Optional<Authority> authority = Authority.of(uri);
    int given = authority.map(Authority::port).orElse(-1);
    int port = given < 0 && !portNeeded ? (tls ? 443 : 80) : given;
    if (scheme.startsWith("socks")) {
      throw new IllegalArgumentException("names a SOCKS proxy; rmigate goes through " + FORMS);
    }
    if ((!tls && !scheme.equals("http"))
        || authority.isEmpty()
        || port < 1
        || port > 0xFFFF
        || !uri.getRawPath().matches("/?")
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw new IllegalArgumentException("allowed: " + FORMS);
    }
    return new HttpProxy(
        tls, authority.get().bareHost(), port, loginOf(authority.get().rawUserInfo(), place));
  }

  private static Optional<Login> loginOf(String userInfo, String place) {
    if (userInfo == null) {
      return Optional.empty();
    }
    int colon = userInfo.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException(
          "before the @ stand user and password: http://user:password@host:port");
    }
    return Optional.of(
        new Login(
            decode(userInfo.substring(0, colon)),
            Secret.of(place, decode(userInfo.substring(colon + 1)))));
  }

  /** Percent-decoding only: URLDecoder would also turn + into a space. */
  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
