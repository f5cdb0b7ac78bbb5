package io.rmigate.sample;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.AttributeChangeNotification;
import javax.management.MBeanNotificationInfo;
import javax.management.NotificationBroadcasterSupport;

/** The managed thing of {@link JmxSample}. Called by any thread. */
final class Thermostat extends NotificationBroadcasterSupport implements ThermostatMXBean {
  private static final int KEPT = 100;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Reading> history = new ArrayDeque<>(); // guarded by lock
  private double target = 20; // guarded by lock
  private long sequence; // guarded by lock

  Thermostat() {
    super(
        new MBeanNotificationInfo(
            new String[] {AttributeChangeNotification.ATTRIBUTE_CHANGE},
            AttributeChangeNotification.class.getName(),
            "the target was changed"));
  }

  @Override
  public double getTarget() {
    lock.lock();
    try {
      return target;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setTarget(double celsius) {
    AttributeChangeNotification change;
    lock.lock();
    try {
      change =
          new AttributeChangeNotification(
              this,
              ++sequence,
              System.currentTimeMillis(),
              "target changed",
              "Target",
              "double",
              target,
              celsius);
      target = celsius;
      history.addLast(new Reading(sequence, celsius));
      if (history.size() > KEPT) {
        history.removeFirst();
      }
    } finally {
      lock.unlock();
    }
    sendNotification(change); // foreign code, hence not under the lock
  }

  @Override
  public List<Reading> history(int limit) {
    lock.lock();
    try {
      return history.stream().skip(Math.max(0, history.size() - limit)).toList();
    } finally {
      lock.unlock();
    }
  }
}
