package io.rmigate.gateway.route;

import io.rmigate.protocol.DestinationPatterns;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which hosts in stubs say nothing about where their server is: loopback, where every JVM that has
 * not been told its name believes to be, and addresses that mean something only where they were
 * written (of containers, for one). Such a server is looked for where the registry was reached that
 * has handed the stub out, or where the configuration says. Immutable.
 */
public final class EndpointMapping {

  /**
   * Hosts that are not where they say.
   *
   * @param hosts as in {@link TargetGrant}, without a port: {@code 172.17.*}
   * @param to where they are; empty: where their registry was reached
   */
  public record Rule(String hosts, Optional<String> to) {
    @Override
    public String toString() {
      return hosts + to.map(host -> " to " + host).orElse("");
    }
  }

  /** The default mapping: only loopback addresses and unknown names are mapped. */
  public static final EndpointMapping DEFAULT = new EndpointMapping(true, List.of());

  private record Entry(DestinationPatterns hosts, Optional<String> to) {}

  private final boolean loopback;
  private final List<Entry> entries;
  private final String text;

  /**
   * The mapping.
   *
   * @param loopback whether loopback, and names that cannot be resolved here, are mapped too
   * @param rules the first that matches counts, loopback or not
   */
  public EndpointMapping(boolean loopback, List<Rule> rules) {
    this.loopback = loopback;
    this.entries =
        rules.stream()
            .map(rule -> new Entry(DestinationPatterns.of(List.of(rule.hosts() + ":*")), rule.to()))
            .toList();
    this.text =
        Stream.concat(
                Stream.of(loopback ? "loopback" : "no loopback"),
                rules.stream().map(Rule::toString))
            .collect(Collectors.joining(", "));
  }

  /** Whether a server whose stubs name {@code host} has to be looked for elsewhere. */
  public boolean isMapped(String host) {
    return (loopback && DestinationPatterns.isLoopback(host)) || entry(host).isPresent();
  }

  /** The host to which a mapped host leads; empty: the host at which its registry was reached. */
  Optional<String> destination(String host) {
    return entry(host).flatMap(Entry::to);
  }

  /** Whether a registry's host stands in for one whose name cannot be resolved here. */
  public boolean replacesUnknownNames() {
    return loopback;
  }

  /** The text for logs. */
  @Override
  public String toString() {
    return text;
  }

  private Optional<Entry> entry(String host) {
    return entries.stream().filter(entry -> entry.hosts().matches(host, 1)).findFirst();
  }
}
