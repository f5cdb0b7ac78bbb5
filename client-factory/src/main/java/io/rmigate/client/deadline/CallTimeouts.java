package io.rmigate.client.deadline;

import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.tunnel.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The bounds of the configuration. A rule for an interface goes before one for a target, and that
 * before the one for all calls; of several of a kind the first that matches counts.
 *
 * @param all for calls that no other rule is for; zero for none
 * @param targets by {@code host:port}
 * @param interfaces by name
 */
public record CallTimeouts(Duration all, List<TargetRule> targets, List<InterfaceRule> interfaces) {
  /** No call is bounded. */
  public static final CallTimeouts NONE = new CallTimeouts(Duration.ZERO, List.of(), List.of());

  /** No bound is longer. */
  public static final Duration LONGEST = Deadline.LONGEST;

  public CallTimeouts {
    targets = List.copyOf(targets);
    interfaces = List.copyOf(interfaces);
  }

  /**
   * Throws unless calls can be bounded by this.
   *
   * @throws IllegalArgumentException it is neither zero nor a millisecond to a day
   */
  public static void checkLimit(Duration limit) {
    if (!limit.isZero()
        && (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.compareTo(LONGEST) > 0)) {
      throw new IllegalArgumentException("expected 1 ms to 1 day, or zero, got " + limit);
    }
  }

  /** For calls to these endpoints, as they stand in stubs; a limit of zero is none. */
  public record TargetRule(DestinationPatterns targets, Duration limit) {}

  /** For calls to objects whose stubs have an interface of such a name. */
  public record InterfaceRule(NamePatterns names, Duration limit) {}

  /** Whether no rule bounds anything. */
  public boolean isEmpty() {
    return all.isZero() && targets.isEmpty() && interfaces.isEmpty();
  }

  /** For a call to an object of that endpoint; zero for none. */
  Duration limit(String host, int port, List<String> itsInterfaces) {
    return ofInterfaces(itsInterfaces).orElseGet(() -> ofTarget(host, port));
  }

  private Optional<Duration> ofInterfaces(List<String> itsInterfaces) {
    for (InterfaceRule rule : interfaces) {
      for (String name : itsInterfaces) {
        if (rule.names().matches(name)) {
          return Optional.of(rule.limit());
        }
      }
    }
    return Optional.empty();
  }

  private Duration ofTarget(String host, int port) {
    for (TargetRule rule : targets) {
      if (rule.targets().matches(host, port)) {
        return rule.limit();
      }
    }
    return all;
  }

  /**
   * While it is not known which object is going to be called: the longest that it may be; zero for
   * none.
   */
  Duration longest(String host, int port) {
    Duration longest = ofTarget(host, port);
    for (InterfaceRule rule : interfaces) {
      if (longest.isZero() || rule.limit().isZero()) {
        return Duration.ZERO;
      }
      longest = rule.limit().compareTo(longest) > 0 ? rule.limit() : longest;
    }
    return longest;
  }
}
