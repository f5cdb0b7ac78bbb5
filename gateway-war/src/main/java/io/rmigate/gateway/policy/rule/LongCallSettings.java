package io.rmigate.gateway.policy.rule;

import java.time.Duration;

/**
 * The section {@code long-calls}: what arrays of primitives and strings may take that make a call
 * longer than it may be else.
 *
 * @param maxBytes of them in one call
 * @param maxBytesPerPrincipal of them in all calls of a principal that are under way
 * @param patience how long such a call may bring no more
 */
public record LongCallSettings(int maxBytes, int maxBytesPerPrincipal, Duration patience) {

  /** As shipped. */
  public static final LongCallSettings DEFAULT =
      new LongCallSettings(256 << 20, 512 << 20, Duration.ofSeconds(30));
}
