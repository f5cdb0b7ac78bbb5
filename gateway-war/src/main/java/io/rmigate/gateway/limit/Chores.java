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
 * What the links of one caller have the gateway do besides passing calls on, which cost a client
 * next to nothing: each object that is held, let go or shown in a grant, each other frame that asks
 * for something, calls that are refused, and many frames that do nothing. Nothing is refused for
 * being too many chores: the links of who asks for more than so many a second rest, unread, until
 * it has been made up for, and TCP holds the sender back. A second's worth may come at once.
 *
 * <p>Thread-safe.
 */
public final class Chores {
  /** A call that is refused is looked into, logged, audited and answered. */
  public static final int REFUSED_CALL = 20;

  /** A lookup that insists on the registry is a call of the gateway's own. */
  static final int FRESH_LOOKUP = 10;

  /** Frames that ask for nothing cost a moment nevertheless: so many of them are a chore. */
  public static final int SLIGHT_FRAMES = 16;

  /** Room for less makes the gateway read servers in crumbs; agents give back halves of windows. */
  private static final int LEAST_CREDIT_BYTES = 256;

  /** A request that is a Call and nothing else: 41 bytes. In less a frame carries next to none. */
  private static final int LEAST_DATA_BYTES = 41;

  /** Who is locked out has nothing to ask. */
  public static final int LOCKED_OUT_CALL = 10 * REFUSED_CALL;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long LINE_NANOS = Duration.ofMinutes(1).toNanos();

  private final Bucket bucket;
  private final Ticker clock;
  private final AtomicLong lineNanos;

  /** With nothing asked for. */
  public Chores(int perSecond, Ticker clock) {
    this.clock = clock;
    this.lineNanos = new AtomicLong(clock.read() - LINE_NANOS);
    this.bucket =
        Bucket.builder()
            .withCustomTimePrecision(CallLimiter.meter(clock))
            .addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond, SECOND))
            .build();
  }

  /** How many a frame asks for: what carries calls, or answers us, for none. */
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

  /** Whether a frame that asks for nothing carries next to nothing, either: a flood is made so. */
  public static boolean isSlight(Frame frame) {
    return of(frame) == 0
        && !(frame instanceof Data data && data.bytes().length >= LEAST_DATA_BYTES);
  }

  /**
   * So many have been asked for, and are done.
   *
   * @return for how many nanoseconds the link that has brought them is to rest; mostly 0
   */
  public long asked(long many) {
    return many == 0 ? 0 : bucket.consumeIgnoringRateLimits(many);
  }

  /** Whether the log has not heard of it for a minute. */
  public boolean mayWriteLine() {
    long before = lineNanos.get();
    long now = clock.read();
    return now - before >= LINE_NANOS && lineNanos.compareAndSet(before, now);
  }
}
