package io.rmigate.client.program.sidecar;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.link.Link;
import io.rmigate.client.mediator.MediatorAgent;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * All reverse forwards of a sidecar: has the gateway listen for each of them, also when the link
 * comes later, and tells the JVMs here at the end that their objects are released. The agent sees
 * to it that each gateway that follows listens too.
 *
 * <p>{@code lock} guards the open forwards; no foreign code runs under it.
 */
final class ReverseForwards implements Closeable {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** JDKs do so after 15 s, and look for such connections every so often (JRMP.md 1.4). */
  private static final Duration LONGEST_REST = Duration.ofSeconds(35);

  /** How long the JVMs here may take to hear that their objects are released. */
  private static final long PATIENCE_MILLIS = 2_000;

  /** The time that a busy gateway may take to end a session. */
  private static final Duration SLACK = Duration.ofSeconds(15);

  private final MediatorAgent agent;
  private final ExecutorService threads;
  private final Duration longestRest;
  private final PreviousSession before;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private final Deque<ReversePort> missing;
  private final List<Open> open = new ArrayList<>();
  private boolean closed;

  private record Open(ReverseForward forward, Closeable atGateway) {}

  ReverseForwards(MediatorAgent agent, List<ReversePort> reverses) {
    this(agent, reverses, LONGEST_REST, new PreviousSession(SLACK, FIRST_PAUSE));
  }

  /**
   * Reverse forwards where inner JVMs give up connections that they do not use after so long.
   *
   * @param before what may have the ports at the beginning
   */
  ReverseForwards(
      MediatorAgent agent,
      List<ReversePort> reverses,
      Duration longestRest,
      PreviousSession before) {
    this.agent = agent;
    this.longestRest = longestRest;
    this.before = before;
    this.missing = new ArrayDeque<>(reverses);
    AtomicLong number = new AtomicLong();
    this.threads =
        Executors.newCachedThreadPool(
            task -> Daemons.unstarted("rmigate-reverse " + number.incrementAndGet(), task));
  }

  /**
   * Makes the gateway listen at all ports at which it does not listen yet. It waits for a port in
   * use for as long as a killed sidecar may have it.
   *
   * @param hears a line for people for each of them, and before a wait
   * @throws InterruptedIOException all was closed meanwhile
   * @throws IOException the gateway does not listen at a port; the message says what to do
   */
  void open(Consumer<String> hears) throws IOException {
    for (ReversePort next = next(); next != null; next = next()) {
      try {
        open(next, hears);
      } catch (BindException inUse) {
        awaitSessionBefore(inUse, next, hears);
      }
    }
    if (isClosed()) {
      throw new InterruptedIOException("ended before the gateway listened");
    }
  }

  private void open(ReversePort which, Consumer<String> hears) throws IOException {
    ReverseForward forward = new ReverseForward(which, agent.account(), threads, longestRest);
    Closeable atGateway =
        agent
            .callbacks()
            .forward(which.port(), forward)
            .orElseThrow(
                () ->
                    new IOException(
                        "the gateway offers no callbacks: set callbacks in its configuration, or"
                            + " omit --reverse"));
    opened(which, new Open(forward, atGateway));
    hears.accept(at(which) + " leads to " + which.local());
  }

  private String at(ReversePort which) {
    return agent.innerHost().orElse("the gateway's inner host") + ":" + which.port();
  }

  /** Waits a little; the last time ends with the very end of that session. */
  private void awaitSessionBefore(BindException inUse, ReversePort which, Consumer<String> hears)
      throws IOException {
    Optional<Link> link = agent.currentLink();
    Duration longest =
        before.begin(
            link.map(Link::silenceAtGateway).orElse(Duration.ZERO),
            link.map(Link::graceAtGateway).orElse(Duration.ZERO));
    Duration pause = before.pause();
    if (pause.isZero()) {
      throw new IOException(
          inUse.getMessage() + "; the session of a killed sidecar would have released it by now",
          inUse);
    }
    if (!longest.isZero()) {
      hears.accept(
          at(which)
              + " is in use, perhaps because a sidecar was killed: waiting until its session at"
              + " the gateway has expired, "
              + longest.toSeconds()
              + " s at most");
    }
    pause(pause);
  }

  private ReversePort next() {
    lock.lock();
    try {
      return closed ? null : missing.peek();
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  private void opened(ReversePort which, Open now) throws IOException {
    boolean tooLate;
    lock.lock();
    try {
      missing.remove(which);
      tooLate = closed;
      if (!tooLate) {
        open.add(now);
      }
    } finally {
      lock.unlock();
    }
    if (tooLate) {
      now.atGateway().close();
    }
  }

  /** Opens the ports in the background, as soon as there is a link. */
  void openLater(Consumer<String> hears) throws NoThreadException {
    Daemons.start("rmigate-reverse-open", () -> keepOpening(hears));
  }

  private void keepOpening(Consumer<String> hears) {
    Duration pause = FIRST_PAUSE;
    String said = "";
    while (next() != null) {
      try {
        open(hears);
      } catch (IOException notYet) {
        if (!notYet.getMessage().equals(said) && !isClosed() && agent.currentLink().isPresent()) {
          said = notYet.getMessage();
          System.getLogger(ReverseForwards.class.getName())
              .log(System.Logger.Level.WARNING, said + "; the sidecar asks again at intervals");
        }
        pause(pause);
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : pause.multipliedBy(2);
      }
    }
  }

  private void pause(Duration time) {
    long left = time.toNanos();
    lock.lock();
    try {
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all of them, and waits a little until the JVMs here know. Idempotent. */
  @Override
  public void close() {
    List<Open> ending;
    lock.lock();
    try {
      closed = true;
      ending = List.copyOf(open);
      open.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    for (Open each : ending) {
      try {
        each.atGateway().close();
      } catch (IOException impossible) {
        throw new AssertionError("nothing is closed but queues", impossible);
      }
    }
    for (Open each : ending) {
      each.forward().awaitReleased(TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
    }
    threads.shutdown();
  }
}
