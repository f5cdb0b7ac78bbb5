package io.rmigate.gateway.boxes;

import java.util.Locale;
import java.util.Optional;

/**
 * How a journey has ended.
 *
 * @param journey which
 * @param verdict in a word
 * @param rung by which the client called at its end; empty when it was not made, or has failed
 * @param losses how often the client has lost its link, and had it back
 * @param remark why it was made by that rung, or not made, or what failed
 */
record Outcome(Journey journey, Verdict verdict, Optional<Rung> rung, int losses, String remark) {

  /** What there is to say in a word. */
  enum Verdict {
    PASSED,
    FAILED,
    /** The box has no such mode. */
    NO_SUCH_MODE,
    /** The box, or what it needs, is not installed. */
    MISSING,
    /**
     * It did not get through, and it is known that it cannot be had here, or this machine does not
     * allow it.
     */
    CANNOT_BE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }
}
