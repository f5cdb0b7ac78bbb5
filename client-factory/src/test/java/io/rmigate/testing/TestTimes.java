package io.rmigate.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Where the time of one test class goes, apart from its real work. The static methods account to
 * the class that runs now; a fork of the build runs one class at a time. {@link TestTimesListener}
 * begins and ends the records, and {@code .ci/slowest} prints them.
 *
 * <p>Thread-safe. Times are those of {@link System#nanoTime}.
 */
public final class TestTimes {
  /**
   * What a test class spends time on beside its real work. An instant that belongs to several
   * activities counts for the first of them in this order, so that the sum is never above the wall
   * time.
   */
  public enum Activity {
    WAR_UNPACKING,
    KEY_GENERATION,
    /** From the start of a servlet container until it listens, its JVM included. */
    CONTAINER_START,
    /** From the start of another JVM until its first awaited output. */
    JVM_START,
    WAITING
  }

  private record Span(Activity activity, long from, long to) {}

  private static volatile TestTimes current = new TestTimes(System.nanoTime());

  private final long begun;
  private final List<Span> spans = new ArrayList<>(); // guarded by this
  private int jvms; // guarded by this

  TestTimes(long begun) {
    this.begun = begun;
  }

  /** Makes {@code next} the record of the class that runs now, and returns the one before. */
  static TestTimes replace(TestTimes next) {
    TestTimes before = current;
    current = next;
    return before;
  }

  /** Accounts the time from {@code since} until now to an activity. */
  public static void add(Activity activity, long since) {
    current.add(activity, since, System.nanoTime());
  }

  /** Counts the start of one JVM. */
  public static void countJvm() {
    TestTimes running = current;
    synchronized (running) {
      running.jvms++;
    }
  }

  /**
   * Accounts the unpacking that a stand-alone gateway has done, by the times of its files.
   *
   * @param temporary the gateway's {@code java.io.tmpdir}
   */
  public static void addWarUnpacking(Path temporary) {
    long now = System.nanoTime();
    long clock = System.currentTimeMillis();
    try (Stream<Path> unpacked = Files.list(temporary)) {
      for (Path each : unpacked.filter(path -> Files.exists(path.resolve("pid"))).toList()) {
        long first = Files.getLastModifiedTime(each.resolve("pid")).toMillis();
        long last = first;
        try (Stream<Path> files = Files.walk(each.resolve("WEB-INF"))) {
          for (Path file : files.toList()) {
            last = Math.max(last, Files.getLastModifiedTime(file).toMillis());
          }
        }
        current.add(Activity.WAR_UNPACKING, now - nanos(clock - first), now - nanos(clock - last));
      }
    } catch (IOException | UncheckedIOException gone) {
      return; // The gateway ended and removed its files, so their times are unknown.
    }
  }

  private static long nanos(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  /** Accounts a span; a part of it before the begin of the record is left out. */
  synchronized void add(Activity activity, long from, long to) {
    spans.add(new Span(activity, Math.max(0, from - begun), Math.max(0, to - begun)));
  }

  /** Nanoseconds of each activity; of spans that overlap each instant counts once. */
  private Map<Activity, Long> totals() {
    // For each instant, how many more spans of an activity are open after it than before.
    Map<Long, Map<Activity, Integer>> changes = new TreeMap<>();
    for (Span span : spans) {
      change(changes, span.from, span.activity, 1);
      change(changes, span.to, span.activity, -1);
    }
    Map<Activity, Long> totals = new EnumMap<>(Activity.class);
    Map<Activity, Integer> open = new EnumMap<>(Activity.class); // in the order of the enum
    long last = 0;
    for (Map.Entry<Long, Map<Activity, Integer>> change : changes.entrySet()) {
      long passed = change.getKey() - last;
      last = change.getKey();
      open.entrySet().stream()
          .filter(each -> each.getValue() > 0)
          .findFirst()
          .ifPresent(first -> totals.merge(first.getKey(), passed, Long::sum));
      change.getValue().forEach((activity, more) -> open.merge(activity, more, Integer::sum));
    }
    return totals;
  }

  private static void change(
      Map<Long, Map<Activity, Integer>> changes, long at, Activity activity, int more) {
    changes
        .computeIfAbsent(at, instant -> new EnumMap<>(Activity.class))
        .merge(activity, more, Integer::sum);
  }

  /** JVMs started, then milliseconds and number of spans for each activity, between tabs. */
  synchronized String line() {
    Map<Activity, Long> totals = totals();
    StringJoiner line = new StringJoiner("\t").add(Integer.toString(jvms));
    for (Activity activity : Activity.values()) {
      line.add(Long.toString(Duration.ofNanos(totals.getOrDefault(activity, 0L)).toMillis()));
      line.add(Long.toString(spans.stream().filter(span -> span.activity == activity).count()));
    }
    return line.toString();
  }
}
