package io.rmigate.client.mediator;

import io.rmigate.client.config.LeaseMode;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.link.Resumption;
import io.rmigate.client.stats.Account;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.ObjectList;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The client-side half of the mediator: owns the JVM's link to the gateway and opens it again, with
 * backoff, when it is needed and was lost. One per configured gateway, thread-safe.
 *
 * <p>A thread that needs a link while another one opens it waits for that attempt, within the
 * connect timeout. Everything started here is a daemon.
 */
public final class MediatorAgent implements Closeable {
  private final TransportConnector connector;
  private final Duration connectTimeout;
  private final Map<String, String> properties;
  private final Compression compression;
  private final Resumption resumption;
  private final Duration rmiHandshakeTimeout;
  private final ScheduledExecutorService timer;
  private final Account account = new Account();
  private final InsideLoopback loopback = new InsideLoopback();
  private final Lookups lookups;
  private final Leases leases;
  private final Redeclaration redeclaration;
  private final Mediation mediation;

  /** Guards opening: held during the whole attempt, so that there is one at a time. */
  private final ReentrantLock opening = new ReentrantLock();

  /** Run once, on the timer. Guarded by {@code opening}. */
  private Runnable onFirstLink = () -> {};

  private volatile Link link;

  /** The link that waits for its welcome; null when none does. */
  private volatile Link greeting;

  private volatile boolean closed;

  /** Links that take no new streams but still carry old ones: the gateway drains. */
  private final Set<Link> drained = ConcurrentHashMap.newKeySet();

  /** Guarded by {@code opening}. */
  private final Backoff backoff;

  /** Why the last attempt has failed. Guarded by {@code opening}. */
  private String lastFailure = "its session has just ended";

  /**
   * @param connectTimeout for a link, and for a thread that waits for one
   * @param properties what the agent says of itself in its hello
   * @param compression of the links
   */
  public MediatorAgent(
      TransportConnector connector,
      Duration connectTimeout,
      Map<String, String> properties,
      Compression compression) {
    this(connector, connectTimeout, properties, compression, LookupSettings.DEFAULTS, LeaseMode.ON);
  }

  /** Likewise, with what is done about lookups and leases. Sessions end with their links. */
  public MediatorAgent(
      TransportConnector connector,
      Duration connectTimeout,
      Map<String, String> properties,
      Compression compression,
      LookupSettings lookupSettings,
      LeaseMode leaseMode) {
    this(
        connector,
        connectTimeout,
        Duration.ZERO,
        properties,
        compression,
        lookupSettings,
        leaseMode);
  }

