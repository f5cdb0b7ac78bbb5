package io.rmigate.client.pac;

import io.rmigate.protocol.LogText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One element of the result of {@code FindProxyForURL}.
 *
 * @param host without brackets; of an HTTP proxy only
 * @param text as it stands in the answer
 */
public record PacHop(Kind kind, String host, int port, String text) {
  /** Without an HTTP proxy. */
  public static final PacHop DIRECT = new PacHop(Kind.DIRECT, "", 0, "DIRECT");

  private static final int MAX_HOPS = 10;
  private static final Pattern HOP =
      Pattern.compile(
          "(PROXY|HTTP|HTTPS)\\s+(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9_.-]+)(?::([0-9]{1,5}))?");

  /** The kind of a hop. */
  public enum Kind {
    DIRECT,
    /** {@code PROXY}, {@code HTTP}. */
    HTTP,
    /** {@code HTTPS}: an HTTP proxy that is spoken to over TLS. */
    HTTPS,
    /** {@code SOCKS} and other kinds that the client does not use. */
    UNUSED
  }

  /** Reads {@code PROXY a:3128; DIRECT}; an empty text means DIRECT. */
  static List<PacHop> parse(String text) {
    List<PacHop> hops = new ArrayList<>();
    for (String element : text.split(";", -1)) {
      String hop = element.strip();
      if (!hop.isEmpty() && hops.size() < MAX_HOPS) {
        hops.add(hop(hop));
      }
    }
    return hops.isEmpty() ? List.of(DIRECT) : List.copyOf(hops);
  }

  private static PacHop hop(String text) {
    String shown = shown(text);
    if (text.equalsIgnoreCase("DIRECT")) {
      return DIRECT;
    }
    int space = text.indexOf(' ');
    Matcher matcher =
        HOP.matcher(
            space < 0
                ? text
                : text.substring(0, space).toUpperCase(Locale.ROOT) + text.substring(space));
    if (matcher.matches()) {
      Kind kind = matcher.group(1).equals("HTTPS") ? Kind.HTTPS : Kind.HTTP;
      int port =
          matcher.group(3) != null
              ? Integer.parseInt(matcher.group(3))
              : kind == Kind.HTTPS ? 443 : 80;
      if (port >= 1 && port <= 0xFFFF) {
        return new PacHop(kind, matcher.group(2).replaceAll("^\\[|]$", ""), port, shown);
      }
    }
    return new PacHop(Kind.UNUSED, "", 0, shown);
  }

  /**
   * The text as messages show it: without a password before an @, which no browser takes. Each word
   * is looked at from its beginning only, as an answer may be a word of 100 000 characters.
   */
  private static String shown(String text) {
    String clean = LogText.of(text).replaceAll("(?<!\\S)\\S*@", "…@");
    return clean.length() > 100 ? clean.substring(0, 100) + "…" : clean;
  }
}
