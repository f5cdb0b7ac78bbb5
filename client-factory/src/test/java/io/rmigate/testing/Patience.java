package io.rmigate.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * How long tests wait for what must come: far longer than it takes on a machine that is busy, since
 * only a failure costs that much. What must not come is never waited for.
 */
public final class Patience {
  /** Long enough on a machine that builds something else, too. */
  public static final Duration PATIENCE = Duration.ofSeconds(150);

  private static final Duration LOOKS_EVERY = Duration.ofMillis(10);

  /** Waits for a condition as long as need be. */
  public static ConditionFactory await() {
    return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(LOOKS_EVERY).atMost(PATIENCE);
  }

  private Patience() {}
}
