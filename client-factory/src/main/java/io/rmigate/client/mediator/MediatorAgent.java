package io.rmigate.client.mediator;

import io.rmigate.client.callback.Callbacks;
import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NanoClock;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkSource;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.link.OtherGateway;
import io.rmigate.client.link.Resumption;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.client.transport.net.UninterruptibleWait;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.ObjectList;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The client-side half of the mediator: owns the JVM's link to the gateway and opens it again, with
 * backoff, when it is needed and was lost; at another gateway of those that are configured, if need
 * be. Thread-safe.
 *
 * <p>A thread that needs a link while another one opens it waits for that attempt, within the
 * connect timeout; so long it also waits for a gateway that has been there and is not. Everything
 * started here is a daemon.
 */
public final class MediatorAgent implements Closeable {
  /** A short program has ended by then, and others have made their first calls. */
  static final Duration LATER = Duration.ofSeconds(1);

  private final Gateways gateways;
  private final Duration connectTimeout;
  private final Map<String, String> properties;
  private final Compression compression;
  private final Duration grace;
  private final Duration climbEvery;
  private final ScheduledThreadPoolExecutor timer;
  private final UsageCounters account = new UsageCounters();
  private final InsideLoopback loopback = new InsideLoopback();
  private final Lookups lookups;
  private final Leases leases;
  private final Grants grants;
  private final Redeclaration redeclaration;
  private final Callbacks callbacks;
  private final Mediation mediation;
  private final OwnLink ownLink = new OwnLink();
  private final LinkAttempt attempt = new LinkAttempt(ownLink);

  /** Guards opening: held during the whole attempt, so that there is one at a time. */
  private final ReentrantLock opening = new ReentrantLock();

  /** Run once, on the timer; null when there is nothing to run. Guarded by {@code opening}. */
  private Runnable onFirstLink;

  private volatile Link link;

  /** The link that waits for its welcome; null when none does. */
  private volatile Link greeting;

  private volatile boolean closed;

  /** Null until the first stream. */
  private volatile Duration rmiHandshakeTimeout;

  /** Links that take no new streams but still carry old ones: the gateway drains. */
  private final Set<Link> drained = ConcurrentHashMap.newKeySet();

  /** Guarded by {@code opening}. */
  private final Backoff backoff;

  /** Whether what is done at intervals has begun. Guarded by {@code opening}. */
  private boolean watching;

  /** Why the last attempt has failed. Guarded by {@code opening}. */
  private String lastFailure = "its session has just ended";

  /**
   * @param connector to all gateways; which of them is used is decided here
   */
  public MediatorAgent(TransportConnector connector, MediatorSettings settings) {
    this.gateways = new Gateways(connector.each());
    this.connectTimeout = settings.connectTimeout();
    this.compression = settings.compression();
    // Half of the time is left for the attempt itself.
    this.backoff = new Backoff(connectTimeout.dividedBy(2), null);
    this.grace = settings.grace();
    Map<String, String> said = new HashMap<>(settings.properties());
    LookupSettings asked = settings.lookups();
    if (asked.cached() && !asked.preload().isEmpty()) {
      said.put(Hello.PRELOAD, String.join("|", asked.preload()));
    }
    this.properties = Map.copyOf(said);
    this.lookups = new Lookups(asked, ownLink, account, loopback);
    this.redeclaration = new Redeclaration(ownLink, ownLink);
    this.leases =
        new Leases(settings.leases(), ownLink, redeclaration, account, settings.leaseTerm());
    this.grants =
        new Grants(
            new Supplier<>() {
              @Override
              public Optional<Map<EndpointId, Set<ObjIdentifier>>> get() {
                return leases.held();
              }
            },
            NanoClock.SYSTEM);
    this.timer = new ScheduledThreadPoolExecutor(1, Daemons.named("rmigate-timer"));
    timer.setRemoveOnCancelPolicy(true);
    this.callbacks =
        new Callbacks(settings.callbacks(), ownLink, redeclaration, timer, account, connectTimeout);
    this.mediation = new Mediation(lookups, leases, grants, callbacks);
    this.climbEvery = connector.climbEvery();
  }

  /** The link of this agent, as its parts see it. */
  private final class OwnLink implements LinkSource, OtherGateway, BooleanSupplier {
    @Override
    public Link link(CallClock clock) throws IOException {
      return MediatorAgent.this.link(clock);
    }

    @Override
    public boolean isFound(Link lost) {
      return goElsewhere(lost);
    }

    /** Whether something must be declared and there is no link. */
    @Override
    public boolean getAsBoolean() {
      return mustDeclare();
    }
  }

  /** The timer never runs a task again that has once thrown anything: this one throws nothing. */
  private abstract static class Watch implements Runnable {
    abstract void look();

