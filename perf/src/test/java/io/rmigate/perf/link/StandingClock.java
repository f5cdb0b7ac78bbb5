package io.rmigate.perf.link;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Stands still but for {@link #advance}, and knows until when its threads sleep. */
final class StandingClock implements LinkClock {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final List<Long> sleepers = new ArrayList<>();
  private long now;

  @Override
  public long nanoTime() {
    lock.lock();
    try {
      return now;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void sleepUntil(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      sleepers.add(nanos);
      while (now < nanos) {
        moved.await();
      }
    } finally {
      sleepers.remove((Object) nanos);
      lock.unlock();
    }
  }

  void advance(Duration by) {
    lock.lock();
    try {
      now += by.toNanos();
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The times that threads wait for. */
  List<Long> sleepers() {
    lock.lock();
    try {
      return List.copyOf(sleepers);
    } finally {
      lock.unlock();
    }
  }
}
