package io.rmigate.client.link;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.net.ConnectWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A connection beside a silent one. If the silent connection answers first, the second one is
 * closed unused; otherwise the session moves to it (PROTOCOL.md, section 6). Failed attempts are
 * repeated, with growing pauses, until the silent connection answers or is given up.
 *
 * <p>Threads: one of its own for as long as it tries. {@link #cancel} and {@link #isOver} from any.
 */
final class SecondConnection implements Runnable {
  /** The time of the first attempt, if round trips are shorter; it doubles with the next ones. */
  private static final Duration FIRST_ATTEMPT = Duration.ofSeconds(2);

  /** Attempts after which the time begins anew. */
  private static final int CYCLE = 4;

  /** Time of an attempt: connecting takes four or five, more if the network loses a packet. */
  private static final int ROUND_TRIPS = 10;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger(SecondConnection.class.getName());

  private final Link link;
  private final Carrier carrier;
  private final Resumption resumption;
  private final Transport silent;
  private final long begunNanos = System.nanoTime();
  private volatile ConnectWatch attempt = new ConnectWatch();
  private volatile boolean cancelled;
  private volatile boolean over;

  private SecondConnection(Link link, Carrier carrier, Resumption resumption, Transport silent) {
    this.link = link;
    this.carrier = carrier;
    this.resumption = resumption;
    this.silent = silent;
  }

  /** Begins the first attempt. Never blocks. */
  static SecondConnection begin(
      Link link, Carrier carrier, Resumption resumption, Transport silent, long silenceNanos) {
    SecondConnection second = new SecondConnection(link, carrier, resumption, silent);
    LOG.log(
        System.Logger.Level.INFO,
        "nothing heard for {0} ms, connecting beside: {1}",
        TimeUnit.NANOSECONDS.toMillis(silenceNanos),
        silent);
    try {
      Daemons.start("rmigate-second", second);
    } catch (NoThreadException another) {
      second.over = true; // another time
    }
    return second;
  }

  /**
   * How long an attempt to connect may take on a link with such round trips. Short ones follow long
   * ones: a connection that was begun before the network has changed hangs.
   */
  static Duration attempt(long roundTripNanos, int attempts, Duration longest) {
    long shortest = Math.max(FIRST_ATTEMPT.toNanos(), ROUND_TRIPS * roundTripNanos);
    return Duration.ofNanos(Math.min(shortest << (attempts % CYCLE), longest.toNanos()));
  }

  /**
   * The silent connection has answered, or the link has ended. Ends an attempt to connect; a
   * connection that has been made is closed by {@link #run}, or used. Never waits.
   */
  void cancel() {
    cancelled = true;
    attempt.abandon();
  }

  /** Whether it tries no more. */
  boolean isOver() {
    return over;
  }

  @Override
  public void run() {
    try {
      Duration pause = FIRST_PAUSE;
      for (int attempts = 0; isNeeded() && !attempt(attempts); attempts++) {
        double share = ThreadLocalRandom.current().nextDouble(0.5, 1.0);
        carrier.awaitOver((long) (pause.toNanos() * share));
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
      }
    } finally {
      over = true;
      if (!carrier.isOver() && carrier.connection().orElse(null) == silent) {
        LOG.log(System.Logger.Level.INFO, "the link answers again: {0}", silent);
      }
    }
  }

  private boolean isNeeded() {
    return !cancelled
        && !link.hasHeardSince(begunNanos)
        && !carrier.isOver()
        && carrier.connection().orElse(null) == silent;
  }

  /** Whether no other attempt is needed. */
  private boolean attempt(int attempts) {
    Duration timeout = attempt(link.roundTripNanos(), attempts, resumption.connectTimeout());
    try {
      ConnectWatch watch = new ConnectWatch();
      attempt = watch;
      if (cancelled) {
        return true; // before it could be seen that there is something to abandon
      }
      Transport second =
          attempts == 0 // later ones try each way
              ? resumption.connector().connect(timeout, watch)
              : resumption.connector().connect(timeout);
      attempt = new ConnectWatch(); // from here on the session may use the connection
      if (!isNeeded()) {
        second.close();
        return true;
      }
      return carrier.moveTo(second, timeout);
    } catch (IOException | RejectedExecutionException notNow) {
      LOG.log(System.Logger.Level.DEBUG, "no second connection yet: {0}", notNow);
      return false;
    }
  }
}
