package io.rmigate.gateway.limit;

import com.github.benmanes.caffeine.cache.Ticker;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the calls of one principal, or by one entry of {@code targets}, within {@link CallLimits}.
 * No call waits: a call beyond a limit is refused. Thread-safe.
 */
public final class CallLimiter {

  /** The limit that a call exceeds. */
  public enum Bound {
    RATE("limit-rate", "calls-per-second"),
    IN_PROGRESS("limit-in-progress", "calls-in-progress"),
    BYTES("limit-bytes", "bytes-per-second");

    private final String word;
    private final String key;

    Bound(String word, String key) {
      this.word = word;
      this.key = key;
    }

    /** For metrics and audit. */
    public String word() {
      return word;
    }

    /** Its name in the configuration. */
    public String key() {
      return key;
    }
  }

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long LINE_NANOS = Duration.ofMinutes(1).toNanos();

  private final String where;
  private final Ticker clock;
  private final Optional<Bucket> calls;
  private final Optional<Bucket> bytes;
  private final Share inProgress;
  private final AtomicLong lineNanos;

  /**
   * A limiter with nothing used up.
   *
   * @param where in the configuration it stands
   */
  public CallLimiter(String where, CallLimits limits, Ticker clock) {
    this.where = where;
    this.clock = clock;
    this.calls =
        bucket(
            limits.callsPerSecond(),
            limits.burst().orElse(limits.callsPerSecond().orElse(0)),
            clock);
    this.bytes = bucket(limits.bytesPerSecond(), limits.bytesPerSecond().orElse(0), clock);
    this.inProgress = new Share(Quota.of(limits.callsInProgress().orElse(Integer.MAX_VALUE)));
    this.lineNanos = new AtomicLong(clock.read() - LINE_NANOS);
  }

  private static Optional<Bucket> bucket(OptionalInt perSecond, int most, Ticker clock) {
    return perSecond.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Bucket.builder()
                .withCustomTimePrecision(meter(clock))
                .addLimit(limit -> limit.capacity(most).refillGreedy(perSecond.getAsInt(), SECOND))
                .build());
  }

  /** The clock as buckets read it. */
  static TimeMeter meter(Ticker clock) {
    return new TimeMeter() {
      @Override
      public long currentTimeNanos() {
        return clock.read();
      }

      @Override
      public boolean isWallClockBased() {
        return false;
      }
    };
  }

  /** Begins a call, or returns the limit that it exceeds. */
  Optional<Bound> begin() {
    if (bytes.isPresent() && bytes.get().getAvailableTokens() <= 0) {
      return Optional.of(Bound.BYTES);
    }
    if (!inProgress.take(1)) {
      return Optional.of(Bound.IN_PROGRESS);
    }
    if (calls.isPresent() && !calls.get().tryConsume(1)) {
      inProgress.release(1);
      return Optional.of(Bound.RATE);
    }
    return Optional.empty();
  }

  /** A call that has begun here is not let through, because of another limit. */
  void takeBack() {
    inProgress.release(1);
    calls.ifPresent(bucket -> bucket.addTokens(1));
  }

  /** A call that has begun here is over. */
  void end() {
    inProgress.release(1);
  }

  /** Counts bytes that pass, even beyond the limit. */
  void carried(int count) {
    if (count > 0) {
      bytes.ifPresent(bucket -> bucket.consumeIgnoringRateLimits(count));
    }
  }

  /** Whether a log line is due: at most one a minute. */
  public boolean mayWriteLine() {
    long before = lineNanos.get();
    long now = clock.read();
    return now - before >= LINE_NANOS && lineNanos.compareAndSet(before, now);
  }

  /** Where in the configuration it stands. */
  @Override
  public String toString() {
    return where;
  }
}