  /**
   * Likewise, with what is done about a link that is lost.
   *
   * @param grace how long to try to go on with the session; zero for not at all
   */
  public MediatorAgent(
      TransportConnector connector,
      Duration connectTimeout,
      Duration grace,
      Map<String, String> properties,
      Compression compression,
      LookupSettings lookupSettings,
      LeaseMode leaseMode) {
    this.connector = connector;
    this.connectTimeout = connectTimeout;
    this.compression = compression;
    // Half of the time is left for the attempt, whoever has to wait for it.
    this.backoff =
        new Backoff(connectTimeout.dividedBy(2), ThreadLocalRandom.current()::nextDouble);
    this.resumption = new Resumption(connector, connectTimeout, grace);
    Map<String, String> said = new HashMap<>(properties);
    if (lookupSettings.cached() && !lookupSettings.preload().isEmpty()) {
      said.put(Hello.PRELOAD, String.join("|", lookupSettings.preload()));
    }
    this.properties = Map.copyOf(said);
    this.lookups = new Lookups(lookupSettings, this::link, account, loopback);
    this.redeclaration = new Redeclaration(this::link, this::mustDeclare);
    this.leases = new Leases(leaseMode, this::link, redeclaration::begin, account);
    this.mediation = new Mediation(lookups, leases);
    // The gateway's handshake with the server obeys what this JVM was told (JRMP.md 1.4).
    this.rmiHandshakeTimeout =
        Duration.ofMillis(
            Math.max(0, Integer.getInteger("sun.rmi.transport.tcp.handshakeTimeout", 60_000)));
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "rmigate-timer");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    this.timer = executor;
  }

  /**
   * Sees to it that there is a link.
   *
   * @throws ConnectException there is none and none can be had now; certainly nothing was executed
   */
  public void ensureLink() throws IOException {
    link();
  }

  /** What is to be done, on a thread of ours, once there has been a link. Call it before that. */
  public void whenFirstLinked(Runnable task) {
    opening.lock();
    try {
      onFirstLink = task;
    } finally {
      opening.unlock();
    }
  }

  /** A stream to a target, on the link there is or on a new one. */
  public LinkStream openStream(String host, int port) throws IOException {
    if (!ObjectList.canName(new EndpointId(host, port))) {
      throw new ConnectException("no server can be at " + host + ":" + port);
    }
    return link().openStream(host, port, Duration.ZERO, rmiHandshakeTimeout);
  }

  /** The host under which inner JVMs see the gateway; empty while unknown. */
  public Optional<String> innerHost() {
    Link current = link;
    return current == null ? Optional.empty() : current.innerHost();
  }

  private boolean mustDeclare() {
    return !closed && currentLink().isEmpty() && leases.keptByGateway() > 0;
  }

  /** Answers what the garbage collection asks. */
  public Leases leases() {
    return leases;
  }

  /** Answers lookups. */
  public Lookups lookups() {
    return lookups;
  }

  /** Loopback endpoints that mean servers behind the gateway. */
  public InsideLoopback loopback() {
    return loopback;
  }

  /** Whether the gateway knows where servers are whose stubs name loopback. */
  public boolean mapsLoopback() {
    Link current = link;
    return current != null && current.mapsLoopback();
  }

  /** The JVM is about to end: tells the gateway so, and what has been done, if there is a link. */
  public void leave() {
    currentLink().ifPresent(Link::leave);
  }

  /** What has been done so far, over all links. */
  public Account account() {
    return account;
  }

  /** The link in use, for figures; empty while there is none. */
  public Optional<Link> currentLink() {
    return Optional.ofNullable(link).filter(Link::isUsable);
  }

  private Link link() throws IOException {
    Link current = link;
    if (current != null && current.isUsable()) {
      return current;
    }
    long deadline = System.nanoTime() + connectTimeout.toNanos();
    try {
      if (!opening.tryLock(connectTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new ConnectException(
            "no link to the rmigate gateway within " + connectTimeout.toMillis() + " ms");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ConnectException("interrupted while waiting for the link to the rmigate gateway");
    }
    try {
      current = link;
      if (current != null && current.isUsable()) {
        return current;
      }
      if (!closed) {
        awaitBackoff(deadline);
      }
      if (closed) {
        throw new ConnectException("rmigate is closed");
      }
      return open(Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime())));
    } finally {
      opening.unlock();
    }
  }

  private Link open(Duration timeout) throws IOException {
    Link opened = null;
    try {
      long start = System.nanoTime();
      opened = new Link(connector.connect(timeout), resumption, account, compression, mediation);
      greeting = opened; // whoever closes us from here on ends it
      if (closed) {
        opened.close();
      }
      opened.greet(timeout.minusNanos(System.nanoTime() - start), properties, timer);
      leases.declareAll(opened);
      opened.throwIfEnded();
      Link before = link;
      drained.removeIf(Link::hasEnded);
      if (before != null && !before.hasEnded()) {
        drained.add(before); // ends when the gateway says goodbye
        opened.succeed(before);
      }
      boolean first = before == null;
      link = opened;
      if (first && !closed) {
        timer.execute(onFirstLink);
      }
      if (closed) {
        opened.close();
        throw new ConnectException("rmigate is closed");
      }
      backoff.onAttempt(true, System.nanoTime());
      lastFailure = "its session has just ended";
      return opened;
    } catch (IOException failed) {
      if (opened != null) {
        opened.close();
      }
      if (closed) {
        throw new ConnectException("rmigate is closed");
      }
      backoff.onAttempt(false, System.nanoTime());
      lastFailure = failed.getMessage();
      log()
          .log(
              System.Logger.Level.WARNING,
              "no link to the rmigate gateway: " + failed.getMessage());
      ConnectException refused = new ConnectException(failed.getMessage());
      refused.initCause(failed);
      throw refused;
    } finally {
      greeting = null;
    }
  }

  /**
   * No constant: the javaagent makes this class before the application's main, and a logger asked
   * for then would choose the JVM's log manager before the application has.
   */
  private static System.Logger log() {
    return System.getLogger(MediatorAgent.class.getName());
  }

  /**
   * Waits until the next attempt is due.
   *
   * @throws ConnectException the caller cannot wait for so long
   */
  private void awaitBackoff(long deadline) throws ConnectException {
    long now = System.nanoTime();
    long pause = backoff.pauseNanos(now);
    if (pause <= 0) {
      return;
    }
    if (pause > deadline - now) {
      throw new ConnectException("no link to the rmigate gateway: " + lastFailure);
    }
    try {
      TimeUnit.NANOSECONDS.sleep(pause);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ConnectException("interrupted while waiting for the link to the rmigate gateway");
    }
  }

  /** Ends the link, one that is being opened too. Streams on it fail; new ones are refused. */
  @Override
  public void close() {
    closed = true;
    for (Link current : new Link[] {greeting, link}) {
      if (current != null) {
        current.close();
      }
    }
    drained.forEach(Link::close);
    timer.shutdownNow();
  }
}
