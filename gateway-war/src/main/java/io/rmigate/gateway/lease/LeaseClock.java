package io.rmigate.gateway.lease;

/** Time, and being woken by it. */
public interface LeaseClock {

  /** A wake-up call that has not come yet. */
  interface Alarm {
    /** Cancels the alarm. An alarm that is about to run may still run. */
    void cancel();
  }

  /** Monotonic. Stands still while the machine is suspended. */
  long nanoTime();

  /** The time of day; may jump. Goes on while the machine is suspended. */
  long wallMillis();

  /** Runs {@code task} once {@link #nanoTime} has reached {@code nanos}, on a thread of its own. */
  Alarm at(long nanos, Runnable task);
}
