package io.rmigate.gateway.lease;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that passes when the test says so. One thread. */
final class FakeLeaseClock implements LeaseClock {
  private record Due(long nanos, long order, Runnable task) {}

  private final PriorityQueue<Due> alarms =
      new PriorityQueue<>(Comparator.comparingLong(Due::nanos).thenComparingLong(Due::order));
  private long nanos = 1_000_000_000_000L;
  private long wallMillis = 1_700_000_000_000L;
  private long order;

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public long wallMillis() {
    return wallMillis;
  }

  @Override
  public Alarm at(long when, Runnable task) {
    Due due = new Due(when, order++, task);
    alarms.add(due);
    return () -> alarms.remove(due);
  }

  /** Lets time pass; each timer runs at its own time. */
  void pass(Duration time) {
    long until = nanos + time.toNanos();
    while (!alarms.isEmpty() && alarms.peek().nanos() <= until) {
      Due due = alarms.remove();
      moveTo(Math.max(nanos, due.nanos()));
      due.task().run();
    }
    moveTo(until);
  }

  /** The machine is suspended: only the time of day goes on. */
  void suspend(Duration time) {
    wallMillis += time.toMillis();
  }

  private void moveTo(long when) {
    wallMillis += (when - nanos) / 1_000_000;
    nanos = when;
  }

  /** Wake-up calls that are set, the clock's own check not counted. */
  int alarms() {
    return alarms.size() - 1;
  }
}
