package io.rmigate.client.mediator;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkSource;
import io.rmigate.client.link.OtherGateway;
import io.rmigate.client.link.Resumption;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.client.transport.net.UninterruptibleWait;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Hello;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The link of one agent to its gateway: opened when it is needed, and again, with backoff, when it
 * was lost; at another of the configured gateways, if need be. Thread-safe.
 *
 * <p>A thread that needs a link while another one opens it waits for that attempt, within the
 * connect timeout; so long it also waits for a gateway that has been there and is not.
 */
final class AgentLink implements LinkSource, OtherGateway, BooleanSupplier {
  private final Gateways gateways;
  private final Duration connectTimeout;
  private final Map<String, String> properties;
  private final Compression compression;
  private final Duration grace;
  private final UsageCounters account;
  private final AgentTimer timer;
  private final LinkAttempt attempt = new LinkAttempt(this);

  /** Set once, before the agent is shared. */
  private Mediation mediation;

  /** Guards opening: held during the whole attempt, so that there is one at a time. */
  private final ReentrantLock opening = new ReentrantLock();

  /** Run once, on the timer; null when there is nothing to run. Guarded by {@code opening}. */
  private Runnable onFirstLink;

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
   * No link yet.
   *
   * @param connector to all gateways; which of them is used is decided here
   * @param timer started with the first attempt
   */
  AgentLink(
      TransportConnector connector,
      MediatorSettings settings,
      UsageCounters account,
      AgentTimer timer) {
    this.gateways = new Gateways(connector.each());
    this.connectTimeout = settings.connectTimeout();
    this.compression = settings.compression();
    // Half of the time is left for the attempt itself.
    this.backoff = new Backoff(connectTimeout.dividedBy(2), null);
    this.grace = settings.grace();
    this.properties = settings.helloProperties();
    this.account = account;
    this.timer = timer;
  }

  /** Sets the listener of all links; called before the first link is opened. */
  void mediation(Mediation listener) {
    mediation = listener;
  }

  /** Runs a task on the timer once there has been a link. Call it before that. */
  void whenFirstLinked(Runnable task) {
    opening.lock();
    try {
      onFirstLink = task;
    } finally {
      opening.unlock();
    }
  }

  /** The link in use; empty while there is none. */
  Optional<Link> current() {
    Link current = link;
    return current == null || !current.isUsable() ? Optional.empty() : Optional.of(current);
  }

  /** The link that was opened last, usable or not; null before the first. */
  Link latest() {
    return link;
  }

  /** Whether something must be declared and there is no link. */
  @Override
  public boolean getAsBoolean() {
    return !closed && current().isEmpty() && mediation.mustDeclare();
  }

  @Override
  public Link link(CallClock clock) throws IOException {
    Link current = link;
    if (current != null && current.isUsable()) {
      return current;
    }
    return clock.isBounded() ? attempt.await(clock) : link();
  }

  @Override
  public Link link() throws IOException {
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
      timer.start(); // not sooner: a JVM that uses no RMI has no thread of ours
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

  /**
   * At that gateway. Where the hello has travelled with the handshake, and no frame has come since,
   * the connector tries once more, and knows which transport was silent.
   */
  private Link openAt(TransportConnector gateway, Duration timeout) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    Link opened = openOnce(gateway, timeout, true);
    long left = deadline - System.nanoTime();
    return opened != null
        ? opened
        : openOnce(gateway, Duration.ofNanos(Math.max(1_000_000, left)), false);
  }

  /**
   * @param isFirst whether there is another attempt
   * @return null: another attempt may use another transport
   */
  private Link openOnce(TransportConnector gateway, Duration timeout, boolean isFirst)
      throws IOException {
    Link opened = null;
    boolean done = false;
    try {
      long start = System.nanoTime();
      Resumption resumption = new Resumption(gateway, connectTimeout, grace, this);
      Hello hello = Link.hello(resumption, compression, mediation, properties);
      Transport transport = gateway.connect(timeout, hello);
      opened = new Link(transport, resumption, account, compression, mediation);
      greeting = opened; // close() ends it from here on
      if (closed) {
        opened.close();
      }
      try {
        opened.greet(timeout.minusNanos(System.nanoTime() - start), hello, timer);
      } catch (IOException failed) {
        if (!opened.hasHeard() && !closed) {
          gateway.wasSilent(transport);
          if (isFirst && transport.isUnproven() && System.nanoTime() - start < timeout.toNanos()) {
            return null;
          }
        }
        throw failed;
      }
      mediation.onOpened(opened);
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
  @Override
  public boolean isFound(Link lost) {
    if (!opening.tryLock()) {
      return false; // another thread opens a link; the next attempt to resume sees the result
    }
    try {
      List<TransportConnector> others = gateways.othersThan(lost.gateway());
      if (closed || others.isEmpty()) {
        return false;
      }
      if (link != lost) {
        return current().isPresent();
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
  void close() {
    closed = true;
    for (Link current : new Link[] {greeting, link}) {
      if (current != null) {
        current.close();
      }
    }
    for (Link old : drained) {
      old.close();
    }
  }

  /** The logger of the agent. No constant, see {@link MediatorAgent}. */
  private static System.Logger log() {
    return System.getLogger(MediatorAgent.class.getName());
  }
}
