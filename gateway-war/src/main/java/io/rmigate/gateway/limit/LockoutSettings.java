package io.rmigate.gateway.limit;

import java.time.Duration;

/**
 * When somebody who tries one thing after the other is let do nothing any more.
 *
 * @param after so many different things that were refused
 * @param within counted from the first of them
 * @param lasts how long it is so
 */
public record LockoutSettings(int after, Duration within, Duration lasts) {

  /** Unless something else is said. */
  public static final LockoutSettings DEFAULTS =
      new LockoutSettings(20, Duration.ofMinutes(10), Duration.ofMinutes(10));
}
