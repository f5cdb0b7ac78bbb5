package io.rmigate.gateway.relay.own;

import java.time.Duration;

/**
 * Bounds on the gateway's own calls.
 *
 * @param connectionsPerTarget calls to one target that may be under way at a time
 * @param waitingPerTarget calls to one target that may wait for a connection; one more is refused
 * @param waitingBytesPerTarget the same in bytes of their messages
 * @param maxReturnBytes a longer Return is a failure
 * @param idle a connection unused for so long is closed
 */
public record OwnCallSettings(
    int connectionsPerTarget,
    int waitingPerTarget,
    int waitingBytesPerTarget,
    int maxReturnBytes,
    Duration idle) {

  /** The settings that the gateway uses. */
  public static final OwnCallSettings DEFAULTS =
      new OwnCallSettings(8, 20_000, 64 << 20, 1 << 20, Duration.ofSeconds(15));
}
