package io.rmigate.gateway.limit;

import java.util.OptionalInt;

/**
 * How much may be asked for; what is empty has no bound.
 *
 * @param callsPerSecond in the long run
 * @param burst calls at once, after a rest; left out: those of a second
 * @param callsInProgress that wait for their answers, or for a connection
 * @param bytesPerSecond of calls and answers together, in the long run; a call passes as long as
 *     what has passed before has been paid for, and makes the next ones wait
 */
public record CallLimits(
    OptionalInt callsPerSecond,
    OptionalInt burst,
    OptionalInt callsInProgress,
    OptionalInt bytesPerSecond) {

  /** Everything may be asked for. */
  public static final CallLimits NONE =
      new CallLimits(
          OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());

  /** Whether there is any bound. */
  public boolean isAny() {
    return !equals(NONE);
  }
}
