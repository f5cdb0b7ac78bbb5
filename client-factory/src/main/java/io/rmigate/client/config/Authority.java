package io.rmigate.client.config;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * User, host and port of a URL. {@link URI#getHost} is null for names that sockets take and RFC
 * 2396 does not allow, such as {@code rmi_gateway}, which Docker Compose makes; here they are read.
 *
 * @param rawUserInfo as it stands before the @; null where there is none
 * @param host an IPv6 address in brackets
 * @param port −1 where there is none
 */
public record Authority(String rawUserInfo, String host, int port) {
  /** The authority of a URL; empty where the URL names no host. */
  public static Optional<Authority> of(URI url) {
    if (url.getHost() != null) {
      return Optional.of(new Authority(url.getRawUserInfo(), url.getHost(), url.getPort()));
    }
    Pattern form = Pattern.compile("(?:([^@]*)@)?([A-Za-z0-9_.-]+)(?::(\\d{0,5}))?");
    Matcher matcher = form.matcher(String.valueOf(url.getRawAuthority()));
    if (url.getRawAuthority() == null || !matcher.matches()) {
      return Optional.empty();
    }
    String port = matcher.group(3);
    return Optional.of(
        new Authority(
            matcher.group(1),
            matcher.group(2),
            port == null || port.isEmpty() ? -1 : Integer.parseInt(port)));
  }

  /** The authority of a gateway's URL, or of another URL that is known to name a host. */
  public static Authority required(URI url) {
    Optional<Authority> authority = of(url);
    if (authority.isEmpty()) {
      throw new IllegalArgumentException("no host in " + url);
    }
    return authority.get();
  }

  /** The host without the brackets of an IPv6 address, as sockets take it. */
  public String bareHost() {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
