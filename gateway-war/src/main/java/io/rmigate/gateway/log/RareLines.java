package io.rmigate.gateway.log;

import io.rmigate.protocol.AddressOwner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;

/**
 * Limits log lines that clients can cause at any rate: a number of lines a minute about one
 * subject, and a bounded number of subjects. The first line after the minute, or {@link #tick},
 * says how many lines were left out.
 *
 * <p>Addresses can be had in any number: they are bounded in all, too, and what they fill is not
 * missed by others.
 *
 * <p>Thread-safe. Nothing is logged under the lock.
 */
public final class RareLines {
  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  /** On lines that have been counted here, so that {@link BoundedLog} bounds their length only. */
  static final Marker COUNTED = new BasicMarkerFactory().getMarker("counted");

  /** About one caller. */
  private static final int OF_A_CALLER = 60;

  /** About all addresses. */
  private static final int OF_ADDRESSES = 600;

  private static final int MAX_CALLERS = 10_000;
  private static final int MAX_SUBJECTS = 100;

  /** Common subject of the lines for whose own subjects there was no room. */
  private static final String OTHERS = "others";

  /** Lines about one subject in this minute. */
  private static final class Count {
    int written;
    long leftOut;

    /** Logger of the latest line that was left out. */
    Logger log;
  }

  /** Summary of the lines about one subject that were left out in a minute. */
  private record LeftOut(Logger log, Object subject, long lines) {
    void say() {
      log.warn(COUNTED, "{}: {} similar lines of the last minute were left out", subject, lines);
    }
  }

  private final int aMinute;
  private final int maxSubjects;
  private final LongSupplier clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Counts of this minute. Guarded by {@code lock}, as is all that follows. */
  private final Map<Object, Count> counts = new HashMap<>();

  private int ofAddresses;
  private long minuteNanos;

  /** One a minute about the same thing. */
  public RareLines() {
    this(1, MAX_SUBJECTS, System::nanoTime);
  }

  /** About callers: the address stands for who has not logged in. */
  public static RareLines ofCallers() {
    return ofCallers(System::nanoTime);
  }

  /** Permits a number of lines a minute about one subject. */
  static RareLines of(int aMinute) {
    return new RareLines(aMinute, MAX_SUBJECTS, System::nanoTime);
  }

  static RareLines ofCallers(LongSupplier clock) {
    return new RareLines(OF_A_CALLER, MAX_CALLERS, clock);
  }

  RareLines(LongSupplier clock) {
    this(1, MAX_SUBJECTS, clock);
  }

  private RareLines(int aMinute, int maxSubjects, LongSupplier clock) {
    this.aMinute = aMinute;
    this.maxSubjects = maxSubjects;
    this.clock = clock;
  }

  /**
   * Whether to write a line now; no later line reports one that is left out.
   *
   * @param subject what it is about; equal to itself
   */
  public boolean mayWrite(Object subject) {
    return mayWrite(subject, null);
  }

  /**
   * Writes a line, or counts it.
   *
   * @param subject whom it is about; equal to itself, and fit for a log
   */
  public void warn(Logger log, Object subject, String text, Object... arguments) {
    write(log, Level.WARN, subject, text, arguments);
  }

  /** Writes a line at INFO, or counts it. */
  public void info(Logger log, Object subject, String text, Object... arguments) {
    write(log, Level.INFO, subject, text, arguments);
  }

  private void write(Logger log, Level level, Object subject, String text, Object... arguments) {
    if (log.isEnabledForLevel(level) && mayWrite(subject, log)) {
      if (level == Level.WARN) {
        log.warn(COUNTED, text, arguments);
      } else {
        log.info(COUNTED, text, arguments);
      }
    }
  }

  /** Says what was left out, if the minute is over. */
  public void tick() {
    List<LeftOut> over;
    lock.lock();
    try {
      over = minuteOver();
    } finally {
      lock.unlock();
    }
    over.forEach(LeftOut::say);
  }

  /**
   * Whether to write a line now; counts it among those left out if not.
   *
   * @param log of the line, where it is said how many were left out; null: that is not said
   */
  public boolean mayWrite(Object subject, Logger log) {
    boolean may;
    List<LeftOut> over;
    lock.lock();
    try {
      over = minuteOver();
      boolean ofAddress = subject instanceof AddressOwner;
      boolean full = ofAddress && ofAddresses >= OF_ADDRESSES;
      Count count = full ? counts.get(subject) : count(subject);
      may = !full && count != null && count.written < aMinute;
      if (may) {
        count.written++;
        ofAddresses += ofAddress ? 1 : 0;
      } else if (log != null) {
        leaveOut(count, log);
      }
    } finally {
      lock.unlock();
    }
    over.forEach(LeftOut::say);
    return may;
  }

  /** Null when there is no room for it. */
  private Count count(Object subject) {
    Count known = counts.get(subject);
    if (known != null || counts.size() >= maxSubjects) {
      return known;
    }
    Count added = new Count();
    counts.put(subject, added);
    return added;
  }

  private void leaveOut(Count count, Logger log) {
    Count of = count == null ? counts.computeIfAbsent(OTHERS, first -> new Count()) : count;
    of.leftOut++;
    of.log = log;
  }

  /** Begins the next one, if it is; what is to be said of it. */
  private List<LeftOut> minuteOver() {
    assert lock.isHeldByCurrentThread();
    long now = clock.getAsLong();
    if (counts.isEmpty()) {
      minuteNanos = now;
    }
    if (now - minuteNanos < MINUTE_NANOS) {
      return List.of();
    }
    List<LeftOut> over = new ArrayList<>();
    counts.forEach(
        (subject, count) -> {
          if (count.leftOut > 0) {
            over.add(new LeftOut(count.log, subject, count.leftOut));
          }
        });
    counts.clear();
    ofAddresses = 0;
    minuteNanos = now;
    return over;
  }
}
