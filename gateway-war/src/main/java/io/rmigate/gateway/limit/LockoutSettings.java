package io.rmigate.gateway.limit;

import java.time.Duration;

/**
 * When a caller is locked out that tries one refused thing after the other.
 *
 * @param after number of different things that were refused
 * @param within counted from the first of them
 * @param lasts duration of a lockout
 */
public record LockoutSettings(int after, Duration within, Duration lasts) {

  /** The shipped defaults. */
  public static final LockoutSettings DEFAULTS =
      new LockoutSettings(20, Duration.ofMinutes(10), Duration.ofMinutes(10));
}
