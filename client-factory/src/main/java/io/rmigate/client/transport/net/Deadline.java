package io.rmigate.client.transport.net;

import java.time.Duration;

/**
 * A moment by which several steps together must be done.
 *
 * @param watch over those steps, which may end them before
 */
public record Deadline(long nanoTime, ConnectWatch watch) {

  public static Deadline in(Duration timeout) {
    return in(timeout, new ConnectWatch());
  }

  public static Deadline in(Duration timeout, ConnectWatch watch) {
    return new Deadline(System.nanoTime() + timeout.toNanos(), watch);
  }

  /** The time of the next step, if {@code steps} are left. */
  public Deadline share(int steps) {
    return in(remaining().dividedBy(steps), watch);
  }

  /** The time that is left; zero when the deadline has passed. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
  }
}
