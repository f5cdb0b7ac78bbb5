package io.rmigate.perf.gatling;

import io.rmigate.perf.harness.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long requests took, in nanoseconds: Gatling counts milliseconds, which are more than a call
 * on a fast network takes. Thread-safe.
 */
final class Tally {
  /** Samples of a request at a level that are kept; later ones are only counted. 8 MB. */
  static final int MOST_SAMPLES = 1_000_000;

  private static final int FIRST_CAPACITY = 1_024;

  private final Map<List<String>, Series> byRequest = new ConcurrentSkipListMap<>(Tally::compare);

  private static int compare(List<String> a, List<String> b) {
    return Arrays.compare(a.toArray(String[]::new), b.toArray(String[]::new));
  }

  void succeeded(String level, String request, long began, long ended) {
    series(level, request).add(began, ended);
  }

  void failed(String level, String request, long began, long ended, Throwable failure) {
    series(level, request).addFailure(began, ended, failure);
  }

  private Series series(String level, String request) {
    return byRequest.computeIfAbsent(List.of(level, request), unused -> new Series());
  }

  /**
   * All requests so far, in the order of their names.
   *
   * @param duration of a level; its rate refers to at least that time
   */
  List<Outcome> outcomes(Duration duration) {
    List<Outcome> outcomes = new ArrayList<>();
    byRequest.forEach(
        (key, series) -> outcomes.add(series.outcome(key.get(0), key.get(1), duration)));
    return outcomes;
  }

  private static final class Series {
    private final ReentrantLock lock = new ReentrantLock();
    private long[] nanos = new long[FIRST_CAPACITY];
    private long succeeded;
    private long failed;
    private long longestFailure;
    private String firstFailure = "";
    private long firstBegan;
    private long lastEnded;

    void add(long began, long ended) {
      lock.lock();
      try {
        span(began, ended);
        if (succeeded == nanos.length && succeeded < MOST_SAMPLES) {
          nanos = Arrays.copyOf(nanos, Math.min(MOST_SAMPLES, 2 * nanos.length));
        }
        if (succeeded < nanos.length) {
          nanos[(int) succeeded] = ended - began;
        }
        succeeded++;
      } finally {
        lock.unlock();
      }
    }

    void addFailure(long began, long ended, Throwable failure) {
      lock.lock();
      try {
        span(began, ended);
        if (failed == 0) {
          firstFailure = failure.toString();
        }
        failed++;
        longestFailure = Math.max(longestFailure, ended - began);
      } finally {
        lock.unlock();
      }
    }

    private void span(long began, long ended) {
      if (succeeded + failed == 0) {
        firstBegan = began;
        lastEnded = ended;
      }
      firstBegan = Math.min(firstBegan, began);
      lastEnded = Math.max(lastEnded, ended);
    }

    Outcome outcome(String level, String request, Duration duration) {
      lock.lock();
      try {
        long[] samples = Arrays.copyOf(nanos, (int) Math.min(succeeded, nanos.length));
        return new Outcome(
            level,
            request,
            succeeded,
            failed,
            succeeded * 1e9 / Math.max(duration.toNanos(), lastEnded - firstBegan),
            new Outcome.Times(
                Arrays.stream(samples).average().orElse(0) / 1e3,
                Samples.quantile(samples, 0.50) / 1e3,
                Samples.quantile(samples, 0.95) / 1e3,
                Samples.quantile(samples, 0.99) / 1e3,
                Samples.quantile(samples, 1) / 1e3),
            new Outcome.Failures(longestFailure / 1e3, firstFailure));
      } finally {
        lock.unlock();
      }
    }
  }
}
