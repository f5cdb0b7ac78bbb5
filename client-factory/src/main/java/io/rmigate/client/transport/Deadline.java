package io.rmigate.client.transport;

import java.time.Duration;

/** A moment by which several steps together must be done. */
record Deadline(long nanoTime) {

  static Deadline in(Duration timeout) {
    return new Deadline(System.nanoTime() + timeout.toNanos());
  }

  /** What is left; zero when it has passed. */
  Duration remaining() {
    return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
  }
}
