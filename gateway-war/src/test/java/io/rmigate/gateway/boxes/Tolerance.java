package io.rmigate.gateway.boxes;

import io.rmigate.gateway.boxes.Outcome.Verdict;
import java.util.Arrays;
import java.util.Set;

/**
 * What a matrix makes of cells that are none.
 *
 * @param strict whether it is a failure that a box is not installed
 * @param without packages, by Debian's names, that are known not to be had here
 */
record Tolerance(boolean strict, Set<String> without) {
  Tolerance {
    without = Set.copyOf(without);
  }

  /** As {@code deploy/matrix} was told. */
  static Tolerance ofProperties() {
    return new Tolerance(
        Boolean.getBoolean("rmigate.matrix.strict"),
        Set.copyOf(
            Arrays.asList(System.getProperty("rmigate.matrix.without", "").split("[, ]+", -1))));
  }

  Verdict of(Installed missing) {
    return without.contains(missing.debian()) ? Verdict.CANNOT_BE : Verdict.MISSING;
  }

  /** Whether there is no cell, and that is all right. */
  boolean bears(Verdict verdict) {
    return verdict == Verdict.NO_SUCH_MODE
        || verdict == Verdict.CANNOT_BE
        || (verdict == Verdict.MISSING && !strict);
  }
}
