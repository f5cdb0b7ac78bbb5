package io.rmigate.gateway.config;

import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.policy.type.MethodPattern;
import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.tunnel.RegistryName;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks of the items of lists in the configuration. */
final class ListItems {
  static final Pattern CLASS_NAME =
      Pattern.compile("\\p{javaJavaIdentifierStart}[\\p{javaJavaIdentifierPart}.]*");

  private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9_.*-]+");

  private static final Pattern TARGET =
      Pattern.compile(
          "(?:\\[[0-9A-Fa-f:.*]+\\]|[\\p{Alnum}._*-]+):(?:\\*|(\\d{1,5})(?:-(\\d{1,5}))?)");

  /** Two unrelated addresses of each family: a list that matches both matches every address. */
  private static final List<List<InetAddress>> ANYBODY =
      List.of(
          List.of(address("11.22.33.44"), address("203.0.113.9")),
          List.of(address("2001:db8::1"), address("fd12:3456::1")));

  private ListItems() {}

  /** The fault of an item, for people; empty when the item is valid. */
  static Optional<String> fault(Allowed allowed, String item) {
    if (!allowed.names().isEmpty() && !allowed.names().contains(item)) {
      return fault(item, "is not a valid value; allowed: " + String.join(", ", allowed.names()));
    }
    return switch (allowed.shape()) {
      case TARGET_PATTERNS -> targetFault(item);
      case PRINCIPALS ->
          item.equals(Principal.GROUP)
              ? fault(item, "has no name after group:; allowed: " + allowed.text())
              : Optional.empty();
      case PORTS ->
          PortRange.parse(item).isPresent()
              ? Optional.empty()
              : fault(item, "is not a port; allowed: 1 to 65535, first-last");
      case PEERS -> peerFault(item);
      case REGISTRY_NAMES ->
          RegistryName.parse(item).isPresent()
              ? Optional.empty()
              : fault(item, "is not a name in a registry; allowed: host:port/name");
      case CLASS_NAMES ->
          CLASS_NAME.matcher(item).matches()
              ? Optional.empty()
              : fault(item, "is not valid; allowed: " + allowed.text());
      case CLASS_PATTERNS ->
          ClassPattern.parse(item).isPresent()
              ? Optional.empty()
              : fault(item, "is not valid; allowed: " + allowed.text());
      case METHOD_PATTERNS ->
          MethodPattern.parse(item).isPresent()
              ? Optional.empty()
              : fault(item, "is not valid; allowed: " + allowed.text());
      case PROXIES ->
          isProxy(item)
              ? Optional.empty()
              : fault(item, "is not valid; allowed: " + allowed.text());
      case ORIGINS ->
          WebOrigin.of(item).isPresent()
              ? Optional.empty()
              : fault(item, "is not valid; allowed: " + allowed.text());
      case HOST_NAMES ->
          HOST_NAME.matcher(item).matches()
              ? Optional.empty()
              : fault(item, "is not valid; allowed: " + allowed.text());
      default -> Optional.empty();
    };
  }

  private static Optional<String> fault(String item, String what) {
    return Optional.of("\"" + item + "\" " + what);
  }

  private static Optional<String> peerFault(String item) {
    try {
      InnerPeers.of(List.of(item));
      return Optional.empty();
    } catch (IllegalArgumentException notOne) {
      return Optional.of(notOne.getMessage() + "; allowed: " + Allowed.PEERS.text());
    }
  }

  private static Optional<String> targetFault(String item) {
    Matcher matcher = TARGET.matcher(item);
    if (!matcher.matches()) {
      return fault(
          item,
          "is not a target pattern; allowed: host:port, where * in the host stands for any"
              + " characters and the port is a number, a range such as 1099-1110 or *");
    }
    int first = matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1));
    int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
    if (first < 1 || last > 65535 || first > last) {
      return fault(item, "has a port that does not exist; allowed: 1 to 65535, first-last");
    }
    try {
      DestinationPatterns.of(List.of(item));
      return Optional.empty();
    } catch (IllegalArgumentException notOne) { // brackets that hold no whole IPv6 address
      return Optional.of(notOne.getMessage());
    }
  }

  /**
   * A name would have to be looked up to know whom to believe; and what stands for everybody, whose
   * word then counts, is a mistake (THREATS T42).
   */
  private static boolean isProxy(String text) {
    try {
      InnerPeers peers = InnerPeers.of(List.of(text));
      return !peers.hasNames()
          && ANYBODY.stream().noneMatch(pair -> pair.stream().allMatch(peers::hasAddress));
    } catch (IllegalArgumentException none) {
      return false;
    }
  }

  private static InetAddress address(String literal) {
    return AddressLiteral.parse(literal).orElseThrow();
  }
}
