package io.rmigate.gateway.relay;

/** Something on a relay loop that must not wait for ever. */
public interface DeadlineCheck {

  /**
   * Looks at the clock; called a few times a second, on the loop.
   *
   * @param now on the clock of {@link System#nanoTime}
   * @return whether to go on watching
   */
  boolean checkDeadline(long now);

  /** Looking has failed, for a reason of our own: this ends, and is watched no more. */
  void breakDown();
}
