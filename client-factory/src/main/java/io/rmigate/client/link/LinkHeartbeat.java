package io.rmigate.client.link;

import io.rmigate.client.transport.net.Networks;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The watch over one link: sends heartbeats when the link rests, and ends the link when the gateway
 * stays silent. {@link #run} is called by the timer, twice per heartbeat interval or more often
 * when the link may rest for less; it never blocks.
 *
 * <p>While something waits for the gateway, of a session that can be resumed, it is also called as
 * often as its {@link SilenceWatch} wants. The first send after a rest plans the first of these
 * calls; a link that rests has none.
 */
final class LinkHeartbeat implements Runnable {
  /** Heartbeats that may stay unanswered before the link counts as dead. */
  static final int SILENT_HEARTBEATS = 3;

  /** Time from the beginning of a wait to the first look; shorter waits are not watched. */
  private static final long FIRST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** A clock that jumps so far shows that the machine or the process was suspended. */
  private static final long SLEEP_MILLIS = 2_000;

  /** How many received bytes may stay unacknowledged on a link that rests. */
  private static final int UNACKNOWLEDGED_AT_REST_BYTES = 1024;

  private static final System.Logger LOG = System.getLogger(Link.class.getName());

  private final Link link;
  private final Carrier carrier;
  private final LinkCoding coding;
  private final RestTime rest;
  private final Resumption resumption;
  private final AcceptedStreams accepted;

  /** The timer that {@link #start} was given. Written before {@code scheduled}. */
  private ScheduledExecutorService timer;

  private Duration interval;

  private volatile long periodNanos;

  /** Whether the session can go on over another connection. Written before {@code scheduled}. */
  private boolean watchesSilence;

  /** Null until started. */
  private volatile ScheduledFuture<?> scheduled;

  /** Confined to the timer. */
  private long lastReportNanos = System.nanoTime();

  /** The latest periodic look, on the clock of {@link System#nanoTime}; confined to the timer. */
  private long lastCheckNanos = System.nanoTime();

  /** How much the wall clock is ahead of {@link System#nanoTime}; confined to the timer. */
  private long wallAheadMillis = wallAheadMillis();

  /** Null until something has waited for a while; written by the timer. */
  private volatile SilenceWatch silence;

  /** The network of this machine at the latest slow look; null before. Confined to the timer. */
  private String network;

  /** Whether the next look at the silence is far away, or none is planned. */
  private volatile boolean isRelaxed = true;

  /** Start of the wait that is watched. */
  private volatile long askedNanos;

  /** The next look at the silence; null while none is planned. */
  private final AtomicReference<ScheduledFuture<?>> look = new AtomicReference<>();

  LinkHeartbeat(
      Link link,
      Carrier carrier,
      LinkCoding coding,
      RestTime rest,
      Resumption resumption,
      AcceptedStreams accepted) {
    this.link = link;
    this.carrier = carrier;
    this.coding = coding;
    this.rest = rest;
    this.resumption = resumption;
    this.accepted = accepted;
  }

  /**
   * Called once, after the welcome.
   *
   * @param heartbeat the interval that the gateway asks for
   * @throws RejectedExecutionException the timer has been shut down
   */
  void start(ScheduledExecutorService runner, Duration heartbeat) {
    timer = runner;
    interval = heartbeat;
    watchesSilence = !link.graceAtGateway().isZero() && resumption.isWanted();
    schedule();
    if (watchesSilence) {
      link.outbound().watchWith(this);
      link.inbound().watchWith(this);
    }
  }

  private void schedule() {
    long period = Math.max(1, rest.within(interval).toNanos() / 2);
    periodNanos = period;
    ScheduledFuture<?> before = scheduled;
    scheduled = timer.scheduleWithFixedDelay(this, period, period, TimeUnit.NANOSECONDS);
    if (before != null) {
      before.cancel(false);
    }
    if (link.hasEnded()) {
      stop();
    }
  }

  void stop() {
    ScheduledFuture<?> running = scheduled;
    if (running != null) {
      running.cancel(false);
    }
    plan(null);
    SilenceWatch watch = silence;
    if (watch != null) {
      watch.cancel();
    }
  }

  private void plan(ScheduledFuture<?> next) {
    ScheduledFuture<?> before = look.getAndSet(next);
    if (before != null) {
      before.cancel(false);
    }
  }

  /** Something is being sent. From any thread, with the lock of the outbound half held. */
  void onSending(long now) {
    if (isRelaxed) {
      isRelaxed = false;
      askedNanos = now;
      lookIn(FIRST_LOOK_NANOS);
    }
  }

  /** A thread waits for the gateway. It may have sent its request a while ago. */
  void onWaiting() {
    if (isRelaxed) {
      onSending(System.nanoTime());
    }
  }

  /** The gateway has answered a heartbeat. By the reader of the link. */
  void onAck() {
    SilenceWatch watch = silence;
    if (watch != null) {
      watch.cancel();
    }
  }

  private void lookIn(long nanos) {
    try {
      plan(timer.schedule(this, nanos, TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException closed) {
      // The agent ends, and needs no watch any more.
    }
  }

  /** A connection has ended without a word, and another one will follow. From any thread. */
  void onCut() {
    long used = Math.max(link.inbound().lastReadNanos(), link.outbound().lastWriteNanos());
    rest.cutAfter(System.nanoTime() - Math.max(used, carrier.upSinceNanos()));
    if (scheduled != null) { // otherwise it starts with what this cut has taught
      try {
        schedule();
      } catch (RejectedExecutionException closed) {
        LOG.log(System.Logger.Level.DEBUG, () -> "no heartbeats any more: " + carrier);
      }
    }
  }

  @Override
  public void run() {
    try {
      long now = System.nanoTime();
      if (now - lastCheckNanos >= periodNanos - periodNanos / 16) { // else a look came before
        check(now);
        lastCheckNanos = now;
      }
      watchSilence(now);
    } catch (RejectedExecutionException closed) {
      // The agent ends, and needs no watch any more.
    } catch (RuntimeException | Error ourOwn) { // unwatched, a dead link would not be noticed
      link.fail(new LinkLostException("the link cannot be watched: " + ourOwn, ourOwn));
    }
  }

  private void check(long now) {
    if (!carrier.isUp()) {
      return; // the resumer limits how long that lasts
    }
    boolean moved = watchesSilence && hasMoved(now);
    long longestRest = rest.within(interval).toNanos();
    long silent = now - Math.max(link.inbound().lastReadNanos(), carrier.upSinceNanos());
    if (silent > SILENT_HEARTBEATS * interval.toNanos()) {
      link.lost(
          new LinkLostException(
              "nothing was heard of the rmigate gateway for "
                  + Duration.ofNanos(silent).toSeconds()
                  + " s",
              null));
    } else if (silent > longestRest || now - link.outbound().lastWriteNanos() > longestRest / 2) {
      rest.kept();
      link.acknowledge(UNACKNOWLEDGED_AT_REST_BYTES);
      link.outbound().sendLater(coding.heartbeat());
    } else if (moved) {
      link.outbound().sendLater(coding.heartbeat());
    }
    if (now - lastReportNanos > interval.toNanos() / 2) {
      lastReportNanos = now;
      link.reportChanges();
    }
    link.outbound().releaseIdleCoder(now);
  }

  /**
   * Looks at the silence if that is planned, and plans the next look. A look that {@link
   * #onSending} plans meanwhile comes before that one, and stays.
   */
  private void watchSilence(long now) {
    ScheduledFuture<?> planned = look.get();
    if (planned == null) {
      return;
    }
    isRelaxed = true; // what is sent from here on plans a look
    long asked = askedNanos;
    if (!awaitsGateway() && now - link.outbound().lastWriteNanos() > FIRST_LOOK_NANOS) {
      if (silence != null) {
        silence.rest();
      }
      if (look.compareAndSet(planned, null)) {
        planned.cancel(false);
      }
      return;
    }
    if (silence == null) {
      silence = new SilenceWatch(link, carrier, coding, resumption, interval, network);
    }
    long nanos = silence.look(now, asked);
    ScheduledFuture<?> next = timer.schedule(this, nanos, TimeUnit.NANOSECONDS);
    if (!look.compareAndSet(planned, next)) {
      next.cancel(false);
      return;
    }
    planned.cancel(false);
    if (nanos <= SilenceWatch.silenceNanos(link.roundTripNanos())) {
      isRelaxed = false;
    }
    if (link.hasEnded()) {
      stop();
    }
  }

  /** Whether something waits for the gateway, or may be called by it. */
  private boolean awaitsGateway() {
    return link.inbound().isAwaited()
        || link.outbound().isSending()
        || coding.isWaiting()
        || !accepted.all().isEmpty();
  }

  /** Whether this machine is in another network than before, or was suspended. */
  private boolean hasMoved(long now) {
    long ahead = wallAheadMillis();
    boolean slept = Math.abs(ahead - wallAheadMillis) > SLEEP_MILLIS;
    wallAheadMillis = ahead;
    slept |= now - lastCheckNanos > periodNanos + TimeUnit.MILLISECONDS.toNanos(SLEEP_MILLIS);
    String before = network;
    network = Networks.ofThisMachine();
    boolean changed = before != null && !before.equals(network);
    if (silence != null) {
      silence.onNetwork(network);
    }
    return slept || changed;
  }

  private static long wallAheadMillis() {
    return System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
