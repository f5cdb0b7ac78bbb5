package io.rmigate.gateway.callback.port;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ports from the first to the last.
 *
 * @param first 1 to 65535; 0, with the last, where the operating system is to choose
 */
public record PortRange(int first, int last) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
  private static final int MAX_PORT = 65_535;

  /** Any port that the operating system has free. */
  public static final PortRange ANY = new PortRange(0, 0);

  /** Reads {@code 40000-40999} or {@code 1099}; empty when it is no range of ports from 1. */
  public static Optional<PortRange> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int first = Integer.parseInt(matcher.group(1));
    int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
    return first < 1 || first > last || last > MAX_PORT
        ? Optional.empty()
        : Optional.of(new PortRange(first, last));
  }

  /** Whether a port is one of them. */
  public boolean contains(int port) {
    return port >= first && port <= last;
  }

  int size() {
    return last - first + 1;
  }

  public boolean isAny() {
    return first == 0;
  }

  @Override
  public String toString() {
    return first == last ? Integer.toString(first) : first + "-" + last;
  }
}
