package io.rmigate.gateway.relay.own;

import java.time.Duration;

/**
 * Bounds on calls that block the threads of their callers.
 *
 * @param connectionsPerTarget calls to one target that may be under way at a time
 * @param connectionsPerSharer of these for one sharer
 * @param waitingPerTarget calls to one target that may wait for a connection; one more is refused
 * @param idle a connection unused for so long is closed
 */
public record BlockingSettings(
    int connectionsPerTarget, int connectionsPerSharer, int waitingPerTarget, Duration idle) {

  /** The settings that the gateway uses. */
  public static final BlockingSettings DEFAULTS =
      new BlockingSettings(128, 32, 1_000, Duration.ofSeconds(15));
}
