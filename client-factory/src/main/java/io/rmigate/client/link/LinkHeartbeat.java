package io.rmigate.client.link;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The watch over one link: sends heartbeats when the link rests, and ends the link when the gateway
 * stays silent. {@link #run} is called by the timer, twice per heartbeat interval or more often
 * when the link may rest for less; it never blocks.
 */
final class LinkHeartbeat implements Runnable {
  /** Heartbeats that may stay unanswered before the link counts as dead. */
  static final int SILENT_HEARTBEATS = 3;

  /** How many received bytes may stay unacknowledged on a link that rests. */
  private static final int UNACKNOWLEDGED_AT_REST_BYTES = 1024;

  private static final System.Logger LOG = System.getLogger(Link.class.getName());

  private final Link link;
  private final Carrier carrier;
  private final LinkCoding coding;
  private final RestTime rest;

  /** What {@link #start} was given. Written before {@code scheduled}. */
  private ScheduledExecutorService timer;

  private Duration interval;

  /** Null until started. */
  private volatile ScheduledFuture<?> scheduled;

  /** Confined to the timer. */
  private long lastReportNanos = System.nanoTime();

  LinkHeartbeat(Link link, Carrier carrier, LinkCoding coding, RestTime rest) {
    this.link = link;
    this.carrier = carrier;
    this.coding = coding;
    this.rest = rest;
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
    schedule();
  }

  private void schedule() {
    long period = Math.max(1, rest.within(interval).toNanos() / 2);
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
      check();
    } catch (RuntimeException | Error ourOwn) { // unwatched, a dead link would not be noticed
      link.fail(new LinkLostException("the link cannot be watched: " + ourOwn, ourOwn));
    }
  }

  private void check() {
    if (!carrier.isUp()) {
      return; // the resumer limits how long that lasts
    }
    long now = System.nanoTime();
    long longestRest = rest.within(interval).toNanos();
    long silence = now - Math.max(link.inbound().lastReadNanos(), carrier.upSinceNanos());
    if (silence > SILENT_HEARTBEATS * interval.toNanos()) {
      link.lost(
          new LinkLostException(
              "nothing was heard of the rmigate gateway for "
                  + Duration.ofNanos(silence).toSeconds()
                  + " s",
              null));
    } else if (silence > longestRest || now - link.outbound().lastWriteNanos() > longestRest / 2) {
      rest.kept();
      link.acknowledge(UNACKNOWLEDGED_AT_REST_BYTES);
      link.outbound().sendLater(coding.heartbeat());
    }
    if (now - lastReportNanos > interval.toNanos() / 2) {
      lastReportNanos = now;
      link.reportChanges();
    }
    link.outbound().releaseIdleCoder(now);
  }
}
