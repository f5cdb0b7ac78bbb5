package io.rmigate.client.mediator;

import io.rmigate.client.callback.Callbacks;
import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.jvm.NanoClock;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.ObjectList;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The client-side half of the mediator: owns the JVM's link to the gateway, and what answers
 * lookups, leases and callbacks over it. Every thread that it starts is a daemon. Thread-safe.
 *
 * <p>Neither this class nor its parts have a logger in a constant: the javaagent makes the agent
 * before the application's main, and a logger asked for then would choose the JVM's log manager
 * before the application has.
 */
public final class MediatorAgent implements Closeable {
  private final UsageCounters account = new UsageCounters();
  private final LoopbackServers loopback = new LoopbackServers();
  private final AgentTimer timer = new AgentTimer();
  private final AgentLink link;
  private final Lookups lookups;
  private final Leases leases;
  private final Callbacks callbacks;

  /** Null until the first stream. */
  private volatile Duration rmiHandshakeTimeout;

  /**
   * @param connector to all gateways; which of them is used is decided here
   */
  public MediatorAgent(TransportConnector connector, MediatorSettings settings) {
    this.link = new AgentLink(connector, settings, account, timer);
    this.lookups = new Lookups(settings.lookups(), link, account, loopback);
    Redeclaration redeclaration = new Redeclaration(link, link);
    this.leases = new Leases(settings.leases(), link, redeclaration, account, settings.leaseTerm());
    this.callbacks =
        new Callbacks(
            settings.callbacks(), link, redeclaration, timer, account, settings.connectTimeout());
    Grants grants =
        new Grants(
            new Supplier<>() {
              @Override
              public Optional<Map<EndpointId, Set<ObjIdentifier>>> get() {
                return leases.held();
              }
            },
            NanoClock.SYSTEM);
    link.mediation(new Mediation(lookups, leases, grants, callbacks));
    Optional<Duration> interval = leases.interval();
    if (interval.isPresent()) {
      timer.repeat(
          new IntervalTask() {
            @Override
            void runOnce() {
              leases.giveUpTheDead();
            }
          },
          interval.get());
    }
    timer.repeat(new WayUpgrade(link, settings.connectTimeout()), connector.climbEvery());
  }

  /**
   * Runs a task on the timer, a second from now, that need not run while the application starts. A
   * task that cannot be run is logged, because nothing depends on it.
   */
  public void runLater(Runnable task) {
    timer.runLater(task);
  }

  /**
   * Sees to it that there is a link.
   *
   * @throws ConnectException there is none and none can be had now; certainly nothing was executed
   */
  public void ensureLink() throws IOException {
    link.link();
  }

  /**
   * Sees to it that there is a link, as long as the clock allows.
   *
   * @throws io.rmigate.client.deadline.CallTimeoutException that was not long enough
   */
  public void ensureLink(CallClock clock) throws IOException {
    link.link(clock);
  }

  /** Runs a task on the timer once there has been a link. Call it before that. */
  public void whenFirstLinked(Runnable task) {
    link.whenFirstLinked(task);
  }

  /** A stream to a target, on the link there is or on a new one. */
  public LinkStream openStream(String host, int port, CallClock clock) throws IOException {
    if (!ObjectList.canName(new EndpointId(host, port))) {
      throw new ConnectException("no server can be at " + host + ":" + port);
    }
    return link.link(clock).openStream(host, port, Duration.ZERO, rmiHandshakeTimeout());
  }

  /**
   * The gateway's handshake with the server obeys what this JVM was told (JRMP.md 1.4), which the
   * RMI runtime reads for its first connection: until then the program may set it.
   */
  private Duration rmiHandshakeTimeout() {
    Duration known = rmiHandshakeTimeout;
    if (known == null) {
      known =
          Duration.ofMillis(
              Math.max(0, Integer.getInteger("sun.rmi.transport.tcp.handshakeTimeout", 60_000)));
      rmiHandshakeTimeout = known;
    }
    return known;
  }

  /**
   * A raw stream to a target, on the link there is or on a new one; its gateway has been asked to
   * connect it.
   */
  public LinkStream openRaw(String host, int port) throws IOException {
    if (!ObjectList.canName(new EndpointId(host, port))) {
      throw new ConnectException("nothing can be at " + host + ":" + port);
    }
    return link.link().openRaw(host, port, Duration.ZERO);
  }

  /** The host under which inner JVMs see the gateway; empty while unknown. */
  public Optional<String> innerHost() {
    Link latest = link.latest();
    return latest == null ? Optional.empty() : latest.innerHost();
  }

  /** Answers the dirty and clean calls of the garbage collection. */
  public Leases leases() {
    return leases;
  }

  /** Ports at which inner JVMs reach exported objects. */
  public Callbacks callbacks() {
    return callbacks;
  }

  /** Answers lookups. */
  public Lookups lookups() {
    return lookups;
  }

  /** Loopback endpoints that mean servers behind the gateway. */
  public LoopbackServers loopback() {
    return loopback;
  }

  /** Whether the gateway knows where servers are whose stubs name loopback. */
  public boolean mapsLoopback() {
    Link latest = link.latest();
    return latest != null && latest.mapsLoopback();
  }

  /** The JVM is about to end: tells the gateway so, and what has been done, if there is a link. */
  public void leave() {
    Optional<Link> current = currentLink();
    if (current.isPresent()) {
      current.get().leave();
    }
  }

  /** The usage counters of this agent, over all links. */
  public UsageCounters account() {
    return account;
  }

  /** The link in use, for figures; empty while there is none. */
  public Optional<Link> currentLink() {
    return link.current();
  }

  /** Whether anything has come from the gateway since then. */
  public boolean hasHeardSince(long nanos) {
    Link latest = link.latest();
    return latest != null && latest.hasHeardSince(nanos);
  }

  /** Ends the link, one that is being opened too. Streams on it fail; new ones are refused. */
  @Override
  public void close() {
    link.close();
    timer.shutdownNow();
  }
}
