package io.rmigate.gateway.config;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a web page comes from, as browsers say it in the header {@code Origin} (RFC 6454, section
 * 6.2): scheme, host and, unless it is the scheme's own, port.
 */
final class WebOrigin {
  private static final Pattern SYNTAX =
      Pattern.compile("(https?)://(\\[[0-9a-f:.]+]|[a-z0-9._-]+)(?::(\\d{1,5}))?");

  private WebOrigin() {}

  /** As browsers write it; empty when it is none, or stands for several. */
  static Optional<String> of(String text) {
    Matcher matcher = SYNTAX.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String page = matcher.group(1) + "://" + matcher.group(2);
    if (matcher.group(3) == null) {
      return Optional.of(page);
    }
    int port = Integer.parseInt(matcher.group(3));
    if (port < 1 || port > 65535) {
      return Optional.empty();
    }
    int own = matcher.group(1).equals("https") ? 443 : 80;
    return Optional.of(port == own ? page : page + ":" + port);
  }
}
