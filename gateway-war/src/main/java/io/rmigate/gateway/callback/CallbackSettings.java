package io.rmigate.gateway.callback;

import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.tunnel.Tunnel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How inner JVMs may call objects of agents' JVMs.
 *
 * @param address of the inner interface, on which listeners are; never a wildcard
 * @param host how stubs of agents' JVMs name this gateway
 * @param ports for listeners that ask for none in particular
 * @param from who may connect
 * @param allow who may listen; the first that names a principal counts
 * @param maxConnections to all listeners of one session together
 * @param maxConnectionsInAll to the listeners of all sessions together
 * @param quarantine how long a port that has been freed is nobody's but its principal's
 * @param lease what inner JVMs are granted
 */
public record CallbackSettings(
    InetAddress address,
    String host,
    PortRange ports,
    InnerPeers from,
    List<Allowance> allow,
    int maxConnections,
    int maxConnectionsInAll,
    Duration quarantine,
    Duration lease) {

  /** Streams of an agent that its connections at a time may have open, those ended included. */
  static final int STREAMS_PER_CONNECTION = 2;

  /** Longer than the lease and the look at it of a JVM that holds a stub of a freed port. */
  public static final Duration QUARANTINE = Duration.ofMinutes(15);

  /** What the JDK's servers grant. */
  public static final Duration LEASE = Duration.ofMinutes(10);

  /** Calls of inner JVMs to one client JVM at a time, one connection each. */
  public static final int MAX_CONNECTIONS = 4096;

  /**
   * More than that they can never be: an agent lets the gateway have so many streams open, and one
   * of a connection that has ended stays open until the agent has closed it too.
   */
  public static final int MOST_CONNECTIONS = Tunnel.MAX_ACCEPTED_STREAMS / STREAMS_PER_CONNECTION;

  /** A descriptor each. */
  public static final int MAX_CONNECTIONS_IN_ALL = 20_000;

  /** Ports of one principal. */
  public static final int MAX_PORTS = 100;

  public CallbackSettings {
    allow = List.copyOf(allow);
  }

  /**
   * What some principals may.
   *
   * @param principals {@code *} is everybody
   * @param maxPorts of one principal, those in quarantine included
   * @param explicit which ports may be asked for by number
   */
  public record Allowance(Set<String> principals, int maxPorts, List<PortRange> explicit) {
    public Allowance {
      principals = Set.copyOf(principals);
      explicit = List.copyOf(explicit);
    }

    /** Whether a port may be asked for by its number. */
    public boolean allows(int port) {
      return explicit.stream().anyMatch(range -> range.contains(port));
    }
  }

  /** What a principal may; empty where it may not listen at all. */
  public Optional<Allowance> allowance(Principal principal) {
    return allow.stream()
        .filter(one -> one.principals().contains("*") || principal.isNamedBy(one.principals()))
        .findFirst();
  }
}
