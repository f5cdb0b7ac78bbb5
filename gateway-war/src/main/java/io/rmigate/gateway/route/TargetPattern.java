package io.rmigate.gateway.route;

import io.rmigate.protocol.DestinationPatterns;
import java.util.List;

/**
 * A pattern {@code host:port} of a grant.
 *
 * @param host the part of the pattern before the port, without brackets
 * @param patterns the pattern
 * @param hosts the pattern with any port
 * @param wildcardHost whether the host has a wildcard
 */
record TargetPattern(
    String host, DestinationPatterns patterns, DestinationPatterns hosts, boolean wildcardHost) {

  /** Parses a pattern. */
  static TargetPattern of(String pattern) {
    int colon = pattern.lastIndexOf(':');
    String host = pattern.substring(0, colon);
    return new TargetPattern(
        host.replaceAll("^\\[|]$", ""),
        DestinationPatterns.of(List.of(pattern)),
        DestinationPatterns.of(List.of(host + ":*")),
        pattern.lastIndexOf('*', colon) >= 0);
  }

  boolean matches(String name, int port) {
    return patterns.matches(name, port);
  }
}
