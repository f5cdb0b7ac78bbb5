package io.rmigate.perf.link;

import java.util.concurrent.locks.LockSupport;

/** The time of a link; tests have one that they move by hand. Thread-safe. */
interface LinkClock {
  /** {@link System#nanoTime}, to about a tenth of a millisecond and without turning in circles. */
  LinkClock SYSTEM =
      new LinkClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void sleepUntil(long nanos) throws InterruptedException {
          for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            if (Thread.interrupted()) {
              throw new InterruptedException();
            }
          }
        }
      };

  /** Now, in nanoseconds from an origin of its own. */
  long nanoTime();

  /** Returns when that time has come, at once if it has passed. */
  void sleepUntil(long nanos) throws InterruptedException;
}
