package io.rmigate.gateway.services;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the client of a request reaches this gateway: what the configuration says, else what a
 * trusted proxy says, else what the request itself does.
 */
final class OuterAddress {
  private static final Pattern HOST =
      Pattern.compile(
          "(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+])(?::\\d{1,5})?");
  private static final Pattern PREFIX = Pattern.compile("(?:/[A-Za-z0-9._~-]+)*/?");

  /** Longest prefix: the expression goes one deeper for each part of it. */
  private static final int MAX_PREFIX_CHARS = 1000;

  private OuterAddress() {}

  /** Up to the context path, without a slash at its end. */
  static String of(HttpServletRequest request, ServiceSettings settings) {
    if (settings.url().isPresent()) {
      return settings.url().get().toString();
    }
    boolean proxied = ForwardedHeaders.isFrom(request, settings.trustedProxies());
    String scheme =
        (proxied ? scheme(request) : Optional.<String>empty()).orElseGet(request::getScheme);
    String host =
        (proxied ? host(request) : Optional.<String>empty())
            .filter(OuterAddress::isHost)
            .orElseGet(() -> ownHost(request, proxied));
    String path =
        (proxied ? ForwardedHeaders.last(request, "X-Forwarded-Prefix") : Optional.<String>empty())
            .filter(OuterAddress::isPrefix)
            .map(prefix -> prefix.replaceAll("/$", ""))
            .orElseGet(() -> request.getServletContext().getContextPath());
    return scheme + "://" + withoutUsualPort(scheme, host) + path;
  }

  /** The origin of an address, as browsers define it. */
  static String origin(String address) {
    int path = address.indexOf('/', address.indexOf("://") + 3);
    return (path < 0 ? address : address.substring(0, path)).toLowerCase(Locale.ROOT);
  }

  private static Optional<String> scheme(HttpServletRequest request) {
    return ForwardedHeaders.word(request, "proto", "X-Forwarded-Proto")
        .map(scheme -> scheme.toLowerCase(Locale.ROOT))
        .filter(scheme -> scheme.equals("http") || scheme.equals("https"));
  }

  private static Optional<String> host(HttpServletRequest request) {
    return ForwardedHeaders.host(request).map(text -> withPort(request, text));
  }

  private static String withPort(HttpServletRequest request, String host) {
    Optional<String> port =
        request.getHeader("Forwarded") == null
            ? ForwardedHeaders.last(request, "X-Forwarded-Port")
                .filter(text -> text.matches("\\d{1,5}"))
            : Optional.empty();
    return port.isEmpty() || host.matches(".*:\\d+") ? host : host + ":" + port.get();
  }

  private static boolean isPrefix(String text) {
    return text.length() <= MAX_PREFIX_CHARS && PREFIX.matcher(text).matches();
  }

  private static boolean isHost(String text) {
    try {
      return HOST.matcher(text).matches() && !new URI("http://" + text).isOpaque();
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /**
   * As the client has asked for it. What a proxy passes on of that without a port had none: the
   * container's guess would be that of the proxy's scheme.
   */
  private static String ownHost(HttpServletRequest request, boolean proxied) {
    String header = request.getHeader("Host");
    if (header != null && isHost(header)) {
      return proxied ? withPort(request, header) : header;
    }
    String name = request.getServerName();
    String host = name.indexOf(':') >= 0 && !name.startsWith("[") ? "[" + name + "]" : name;
    return (isHost(host) ? host : "localhost") + ":" + request.getServerPort();
  }

  private static String withoutUsualPort(String scheme, String host) {
    String usual = scheme.equals("https") ? ":443" : ":80";
    return host.endsWith(usual) ? host.substring(0, host.length() - usual.length()) : host;
  }
}
