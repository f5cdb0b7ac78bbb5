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
 * @param address of the inner interface, at which listeners are bound; never a wildcard
 * @param host the name of this gateway in stubs of agents' JVMs
 * @param ports at which the gateway listens for agents
 * @param from addresses that may connect
 * @param allow which principals may listen; the first entry that names a principal counts
 * @param connections limits of connections of inner JVMs
 * @param lease duration that inner JVMs are granted
 */
public record CallbackSettings(
    InetAddress address,
    String host,
    ListenerPorts ports,
    InnerPeers from,
    List<Allowance> allow,
    ConnectionLimits connections,
    Duration lease) {

  /** Open streams of an agent for each of its connections at a time, ended ones included. */
  static final int STREAMS_PER_CONNECTION = 2;

  /** Longer than the lease and the look at it of a JVM that holds a stub of a freed port. */
  public static final Duration QUARANTINE = Duration.ofMinutes(15);

  /** The lease that the JDK's servers grant. */
  public static final Duration LEASE = Duration.ofMinutes(10);

  /** Calls of inner JVMs to one client JVM at a time, one connection each. */
  public static final int MAX_CONNECTIONS = 4096;

  /**
   * Upper bound of connections of a session: an agent limits the streams that the gateway may open,
   * and the stream of an ended connection stays open until the agent has closed it too.
   */
  public static final int MOST_CONNECTIONS = Tunnel.MAX_ACCEPTED_STREAMS / STREAMS_PER_CONNECTION;

  /** Connections to all listeners at a time; each needs a file descriptor. */
  public static final int MAX_CONNECTIONS_IN_ALL = 20_000;

  /** Ports of one principal. */
  public static final int MAX_PORTS = 100;

  public CallbackSettings {
    allow = List.copyOf(allow);
  }

  /**
   * The ports of listeners.
   *
   * @param range for listeners whose agent names no port
   * @param quarantine how long only its last principal may take a freed port
   */
  public record ListenerPorts(PortRange range, Duration quarantine) {}

  /**
   * Connections of inner JVMs at a time.
   *
   * @param ofSession to all listeners of one session together
   * @param inAll to the listeners of all sessions together
   */
  public record ConnectionLimits(int ofSession, int inAll) {}

  /**
   * The permissions of some principals.
   *
   * @param principals names and groups; {@code *} is every principal
   * @param maxPorts of one principal, ports in quarantine included
   * @param explicit ports that an agent may ask for by number
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

  /** The permissions of a principal; empty when it may not export objects. */
  public Optional<Allowance> allowance(Principal principal) {
    return allow.stream()
        .filter(one -> one.principals().contains("*") || principal.isNamedBy(one.principals()))
        .findFirst();
  }
}