    @Override
    public final void run() {
      try {
        look();
      } catch (RuntimeException | Error unexpected) {
        log().log(System.Logger.Level.WARNING, "a task of the timer has failed", unexpected);
      }
    }
  }

  private void lookForBetterWays(Climb climb, Duration interval) {
    if (!interval.isZero()) {
      repeat(
          new Watch() {
            @Override
            void look() {
              Optional<Link> current = currentLink();
              if (current.isPresent()) {
                climb.look(current.get());
              }
            }
          },
          interval);
    }
  }

  private void watchClientJvms(Duration interval) {
    repeat(
        new Watch() {
          @Override
          void look() {
            leases.giveUpTheDead();
          }
        },
        interval);
  }

  private void repeat(Watch watch, Duration interval) {
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(
            watch, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Has the timer run what need not be done while the application starts, after {@link #LATER}.
   * What cannot be run is logged: nothing depends on it.
   */
  public void runLater(Runnable task) {
    try {
      ScheduledFuture<?> unused = timer.schedule(task, LATER.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RuntimeException | Error noThread) {
      log()
          .log(
              closed ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
              "a task of the timer is not run",
              noThread);
    }
  }

  /**
   * Sees to it that there is a link.
   *
   * @throws ConnectException there is none and none can be had now; certainly nothing was executed
   */
  public void ensureLink() throws IOException {
    link();
  }

  /**
   * Sees to it that there is a link, as long as the clock allows.
   *
   * @throws io.rmigate.client.deadline.CallTimeoutException that was not long enough
   */
  public void ensureLink(CallClock clock) throws IOException {
    link(clock);
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
  public LinkStream openStream(String host, int port, CallClock clock) throws IOException {
    if (!ObjectList.canName(new EndpointId(host, port))) {
      throw new ConnectException("no server can be at " + host + ":" + port);
    }
    return link(clock).openStream(host, port, Duration.ZERO, rmiHandshakeTimeout());
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
    return link().openRaw(host, port, Duration.ZERO);
  }

  /** The host under which inner JVMs see the gateway; empty while unknown. */
  public Optional<String> innerHost() {
    Link current = link;
    return current == null ? Optional.empty() : current.innerHost();
  }

  private boolean mustDeclare() {
    return !closed
        && currentLink().isEmpty()
        && (leases.keptByGateway() > 0 || callbacks.needLink());
  }

  /** Answers what the garbage collection asks. */
  public Leases leases() {
    return leases;
  }

  /** Has the gateway listen for exported objects. */
  public Callbacks callbacks() {
    return callbacks;
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
    Optional<Link> current = currentLink();
    if (current.isPresent()) {
      current.get().leave();
    }
  }

  /** What has been done so far, over all links. */
  public UsageCounters account() {
    return account;
  }

  /** The link in use, for figures; empty while there is none. */
  public Optional<Link> currentLink() {
    Link current = link;
    return current == null || !current.isUsable() ? Optional.empty() : Optional.of(current);
  }

  /** Whether anything has come from the gateway since then. */
  public boolean hasHeardSince(long nanos) {
    Link current = link;
    return current != null && current.hasHeardSince(nanos);
  }

  private Link link(CallClock clock) throws IOException {
    Link current = link;
    if (current != null && current.isUsable()) {
      return current;
    }
    return clock.isBounded() ? attempt.await(clock) : link();
  }

  private Link link() throws IOException {
    Link current = link;
    if (current != null && current.isUsable()) {
      return current;
    }
    long deadline = System.nanoTime() + connectTimeout.toNanos();
    if (!UninterruptibleWait.tryLock(opening, connectTimeout.toNanos())) {
      throw new ConnectException(
          "no link to the rmigate gateway within " + connectTimeout.toMillis() + " ms");
    }
    try {
      current = link;
      if (current != null && current.isUsable()) {
        return current;
      }
      while (true) {
        if (!closed) {
          awaitBackoff(deadline);
        }
        if (closed) {
          throw new ConnectException("rmigate is closed");
        }
        try {
          return open(Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime())));
        } catch (ConnectException failed) {
          if (!mayComeBack(failed)) {
            throw failed;
          }
        }
      }
    } finally {
      opening.unlock();
    }
  }

  /**
   * Whether a gateway that was reached before may come back: calls wait for it, as in its grace.
   */
  private boolean mayComeBack(ConnectException failed) {
    return link != null
        && !grace.isZero()
        && failed.getCause() instanceof IOException cause
        && Gateways.mayDoBetter(cause);
  }

  private Link open(Duration timeout) throws IOException {
    Link before = link;
    if (before != null && before.isDraining()) {
      gateways.leave(before.gateway());
    }
    try {
      startTimer();
      Link opened = openFirst(gateways.inOrder(), timeout);
      backoff.leasesAreKept(opened.leasesAreKept());
      backoff.onAttempt(true, System.nanoTime());
      lastFailure = "its session has just ended";
      return opened;
    } catch (IOException | RuntimeException | Error cause) {
      if (closed) {
        throw new ConnectException("rmigate is closed");
      }
      IOException failed =
          cause instanceof IOException known ? known : new IOException(cause.toString(), cause);
      backoff.onAttempt(false, System.nanoTime());
      lastFailure = failed.getMessage();
      log()
          .log(
              System.Logger.Level.WARNING,
              "no link to the rmigate gateway: " + failed.getMessage());
      ConnectException refused = new ConnectException(failed.getMessage());
      refused.initCause(failed);
      throw refused;
    }
  }

  /**
   * Everything that is timed finds a thread then, so that no session is half begun without. Not
   * before the first link: a JVM that uses no RMI has no thread of ours.
   */
  private void startTimer() throws IOException {
    try {
      timer.prestartCoreThread();
      if (!watching) {
        watching = true;
        if (leases.interval().isPresent()) {
          watchClientJvms(leases.interval().get());
        }
        lookForBetterWays(new Climb(connectTimeout), climbEvery);
      }
    } catch (RuntimeException | Error noThread) {
      throw new IOException("the thread rmigate-timer cannot be started: " + noThread, noThread);
    }
  }

  /** At the first of these gateways that will have us. */
  private Link openFirst(List<TransportConnector> candidates, Duration timeout) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    IOException last = null;
    int left = candidates.size();
    for (TransportConnector gateway : candidates) {
      try {
        long share = (deadline - System.nanoTime()) / left--;
        return openAt(gateway, Duration.ofNanos(Math.max(1_000_000, share)));
      } catch (IOException failed) {
        if (last != null) {
          failed.addSuppressed(last);
        }
        last = failed;
        if (closed || !Gateways.mayDoBetter(failed)) {
          break;
        }
      }
    }
    throw last;
  }

  private Link openAt(TransportConnector gateway, Duration timeout) throws IOException {
    Link opened = null;
    boolean done = false;
    try {
      long start = System.nanoTime();
      Resumption resumption = new Resumption(gateway, connectTimeout, grace, ownLink);
      Transport transport = gateway.connect(timeout);
      opened = new Link(transport, resumption, account, compression, mediation);
      greeting = opened; // close() ends it from here on
      if (closed) {
        opened.close();
      }
      try {
        opened.greet(timeout.minusNanos(System.nanoTime() - start), properties, timer);
      } catch (IOException failed) {
        if (!opened.hasHeard() && !closed) {
          gateway.wasSilent(transport);
        }
        throw failed;
      }
      grants.show(opened);
      leases.declareAll(opened);
      callbacks.onLinked(opened);
      opened.throwIfEnded();
      gateways.use(gateway);
      Link before = link;
      if (!drained.isEmpty()) {
        drained.removeIf(Link::hasEnded);
      }
      if (before != null && !before.hasEnded()) {
        drained.add(before); // ends when the gateway says goodbye
        opened.succeed(before);
      }
      boolean first = before == null;
      link = opened;
      if (first && !closed && onFirstLink != null) {
        timer.execute(onFirstLink);
      }
      if (closed) {
        throw new ConnectException("rmigate is closed");
      }
      done = true;
      return opened;
    } finally {
      greeting = null;
      if (opened != null && !done) {
        opened.close();
      }
    }
  }

  /**
   * The gateway of a session cannot be reached: whether the JVM has one elsewhere now. The session
   * is kept while no other gateway can be reached, because our own network may be down.
   */
  private boolean goElsewhere(Link lost) {
    if (!opening.tryLock()) {
      return false; // another thread opens a link; the next attempt to resume sees the result
    }
    try {
      List<TransportConnector> others = gateways.othersThan(lost.gateway());
      if (closed || others.isEmpty()) {
        return false;
      }
      if (link != lost) {
        return currentLink().isPresent();
      }
      openFirst(others, connectTimeout);
      gateways.leave(lost.gateway());
      log()
          .log(
              System.Logger.Level.INFO,
              "another rmigate gateway is used: {0} cannot be reached",
              lost.gateway());
      return true;
    } catch (IOException notThereEither) {
      log()
          .log(
              System.Logger.Level.DEBUG,
              "no other rmigate gateway either: {0}",
              notThereEither.getMessage());
      return false;
    } finally {
      opening.unlock();
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
    UninterruptibleWait.sleep(pause);
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
    for (Link old : drained) {
      old.close();
    }
    timer.shutdownNow();
  }
}
