package io.rmigate.gateway.route;

import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.LockoutSettings;

/**
 * The limits and lockouts that hold for each caller at all targets.
 *
 * @param limits of one principal's calls
 */
public record Restraints(CallLimits limits, LockoutSettings lockout) {

  /** Unless something else is said. */
  public static final Restraints DEFAULTS =
      new Restraints(CallLimits.NONE, LockoutSettings.DEFAULTS);
}
