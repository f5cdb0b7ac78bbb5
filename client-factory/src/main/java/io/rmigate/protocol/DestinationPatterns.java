package io.rmigate.protocol;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * A list of {@code host:port} patterns. Hosts are compared as written, never resolved: names behind
 * the gateway mean nothing here. {@code *} in a host stands for any characters, dots included; a
 * port is a number, a range {@code 1000-2000} or {@code *}; an IPv6 address stands in brackets and
 * matches in all its spellings. A host of numbers and {@code *}, such as {@code 10.*}, matches
 * addresses of IPv4 only, and not {@code 10.example}.
 *
 * <p>A host of nothing but {@code *} does not match loopback ({@link #isLoopback}): what runs
 * beside the application is not behind the gateway. To tunnel to the gateway's own loopback, write
 * {@code localhost:*}.
 */
public final class DestinationPatterns {
  /** Matches nothing. */
  public static final DestinationPatterns NONE = new DestinationPatterns(List.of());

  private static final int LAST_PORT = 0xFFFF;
  private static final int LONGEST_PORT = 5;

  /**
   * @param host null if any host but loopback
   * @param numeric whether only addresses of IPv4 match
   */
  private record Destination(String text, Glob host, boolean numeric, int firstPort, int lastPort) {
    boolean matches(String normalHost, int port) {
      if (port < firstPort || port > lastPort) {
        return false;
      }
      return host == null
          ? !isLoopback(normalHost)
          : host.matches(normalHost) && (!host.hasStar() || isTaken(normalHost));
    }

    /** Whether a star may match these characters: digits and dots, or any character of a name. */
    private boolean isTaken(String normalHost) {
      for (int i = 0; i < normalHost.length(); i++) {
        char c = normalHost.charAt(i);
        if (numeric ? !isDigit(c) && c != '.' : Character.isISOControl(c)) {
          return false;
        }
      }
      return true;
    }

    boolean names(String normalHost, int port) {
      return text.indexOf('*') < 0 && firstPort == lastPort && matches(normalHost, port);
    }
  }

  private final Destination[] destinations;

  private DestinationPatterns(List<Destination> destinations) {
    this.destinations = destinations.toArray(new Destination[0]);
  }

  /**
   * Reads patterns, one per element.
   *
   * @throws IllegalArgumentException an element is not a pattern; the message says what is allowed
   */
  public static DestinationPatterns of(List<String> patterns) {
    List<Destination> destinations = new ArrayList<>();
    for (String pattern : patterns) {
      destinations.add(parse(pattern));
    }
    return new DestinationPatterns(destinations);
  }

  /** Whether there is no pattern. */
  public boolean isEmpty() {
    return destinations.length == 0;
  }

  /** Whether one of the patterns matches; a list without patterns matches nothing. */
  public boolean matches(String host, int port) {
    if (destinations.length == 0) {
      return false;
    }
    String normal = normalize(host);
    for (Destination destination : destinations) {
      if (destination.matches(normal, port)) {
        return true;
      }
    }
    return false;
  }

  /** Whether one of the patterns matches that stand for one host and one port only. */
  public boolean names(String host, int port) {
    String normal = normalize(host);
    for (Destination destination : destinations) {
      if (destination.names(normal, port)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether {@code host} is this machine by its spelling: {@code localhost} and names under it (RFC
   * 6761 §6.3), 127.0.0.0/8, {@code ::1} in any spelling, and the unspecified addresses and the
   * empty name, which connect to the machine itself.
   */
  public static boolean isLoopback(String host) {
    String normal = normalize(host);
    return normal.isEmpty()
        || normal.equals("localhost")
        || normal.endsWith(".localhost")
        || normal.equals("localhost.localdomain")
        || normal.equals("ip6-localhost")
        || normal.equals("0:0:0:0:0:0:0:1")
        || normal.equals("0:0:0:0:0:0:0:0")
        || normal.equals("0.0.0.0")
        || isInLoopbackNet(normal);
  }

  /** Whether it is {@code 127} and one to three numbers of up to three digits behind dots. */
  private static boolean isInLoopbackNet(String host) {
    if (!host.startsWith("127.")) {
      return false;
    }
    int numbers = 0;
    for (int dot = 3; dot < host.length(); numbers++) {
      int end = dot + 1;
      while (end < host.length() && isDigit(host.charAt(end))) {
        end++;
      }
      if (host.charAt(dot) != '.' || end == dot + 1 || end > dot + 4) {
        return false;
      }
      dot = end;
    }
    return numbers <= 3;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Whether it consists of digits, and of characters of {@code others}; not if it is empty. */
  private static boolean isNumeric(String text, String others) {
    for (int i = 0; i < text.length(); i++) {
      if (!isDigit(text.charAt(i)) && others.indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static boolean isName(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (!((c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || isDigit(c)
          || "_.*-".indexOf(c) >= 0)) {
        return false;
      }
    }
    return !host.isEmpty();
  }

  private static int port(String text, String ofPattern) {
    if (text.length() > LONGEST_PORT || !isNumeric(text, "")) {
      throw new IllegalArgumentException(
          "'" + ofPattern + "': a port is a number, a range like 1000-2000, or *");
    }
    return Integer.parseInt(text);
  }

  private static Destination parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || text.endsWith("]")) {
      throw new IllegalArgumentException(
          "'" + text + "' has no port; write " + text + ":* for every port");
    }
    String host = text.substring(0, colon);
    String ports = text.substring(colon + 1);
    boolean any = ports.equals("*");
    int dash = ports.indexOf('-');
    int first = any ? 0 : port(dash < 0 ? ports : ports.substring(0, dash), text);
    int last = any ? LAST_PORT : dash < 0 ? first : port(ports.substring(dash + 1), text);
    if (first > last || last > LAST_PORT) {
      throw new IllegalArgumentException("'" + text + "': ports are 0-65535, the lower one first");
    }
    Glob glob = hostPattern(text, host);
    return new Destination(text, glob, isNumeric(host, ".*"), first, last);
  }

  private static Glob hostPattern(String text, String host) {
    if (host.startsWith("[") && host.endsWith("]")) {
      String inner = host.substring(1, host.length() - 1);
      String normal = normalize(inner);
      if (inner.indexOf(':') < 0 || inner.indexOf('*') >= 0 || !isAddress(inner)) {
        throw new IllegalArgumentException(
            "'" + text + "': brackets hold one whole IPv6 address, without *");
      }
      return new Glob(normal);
    }
    if (host.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "'" + text + "': an IPv6 address stands in brackets: [fd00::1]:1099");
    }
    if (!isName(host)) {
      throw new IllegalArgumentException(
          "'" + text + "': a host is a name or an address, with * for any characters");
    }
    if (host.replace("*", "").isEmpty()) {
      return null;
    }
    return new Glob(normalize(host));
  }

  /**
   * Lower case, no dot at the end, no brackets or zone; IPv6 in the one spelling of InetAddress.
   */
  private static String normalize(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    if (name.startsWith("[") && name.endsWith("]")) {
      name = name.substring(1, name.length() - 1);
    }
    if (name.indexOf(':') >= 0) {
      int zone = name.indexOf('%');
      name = zone < 0 ? name : name.substring(0, zone);
      try {
        // In brackets only an address is accepted: nothing is ever looked up here.
        return InetAddress.getByName("[" + name + "]").getHostAddress();
      } catch (UnknownHostException e) {
        return name; // not an address: matches no pattern in brackets
      }
    }
    return name.endsWith(".") && name.length() > 1 ? name.substring(0, name.length() - 1) : name;
  }

  private static boolean isAddress(String inner) {
    try {
      InetAddress.getByName("[" + inner + "]");
      return true;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    if (isEmpty()) {
      return "none";
    }
    StringJoiner texts = new StringJoiner("|");
    for (Destination destination : destinations) {
      texts.add(destination.text());
    }
    return texts.toString();
  }
}
