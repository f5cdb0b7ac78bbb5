package io.rmigate.gateway.limit;

import com.github.benmanes.caffeine.cache.Ticker;
import io.github.bucket4j.Bucket;
import io.rmigate.protocol.tunnel.Ack;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Lookup;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the work that the links of one caller cause besides passing calls on, because a client
 * asks for it at next to no cost: each object that is leased, released or shown in a grant, each
 * other frame that asks for something, each refused call, and many frames without effect. Nothing
 * is refused: a link that asks for more than the rate is not read for a while, and TCP slows the
 * sender. The work of one second may come at once.
 *
 * <p>Thread-safe.
 */
public final class WorkLimiter {
  /** A call that is refused is looked into, logged, audited and answered. */
  public static final int REFUSED_CALL = 20;

  /** A lookup that insists on the registry is a call of the gateway's own. */
  static final int FRESH_LOOKUP = 10;

  /** This number of frames without effect counts as one chore, because each takes a moment. */
  public static final int SLIGHT_FRAMES = 16;

  /**
   * A smaller credit makes the gateway read servers in tiny pieces; agents give back half a window.
   */
  private static final int LEAST_CREDIT_BYTES = 256;

  /** A request that is a Call and nothing else: 41 bytes. In less a frame carries next to none. */
  private static final int LEAST_DATA_BYTES = 41;

  /** A call of a caller that is locked out. */
  public static final int LOCKED_OUT_CALL = 10 * REFUSED_CALL;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long LINE_NANOS = Duration.ofMinutes(1).toNanos();

  private final Bucket bucket;
  private final Ticker clock;
  private final AtomicLong lineNanos;

  /** With nothing asked for. */
  public WorkLimiter(int perSecond, Ticker clock) {
    this.clock = clock;
    this.lineNanos = new AtomicLong(clock.read() - LINE_NANOS);
    this.bucket =
        Bucket.builder()
            .withCustomTimePrecision(CallLimiter.meter(clock))
            .addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond, SECOND))
            .build();
  }

  /** The chores of a frame: none if it carries a call or answers the gateway. */
  public static int of(Frame frame) {
    if (frame instanceof Credit credit) {
      return credit.moreBytes() < LEAST_CREDIT_BYTES ? 1 : 0;
    } else if (frame instanceof Data
        || frame instanceof Ack
        || frame instanceof Close
        || frame instanceof HeartbeatAck) {
      return 0;
    } else if (frame instanceof Dirty dirty) {
      return 1 + dirty.objects().size();
    } else if (frame instanceof Clean clean) {
      return 1 + clean.objects().size();
    } else if (frame instanceof Grant grant) {
      return 1 + grant.objects().size();
    } else if (frame instanceof Lookup lookup) {
      return lookup.fresh() ? FRESH_LOOKUP : 1;
    }
    return 1;
  }

  /** Whether a frame has no chores and next to no payload, as frames of a flood do. */
  public static boolean isSlight(Frame frame) {
    return of(frame) == 0
        && !(frame instanceof Data data && data.bytes().length >= LEAST_DATA_BYTES);
  }

  /**
   * Counts chores that are done.
   *
   * @return nanoseconds for which the link that asked is not to be read; mostly 0
   */
  public long asked(long many) {
    return many == 0 ? 0 : bucket.consumeIgnoringRateLimits(many);
  }

  /** Whether a log line is due: at most one a minute. */
  public boolean mayWriteLine() {
    long before = lineNanos.get();
    long now = clock.read();
    return now - before >= LINE_NANOS && lineNanos.compareAndSet(before, now);
  }
}
