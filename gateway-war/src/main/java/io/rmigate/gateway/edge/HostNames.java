package io.rmigate.gateway.edge;

import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.NamePatterns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The host names under which clients may reach this gateway. A web page can have its own name
 * resolve to the gateway's address (DNS rebinding): for the reader's browser both are one origin
 * then. Its requests still carry the page's name as {@code Host}, so that name must be refused.
 * Addresses and {@code localhost} are accepted, because no web page can point these elsewhere.
 * Immutable.
 */
public final class HostNames {
  private static final String LOCALHOST = "localhost";

  /** The pattern in {@code hosts} that stands for every name. */
  private static final String ANY = "*";

  private static final Pattern AUTHORITY =
      Pattern.compile("(\\[[^\\[\\]]*]|[^:\\[\\]]*)(?::\\d*)?");

  private final NamePatterns patterns;
  private final Set<String> ofCertificates;
  private final boolean isAny;

  private HostNames(List<String> patterns, Set<String> ofCertificates, boolean isAny) {
    this.patterns = NamePatterns.of(patterns);
    this.ofCertificates = Set.copyOf(ofCertificates);
    this.isAny = isAny;
  }

  /**
   * The names of a stand-alone gateway.
   *
   * @param configured the names and patterns that the configuration has for this gateway
   * @param listening the hosts of its listening addresses
   * @param ofCertificates in lower case; a name that begins with {@code *.} stands for one label
   *     more
   */
  public static HostNames ofStandalone(
      Collection<String> configured, Collection<String> listening, Set<String> ofCertificates) {
    List<String> names = new ArrayList<>();
    configured.stream().map(HostNames::normal).forEach(names::add);
    listening.stream().map(HostNames::normal).forEach(names::add);
    return new HostNames(names, ofCertificates, names.contains(ANY));
  }

  /**
   * The names of an application in a container: every name, unless the configuration has some.
   *
   * @param configured the names and patterns that the configuration has for this gateway
   */
  public static HostNames ofApplication(Collection<String> configured) {
    List<String> names = configured.stream().map(HostNames::normal).toList();
    boolean isNameless = names.stream().allMatch(name -> AddressLiteral.parse(name).isPresent());
    return new HostNames(names, Set.of(), isNameless || names.contains(ANY));
  }

  /** Whether every name is accepted, because none is known or the configuration says so. */
  public boolean isAny() {
    return isAny;
  }

  /**
   * Whether a request for that host belongs here.
   *
   * @param authority as in the header {@code Host}: a name or an address, perhaps with a port
   */
  boolean accepts(String authority) {
    if (isAny || AddressLiteral.parse(authority).isPresent()) {
      return true;
    }
    Matcher parts = AUTHORITY.matcher(authority);
    if (!parts.matches()) {
      return false;
    }
    String name = normal(parts.group(1));
    return AddressLiteral.parse(name).isPresent()
        || name.equals(LOCALHOST)
        || patterns.matches(name)
        || ofCertificates.contains(name)
        || ofCertificates.contains("*" + name.substring(Math.max(0, name.indexOf('.'))));
  }

  /** In lower case, without the dot that may end a name. */
  private static String normal(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
